import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCallerWaits, type SlotQueue, type WaitsFor } from './caller-wait.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

function setUp(wanted: number, slots = 4) {
  const waits = createCallerWaits(30_000);
  const queue: SlotQueue = { slots, wanted: () => wanted };
  const givenUp: string[] = [];
  const open = (name: string, waitsFor: () => WaitsFor = () => 'caller') => {
    const wait = waits.open(
      {
        slotOf: () => queue,
        giveUp: () => {
          wait.end();
          givenUp.push(name);
        },
      },
      waitsFor,
    );
    return wait;
  };
  return { open, givenUp };
}

test('a caller that does not move is given up after the timeout, unless it waits for another response or the API', () => {
  const { open, givenUp } = setUp(0);
  open('caller').begin(0);
  open('pipelined', () => 'earlier-response').begin(0);
  open('API', () => 'api').begin(0);
  vi.advanceTimersByTime(29_900);
  expect(givenUp).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(givenUp).toEqual(['caller']);
  vi.advanceTimersByTime(120_000);
  expect(givenUp).toEqual(['caller']);
});

test('a caller that was given more than it can take in the timeout has as long as 64 KB a second take', () => {
  const { open, givenUp } = setUp(0);
  const wait = open('caller');
  wait.begin(64_000 * 90);
  open('other').begin(1000);
  vi.advanceTimersByTime(119_900);
  expect(givenUp).toEqual(['other']);
  vi.advanceTimersByTime(200);
  expect(givenUp).toEqual(['other', 'caller']);
});

test('while calls queue, the slowest callers beyond half of the slots are given up, as many as there are calls', () => {
  const { open, givenUp } = setUp(1);
  for (const name of ['first', 'second', 'third', 'fourth']) {
    open(name).begin(0);
    vi.advanceTimersByTime(10);
  }
  vi.advanceTimersByTime(900);
  expect(givenUp).toEqual([]);
  vi.advanceTimersByTime(200);
  expect(givenUp).toEqual(['first']);
  vi.advanceTimersByTime(1000);
  expect(givenUp).toEqual(['first', 'second']);
});

test('a caller that takes a little now and then is slow, one that takes 64 KB a second is not', () => {
  const { open, givenUp } = setUp(1, 1);
  const [trickle, steady] = [open('trickle'), open('steady')];
  for (let turns = 0; turns < 10; turns += 1) {
    trickle.begin(1000);
    steady.begin(64 * 1024);
    vi.advanceTimersByTime(900);
    trickle.moved(0);
    steady.moved(0);
  }
  expect(givenUp[0]).toBe('trickle');
  expect(givenUp).not.toContain('steady');
});

test('a caller that was given much at once is slow only after the time that 64 KB a second take', () => {
  const { open, givenUp } = setUp(1, 1);
  open('much').begin(64_000 * 90);
  vi.advanceTimersByTime(90_900);
  expect(givenUp).toEqual([]);
  vi.advanceTimersByTime(300);
  expect(givenUp).toEqual(['much']);
});

test('the time of all waits is added up, and one that runs counts', () => {
  const wait = setUp(0).open('caller');
  wait.begin(0);
  vi.advanceTimersByTime(400);
  wait.moved(100);
  vi.advanceTimersByTime(5000);
  wait.begin(0);
  vi.advanceTimersByTime(600);
  expect(wait.waitedMs()).toBe(1000);
});
