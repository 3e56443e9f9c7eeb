import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BusyPoll } from './busy-poll.ts';

let immediates: (() => void)[] = [];

beforeEach(() => {
  immediates = [];
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.stubGlobal('setImmediate', (run: () => void) => immediates.push(run));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const awake = (): boolean => immediates.length > 0;

/** Runs one turn of the event loop. */
function turn(): void {
  for (const run of immediates.splice(0)) run();
}

/** Expects something that arrives too late. Returns whether it polled at all. */
function miss(poll: BusyPoll): boolean {
  poll.expect();
  const stayed = awake();
  turn();
  vi.advanceTimersByTime(1);
  turn();
  poll.arrived();
  return stayed;
}

function hit(poll: BusyPoll): void {
  poll.expect();
  turn();
  poll.arrived();
  turn();
}

test('polls until the expected arrival, then stops', () => {
  const poll = new BusyPoll();
  poll.expect();
  turn();
  turn();
  expect(awake()).toBe(true);
  poll.arrived();
  turn();
  expect(awake()).toBe(false);
});

test('stops polling after a tenth of a millisecond', () => {
  const poll = new BusyPoll();
  poll.expect();
  turn();
  vi.advanceTimersByTime(1);
  turn();
  expect(awake()).toBe(false);
});

test('backs off exponentially after misses, down to one attempt in 256', () => {
  const poll = new BusyPoll();
  const stayed = Array.from({ length: 2000 }, () => miss(poll));
  const places = stayed.flatMap((yes, index) => (yes ? [index] : []));
  expect(places.slice(0, 9)).toEqual([0, 2, 6, 14, 30, 62, 126, 254, 510]);
  expect(places.slice(9)).toEqual([766, 1022, 1278, 1534, 1790]);
});

test('hits reverse the backoff', () => {
  const poll = new BusyPoll();
  expect(Array.from({ length: 6 }, () => miss(poll))).toEqual([true, false, true, false, false, false]);
  for (let times = 0; times < 10; times += 1) hit(poll);
  expect(miss(poll)).toBe(true);
  expect(miss(poll)).toBe(false);
  expect(miss(poll)).toBe(true);
});

test('schedules one poll for repeated expectations in the same turn', () => {
  const poll = new BusyPoll();
  for (let times = 0; times < 5; times += 1) {
    poll.expect();
    poll.arrived();
  }
  poll.expect();
  expect(immediates).toHaveLength(1);
});

test('a cancelled expectation is neither a hit nor a miss', () => {
  const poll = new BusyPoll();
  expect(Array.from({ length: 6 }, () => miss(poll))).toEqual([true, false, true, false, false, false]);
  for (let times = 0; times < 50; times += 1) {
    poll.expect();
    turn();
    poll.cancel();
    turn();
  }
  expect(Array.from({ length: 8 }, () => miss(poll)).filter(Boolean)).toHaveLength(1);
});

test('an arrival in the same turn is a hit', () => {
  const poll = new BusyPoll();
  expect(Array.from({ length: 6 }, () => miss(poll))).toEqual([true, false, true, false, false, false]);
  for (let times = 0; times < 10; times += 1) {
    poll.expect();
    poll.arrived();
    poll.expect();
    poll.arrived();
    turn();
  }
  expect(miss(poll)).toBe(true);
});
