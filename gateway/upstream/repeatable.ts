import type { IncomingMessage } from 'node:http';
import { replayedHeader, replayOfHeader } from '#domain/metering.ts';

/** What the response to a call with an Idempotency-Key says about earlier calls with the same key. */
export interface Repeatable {
  /** The Idempotency-Key, without quotes. */
  key: string;
  /** The product has given this response before. */
  replayed: boolean;
  /** The request id of the call that it was first given to, where the product tells it. */
  replayOf: string | undefined;
}

/** What a response says about earlier calls with its Idempotency-Key; undefined for calls without one. */
export function repeatableOf(req: IncomingMessage, head: readonly string[]): Repeatable | undefined {
  const key = req.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  const said: Repeatable = { key: key.replaceAll('"', ''), replayed: false, replayOf: undefined };
  for (let index = 0; index + 1 < head.length; index += 2) {
    const name = head[index]?.toLowerCase();
    if (name === replayedHeader) said.replayed = true;
    else if (name === replayOfHeader) said.replayOf = head[index + 1];
  }
  return said;
}
