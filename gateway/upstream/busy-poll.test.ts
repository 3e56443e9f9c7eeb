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

/** One turn of the event loop in which nothing came. */
function turn(): void {
  for (const run of immediates.splice(0)) run();
}

/** Waits for something that takes too long, and says whether the process stayed awake for it at first. */
function miss(poll: BusyPoll): boolean {
  poll.expect();
  const stayed = awake();
  turn();
  vi.advanceTimersByTime(1);
  turn();
  poll.came();
  return stayed;
}

function comeInTime(poll: BusyPoll): void {
  poll.expect();
  turn();
  poll.came();
  turn();
}

test('a process stays awake for what may come at once, and no longer once it came', () => {
  const poll = new BusyPoll();
  poll.expect();
  turn();
  turn();
  expect(awake()).toBe(true);
  poll.came();
  turn();
  expect(awake()).toBe(false);
});

test('a process falls asleep when nothing comes for a tenth of a millisecond', () => {
  const poll = new BusyPoll();
  poll.expect();
  turn();
  vi.advanceTimersByTime(1);
  turn();
  expect(awake()).toBe(false);
});

test('what never comes in time is awaited ever more seldom, at last one time in 256', () => {
  const poll = new BusyPoll();
  const stayed = Array.from({ length: 2000 }, () => miss(poll));
  const places = stayed.flatMap((yes, index) => (yes ? [index] : []));
  expect(places.slice(0, 9)).toEqual([0, 2, 6, 14, 30, 62, 126, 254, 510]);
  expect(places.slice(9)).toEqual([766, 1022, 1278, 1534, 1790]);
});

test('what comes in time again is awaited again', () => {
  const poll = new BusyPoll();
  expect(Array.from({ length: 6 }, () => miss(poll))).toEqual([true, false, true, false, false, false]);
  for (let times = 0; times < 10; times += 1) comeInTime(poll);
  expect(miss(poll)).toBe(true);
  expect(miss(poll)).toBe(false);
  expect(miss(poll)).toBe(true);
});

test('one who calls again and again in one turn is waited for once', () => {
  const poll = new BusyPoll();
  for (let times = 0; times < 5; times += 1) {
    poll.expect();
    poll.came();
  }
  poll.expect();
  expect(immediates).toHaveLength(1);
});

test('what is not awaited any more counts neither way', () => {
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

test('what comes in the turn in which it is awaited came in time', () => {
  const poll = new BusyPoll();
  expect(Array.from({ length: 6 }, () => miss(poll))).toEqual([true, false, true, false, false, false]);
  for (let times = 0; times < 10; times += 1) {
    poll.expect();
    poll.came();
    poll.expect();
    poll.came();
    turn();
  }
  expect(miss(poll)).toBe(true);
});
