import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call, drawRefusals, endQueues, recordingQueue, repeat } from '#gateway/test/recording-queue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(endQueues);

/** Fills the queue, and completes two requests of other callers on their own connections. */
async function fullQueue() {
  const { begun, queue } = recordingQueue({ maxQueueAgeMs: 20 });
  for (const key of repeat('hot', 400)) queue.handle(...call(key));
  const sockets = { a: new Socket(), b: new Socket() };
  const calls = [call('a', sockets.a), call('b', sockets.b)];
  for (const each of calls) queue.handle(...each);
  await nextTurn();
  expect(begun).toEqual(expect.arrayContaining(['a', 'b']));
  for (const [, res] of calls) res.emit('close');
  return { begun, queue, sockets };
}

/** Runs turns until all these connections are resumed. */
async function untilResumed(...sockets: Socket[]): Promise<void> {
  const paused = (): Socket[] => sockets.filter((socket) => socket.isPaused());
  for (let turn = 0; turn < 50 && paused().length > 0; turn += 1) await nextTurn();
  expect(paused()).toEqual([]);
}

test('while the queue is full, connections that were served are paused until their turn', async () => {
  const { sockets } = await fullQueue();
  expect([sockets.a.isPaused(), sockets.b.isPaused()]).toEqual([true, true]);
  await untilResumed(sockets.a, sockets.b);
});

test('a request sent on a paused connection counts as queued since the pause', async () => {
  const { begun, queue, sockets } = await fullQueue();
  vi.advanceTimersByTime(30);
  await untilResumed(sockets.a, sockets.b);
  queue.handle(...call('a', sockets.a));
  queue.handle(...call('b', sockets.b));
  drawRefusals();
  await nextTurn();
  expect(begun).toEqual(expect.arrayContaining(['-a', '-b']));
});

test('a request sent several turns after its connection resumed counts as new', async () => {
  const { begun, queue, sockets } = await fullQueue();
  vi.advanceTimersByTime(30);
  await untilResumed(sockets.a, sockets.b);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  for (const key of repeat('hot', 40)) queue.handle(...call(key));
  queue.handle(...call('a', sockets.a));
  queue.handle(...call('b', sockets.b));
  drawRefusals();
  await nextTurn();
  expect(begun.slice(-2)).toEqual(['a', 'b']);
});

test('pauses a connection once, however many responses end on it, and none that ends', async () => {
  const { queue } = recordingQueue();
  for (const key of repeat('hot', 400)) queue.handle(...call(key));
  const [socket, ending] = [new Socket(), new Socket()];
  const calls = [call('a', socket), call('a', socket), call('b', ending)];
  for (const each of calls) queue.handle(...each);
  await nextTurn();
  ending.end();
  for (const [, res] of calls) res.emit('close');
  expect(queue.waiting().connections).toBe(1);
  expect([socket.isPaused(), ending.isPaused()]).toEqual([true, false]);
});

test('never pauses a connection that callers share', async () => {
  const shared = new Socket();
  const { queue } = recordingQueue({ shared: new Set([shared]) });
  for (const key of repeat('hot', 400)) queue.handle(...call(key));
  const [, res] = call('a', shared);
  queue.handle(res.req, res);
  await nextTurn();
  res.emit('close');
  expect(shared.isPaused()).toBe(false);
});

test('drain resumes paused connections and pauses none afterwards', async () => {
  const { queue, sockets } = await fullQueue();
  await queue.drain();
  expect([sockets.a.isPaused(), sockets.b.isPaused()]).toEqual([false, false]);
  const [req, res] = call('a', sockets.a);
  for (const key of repeat('hot', 200)) queue.handle(...call(key));
  queue.handle(req, res);
  res.emit('close');
  expect(sockets.a.isPaused()).toBe(false);
});

test('pauses no connection while the queue is short', async () => {
  const { queue, begun } = recordingQueue();
  const socket = new Socket();
  for (const key of repeat('hot', 40)) queue.handle(...call(key));
  const [req, res] = call('calm', socket);
  queue.handle(req, res);
  await nextTurn();
  expect(begun).toHaveLength(41);
  res.emit('close');
  expect(socket.isPaused()).toBe(false);
});

test('a known caller with nothing queued does not wait for those who overfilled the queue', async () => {
  const { begun, queue } = recordingQueue({ takesMs: 6 });
  for (const key of repeat('hot', 400)) queue.handle(...call(key));
  const socket = new Socket();
  const [req, res] = call('calm', socket);
  queue.handle(req, res);
  await nextTurn();
  expect(begun).toContain('calm');
  const before = begun.length;
  res.emit('close');
  expect(socket.isPaused()).toBe(true);
  await untilResumed(socket);
  queue.handle(...call('calm', socket));
  while (!begun.slice(before).includes('calm')) await nextTurn();
  // Two begin in each turn: the connection was resumed at the end of the first, and its call was next but one.
  expect(begun.slice(before).indexOf('calm')).toBeLessThanOrEqual(4);
});

test('others with nothing queued stay paused while their queue is overfull', async () => {
  const { begun, queue } = recordingQueue({ takesMs: 6 });
  const flood = (count: number): void => {
    for (let each = 0; each < count; each += 1) queue.handle(...call(`?${begun.length}-${each}`));
  };
  flood(200);
  const socket = new Socket();
  const [req, res] = call('?calm', socket);
  queue.handle(req, res);
  while (!begun.includes('?calm')) await nextTurn();
  flood(200);
  res.emit('close');
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(socket.isPaused()).toBe(true);
});

test('others who fill their queue pause no connection of a known caller', async () => {
  const { queue } = recordingQueue();
  for (let each = 0; each < 2000; each += 1) queue.handle(...call(`?${each}`));
  const [req, res] = call('calm');
  queue.handle(req, res);
  await nextTurn();
  res.emit('close');
  expect(req.socket.isPaused()).toBe(false);
});
