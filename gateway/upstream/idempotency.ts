import type { IncomingHttpHeaders } from 'node:http';
import { replayedHeader, replayOfHeader } from '#shared/domain/metering.ts';
import { isRequestId } from '#shared/domain/request-ids.ts';

/** What a response says about earlier calls with the same Idempotency-Key. */
export interface IdempotencyInfo {
  /** The Idempotency-Key, without quotes. */
  key: string;
  /** The product has sent this response before. */
  replayed: boolean;
  /** The request id of the first call that got this response, if the product reports it. Anything else in its place is ignored. */
  replayOf: string | undefined;
}

/** Undefined for calls without an Idempotency-Key. `received`: the headers of the request. */
export function idempotencyOf(received: IncomingHttpHeaders, head: readonly string[]): IdempotencyInfo | undefined {
  const key = received['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  const info: IdempotencyInfo = { key: key.replaceAll('"', ''), replayed: false, replayOf: undefined };
  for (let index = 0; index + 1 < head.length; index += 2) {
    const name = head[index]?.toLowerCase();
    const value = head[index + 1]?.trim() ?? '';
    if (name === replayedHeader) info.replayed ||= value.toLowerCase() === 'true';
    else if (name === replayOfHeader && isRequestId(value)) info.replayOf = value;
  }
  return info;
}
