import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRequestQueue, type RequestQueue } from './request-queue.ts';

let queues: RequestQueue[] = [];

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(async () => {
  // Let queued requests begin before the next test starts.
  while (queues.some((queue) => queue.waiting().requests > 0)) await nextTurn();
  queues = [];
  vi.useRealTimers();
});

function call(key: string, socket = new Socket()): [IncomingMessage, ServerResponse] {
  const req = new IncomingMessage(socket);
  req.headers['x-api-key'] = key;
  return [req, new ServerResponse(req)];
}

/** A queue, and the keys of the requests that it began in order; late ones are prefixed with a minus. Keys that begin with `?` are unknown. */
function recordingQueue({ maxQueueAgeMs = 60_000, takesMs = 0 } = {}) {
  const begun: string[] = [];
  const queue = createRequestQueue({
    maxQueueAgeMs,
    lineOf: ({ headers: { 'x-api-key': key } }) => ({ known: !String(key).startsWith('?'), caller: String(key) }),
    begin: (req, _res, late) => {
      begun.push(`${late ? '-' : ''}${String(req.headers['x-api-key'])}`);
      if (!late && takesMs > 0) vi.advanceTimersByTime(takesMs);
    },
  });
  queues.push(queue);
  return { begun, queue };
}

const perTurn = 64;
const repeat = (key: string, count: number): string[] => Array.from({ length: count }, () => key);

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

test('others who fill their queue pause no connection of a known caller', async () => {
  const { queue } = recordingQueue();
  for (let each = 0; each < 2000; each += 1) queue.handle(...call(`?${each}`));
  const [req, res] = call('calm');
  queue.handle(req, res);
  await nextTurn();
  res.emit('close');
  expect(req.socket.isPaused()).toBe(false);
});

test('late requests of others do not decide which of a known caller are refused', async () => {
  const { begun, queue } = recordingQueue({ maxQueueAgeMs: 20 });
  for (const key of repeat('?flood', 500)) queue.handle(...call(key));
  for (const key of repeat('calm', 6)) queue.handle(...call(key));
  vi.advanceTimersByTime(40);
  await nextTurn();
  const calm = begun.filter((key) => key.endsWith('calm'));
  expect(calm).toEqual(['-calm', 'calm', '-calm', 'calm', '-calm', 'calm']);
});

test('refuses every second request that was queued for too long, and none that was not', async () => {
  const { begun, queue } = recordingQueue({ maxQueueAgeMs: 20 });
  for (const key of repeat('hot', perTurn + 8)) queue.handle(...call(key));
  vi.advanceTimersByTime(40);
  await nextTurn();
  expect(begun.slice(perTurn)).toEqual(['-hot', 'hot', '-hot', 'hot', '-hot', 'hot', '-hot', 'hot']);
  for (const key of repeat('hot', perTurn + 1)) queue.handle(...call(key));
  await nextTurn();
  expect(begun.slice(perTurn + 8)).toEqual(repeat('hot', perTurn + 1));
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
  await nextTurn();
  // Every second late request is refused.
  expect(begun.filter((key) => key === '-a' || key === '-b')).toHaveLength(1);
});

test('a request sent several turns after its connection resumed counts as new', async () => {
  const { begun, queue, sockets } = await fullQueue();
  vi.advanceTimersByTime(30);
  await untilResumed(sockets.a, sockets.b);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  for (const key of repeat('hot', 40)) queue.handle(...call(key));
  queue.handle(...call('a', sockets.a));
  queue.handle(...call('b', sockets.b));
  await nextTurn();
  expect(begun.filter((key) => key.startsWith('-') && key !== '-hot')).toEqual([]);
});

test('ignores a connection that was closed while paused', async () => {
  const { begun, sockets } = await fullQueue();
  sockets.a.destroy();
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(begun).toHaveLength(402);
  expect(sockets.b.isPaused()).toBe(false);
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
