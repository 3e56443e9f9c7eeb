import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIntake } from './intake.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(async () => {
  // What still waits is begun before the next test.
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  vi.useRealTimers();
});

function call(key: string, socket = new Socket()): [IncomingMessage, ServerResponse] {
  const req = new IncomingMessage(socket);
  req.headers['x-api-key'] = key;
  return [req, new ServerResponse(req)];
}

/** What was begun, in order; late ones with a minus. */
function watched({ patienceMs = 60_000, takesMs = 0 } = {}) {
  const begun: string[] = [];
  const intake = createIntake({
    patienceMs,
    begin: (req, _res, late) => {
      begun.push(`${late ? '-' : ''}${String(req.headers['x-api-key'])}`);
      if (!late && takesMs > 0) vi.advanceTimersByTime(takesMs);
    },
  });
  return { begun, intake };
}

/** So many calls a turn begins. */
const ofTurn = 64;
const times = (key: string, many: number): string[] => Array.from({ length: many }, () => key);

test('a call is begun at once when few came before it', () => {
  const { begun, intake } = watched();
  intake.take(...call('a'));
  expect(begun).toEqual(['a']);
});

test('a turn of the event loop begins a bounded number of calls, and the next ones go on', async () => {
  const { begun, intake } = watched();
  for (const key of times('hot', 2.5 * ofTurn)) intake.take(...call(key));
  const counts = [begun.length];
  for (let turn = 0; turn < 3; turn += 1) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([ofTurn, 2 * ofTurn, 2.5 * ofTurn, 2.5 * ofTurn]);
});

test('while connections come in, turns are shorter', async () => {
  const { begun, intake } = watched();
  intake.connected();
  for (const key of times('hot', 20)) intake.take(...call(key));
  expect(begun).toHaveLength(2);
  intake.connected();
  await nextTurn();
  expect(begun).toHaveLength(4);
  await nextTurn();
  expect(begun).toHaveLength(20);
});

test('calls that take long end a turn sooner', async () => {
  const { begun, intake } = watched({ takesMs: 6 });
  for (const key of times('slow', 6)) intake.take(...call(key));
  const counts = [begun.length];
  for (let turn = 0; turn < 2; turn += 1) {
    await nextTurn();
    counts.push(begun.length);
  }
  expect(counts).toEqual([2, 4, 6]);
});

test('keys are served in turn: who sends little does not wait behind who sends much', async () => {
  const { begun, intake } = watched();
  for (const key of times('hot', 500)) intake.take(...call(key));
  intake.take(...call('calm'));
  intake.take(...call('calm'));
  await nextTurn();
  expect(begun.slice(ofTurn, ofTurn + 4)).toEqual(['hot', 'calm', 'hot', 'calm']);
});

test('of calls that have waited for too long every second one is refused, and others of the same time are not', async () => {
  const { begun, intake } = watched({ patienceMs: 20 });
  for (const key of times('hot', ofTurn + 8)) intake.take(...call(key));
  vi.advanceTimersByTime(40);
  await nextTurn();
  expect(begun.slice(ofTurn)).toEqual(['-hot', 'hot', '-hot', 'hot', '-hot', 'hot', '-hot', 'hot']);
  for (const key of times('hot', ofTurn + 1)) intake.take(...call(key));
  await nextTurn();
  expect(begun.slice(ofTurn + 8)).toEqual(times('hot', ofTurn + 1));
});

test('a call whose caller has left is not begun', async () => {
  const { begun, intake } = watched();
  for (const key of times('hot', ofTurn)) intake.take(...call(key));
  const [req, res] = call('gone');
  intake.take(req, res);
  intake.take(...call('here'));
  res.destroy();
  await nextTurn();
  expect(begun.slice(ofTurn)).toEqual(['here']);
});

/** Many calls wait, and two of other callers, on connections of their own, are answered. */
async function crowd() {
  const { begun, intake } = watched({ patienceMs: 20 });
  for (const key of times('hot', 400)) intake.take(...call(key));
  const sockets = { a: new Socket(), b: new Socket() };
  const answers = [call('a', sockets.a), call('b', sockets.b)];
  for (const each of answers) intake.take(...each);
  await nextTurn();
  expect(begun).toEqual(expect.arrayContaining(['a', 'b']));
  for (const [, res] of answers) res.emit('close');
  return { begun, intake, sockets };
}

/** Turns go by until both are read from again. */
async function untilRead({ a, b }: Record<'a' | 'b', Socket>): Promise<void> {
  for (let turn = 0; turn < 50 && (a.isPaused() || b.isPaused()); turn += 1) await nextTurn();
  expect([a.isPaused(), b.isPaused()]).toEqual([false, false]);
}

test('while many calls wait, connections that were served rest until their turn comes', async () => {
  const { sockets } = await crowd();
  expect([sockets.a.isPaused(), sockets.b.isPaused()]).toEqual([true, true]);
  await untilRead(sockets);
});

test('what was sent on a connection while it rested has waited since then', async () => {
  const { begun, intake, sockets } = await crowd();
  vi.advanceTimersByTime(30);
  await untilRead(sockets);
  intake.take(...call('a', sockets.a));
  intake.take(...call('b', sockets.b));
  await nextTurn();
  // Every second one that is late is refused.
  expect(begun.filter((key) => key === '-a' || key === '-b')).toHaveLength(1);
});

test('what is sent on a connection some turns after it rested has not waited', async () => {
  const { begun, intake, sockets } = await crowd();
  vi.advanceTimersByTime(30);
  await untilRead(sockets);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  for (const key of times('hot', 40)) intake.take(...call(key));
  intake.take(...call('a', sockets.a));
  intake.take(...call('b', sockets.b));
  await nextTurn();
  expect(begun.filter((key) => key.startsWith('-')).every((key) => key === '-hot')).toBe(true);
});

test('a connection that was closed while it rested is left alone', async () => {
  const { begun, sockets } = await crowd();
  sockets.a.destroy();
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(begun).toHaveLength(402);
  expect(sockets.b.isPaused()).toBe(false);
});

test('before the server closes, connections that rest are read from, and none rests any more', async () => {
  const { intake, sockets } = await crowd();
  await intake.finish();
  expect([sockets.a.isPaused(), sockets.b.isPaused()]).toEqual([false, false]);
  const [req, res] = call('a', sockets.a);
  for (const key of times('hot', 200)) intake.take(...call(key));
  intake.take(req, res);
  res.emit('close');
  expect(sockets.a.isPaused()).toBe(false);
});

test('when few wait, no connection rests', async () => {
  const { intake, begun } = watched();
  const socket = new Socket();
  for (const key of times('hot', 40)) intake.take(...call(key));
  const [req, res] = call('calm', socket);
  intake.take(req, res);
  await nextTurn();
  expect(begun).toHaveLength(41);
  res.emit('close');
  expect(socket.isPaused()).toBe(false);
});
