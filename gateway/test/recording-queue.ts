import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';
import { createRequestQueue, type RequestQueue } from '#gateway/http/request-queue.ts';

/** Shared by the tests of the request queue, whose `performance` is a fake timer. */

let queues: RequestQueue[] = [];

/** How many requests a turn begins. */
export const perTurn = 64;

export const repeat = (key: string, count: number): string[] => Array.from({ length: count }, () => key);

export function call(key: string, socket = new Socket()): [IncomingMessage, ServerResponse] {
  const req = new IncomingMessage(socket);
  req.headers['x-api-key'] = key;
  return [req, new ServerResponse(req)];
}

/** A queue, and the keys of the requests that it began in order; refused ones are prefixed with a minus. Keys that begin with `?` are unknown. */
export function recordingQueue({ maxQueueAgeMs = 60_000, takesMs = 0, shared = new Set<Socket>() } = {}) {
  const begun: string[] = [];
  const queue = createRequestQueue({
    maxQueueAgeMs,
    isShared: (socket) => shared.has(socket),
    lineOf: ({ headers: { 'x-api-key': key } }) => ({ known: !String(key).startsWith('?'), caller: String(key) }),
    begin: (req, _res, late) => {
      begun.push(`${late ? '-' : ''}${String(req.headers['x-api-key'])}`);
      if (!late && takesMs > 0) vi.advanceTimersByTime(takesMs);
    },
  });
  queues.push(queue);
  return { begun, queue };
}

/** Which late requests are refused, in order; then all of them. */
export function drawRefusals(...refused: boolean[]): void {
  const draws = vi.spyOn(Math, 'random').mockReturnValue(0.25);
  for (const each of refused) draws.mockReturnValueOnce(each ? 0.25 : 0.75);
}

/** Lets queued requests begin before the next test starts. */
export async function endQueues(): Promise<void> {
  while (queues.some((queue) => queue.waiting().requests > 0)) await nextTurn();
  queues = [];
  vi.useRealTimers();
  vi.restoreAllMocks();
}
