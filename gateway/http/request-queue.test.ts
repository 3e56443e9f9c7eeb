import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, drawRefusals, endQueues, perTurn, recordingQueue, repeat } from '#gateway/test/recording-queue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(endQueues);

test('begins a request at once while the turn has room', () => {
  const { begun, queue } = recordingQueue();
  queue.handle(...call('a'));
  expect(begun).toEqual(['a']);
});

test('a turn of the event loop begins a limited number of requests, and the next turns continue', async () => {
  const { begun, queue } = recordingQueue();
  for (const key of repeat('hot', 2.5 * perTurn)) queue.handle(...call(key));
  const counts = [begun.length];
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([perTurn, 2 * perTurn, 2.5 * perTurn, 2.5 * perTurn]);
});

test('turns begin fewer requests while connections are being opened', async () => {
  const { begun, queue } = recordingQueue();
  queue.onConnection();
  for (const key of repeat('hot', 20)) queue.handle(...call(key));
  expect(begun).toHaveLength(2);
  queue.onConnection();
  await nextTurn();
  expect(begun).toHaveLength(4);
  await nextTurn();
  expect(begun).toHaveLength(20);
});

test('requests that are slow to begin end a turn early', async () => {
  const { begun, queue } = recordingQueue({ takesMs: 6 });
  for (const key of repeat('slow', 6)) queue.handle(...call(key));
  const counts = [begun.length];
  for (let turn = 0; turn < 2; turn += 1) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([2, 4, 6]);
});

test('keys are served round-robin: a quiet caller does not wait behind a busy one', async () => {
  const { begun, queue } = recordingQueue();
  for (const key of repeat('hot', 500)) queue.handle(...call(key));
  queue.handle(...call('calm'));
  queue.handle(...call('calm'));
  await nextTurn();
  expect(begun.slice(perTurn, perTurn + 4)).toEqual(['hot', 'calm', 'hot', 'calm']);
});

test('whoever floods the gateway from any number of addresses gets a fourth of what begins while known callers wait', async () => {
  const { begun, queue } = recordingQueue();
  for (let each = 0; each < 2000; each += 1) queue.handle(...call(`?${each}`));
  for (const key of repeat('calm', 6)) queue.handle(...call(key));
  await nextTurn();
  const kinds = begun.slice(perTurn, perTurn + 10).map((key) => key.replace(/\d+/, ''));
  expect(kinds).toEqual(['calm', 'calm', 'calm', '?', 'calm', 'calm', 'calm', '?', '?', '?']);
});

test('known callers leave a fourth of the turns to others, who share it by address', async () => {
  const { begun, queue } = recordingQueue();
  for (const key of repeat('hot', 500)) queue.handle(...call(key));
  for (const key of repeat('?flood', 500)) queue.handle(...call(key));
  queue.handle(...call('?new'));
  await nextTurn();
  expect(begun.slice(perTurn, perTurn + 8)).toEqual(['hot', 'hot', 'hot', '?flood', 'hot', 'hot', 'hot', '?new']);
});

test('refuses a part of the requests that were queued for too long, and none that was not', async () => {
  const { begun, queue } = recordingQueue({ maxQueueAgeMs: 20 });
  for (const key of repeat('hot', perTurn + 4)) queue.handle(...call(key));
  vi.advanceTimersByTime(40);
  drawRefusals(true, false, false, true);
  await nextTurn();
  expect(begun.slice(perTurn)).toEqual(['-hot', 'hot', 'hot', '-hot']);
  for (const key of repeat('hot', perTurn + 1)) queue.handle(...call(key));
  await nextTurn();
  expect(begun.slice(perTurn + 4)).toEqual(repeat('hot', perTurn + 1));
});

// By chance alone, a share beyond these bounds would come once in 10^12 runs.
test.each([1, 2, 3, 8])('about half of the late requests of each of %i callers are refused', async (callers) => {
  const each = 400;
  const { begun, queue } = recordingQueue({ maxQueueAgeMs: 20 });
  for (const key of repeat('first', perTurn)) queue.handle(...call(key));
  for (let nth = 0; nth < each; nth += 1)
    for (let caller = 0; caller < callers; caller += 1) queue.handle(...call(`late-${caller}`));
  vi.advanceTimersByTime(40);
  while (queue.waiting().requests > 0) await nextTurn();
  for (let caller = 0; caller < callers; caller += 1) {
    const refused = begun.filter((key) => key === `-late-${caller}`).length;
    expect(refused).toBeGreaterThan(0.3 * each);
    expect(refused).toBeLessThan(0.7 * each);
  }
});

test('does not begin a request whose caller has disconnected', async () => {
  const { begun, queue } = recordingQueue();
  for (const key of repeat('hot', perTurn)) queue.handle(...call(key));
  const [req, res] = call('gone');
  queue.handle(req, res);
  queue.handle(...call('here'));
  res.destroy();
  await nextTurn();
  expect(begun.slice(perTurn)).toEqual(['here']);
});
