import {
  bodyTooLarge,
  type Refusal,
  requestTooSlow,
  responseHeadTooLarge,
  upstreamFailed,
  upstreamTooSlow,
} from '#gateway/http/refusals.ts';
import { BodyTooLarge } from './body-limit.ts';

const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);

export function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The product closed an idle connection just as it was reused, so it sent no response on it. */
export function isReset(error: Error): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(errorCode(error));
}

/** The caller did not do its part in time. */
export class CallerTooSlow extends Error {}

export function isOfCaller(error: Error): boolean {
  return error instanceof BodyTooLarge || error instanceof CallerTooSlow;
}

const isHeadTooLarge = (error: Error): boolean => errorCode(error) === 'UND_ERR_HEADERS_OVERFLOW';

/** The error as the log should have it. */
export function describeFailure(error: Error, maxHeadBytes: number): Error {
  if (!isHeadTooLarge(error)) return error;
  return new Error(`its response headers are larger than ${maxHeadBytes} bytes (MAX_HEAD_BYTES)`);
}

export function refusalFor(error: Error, maxBodyBytes: number, maxHeadBytes: number): Refusal {
  if (isHeadTooLarge(error)) return responseHeadTooLarge(maxHeadBytes);
  if (error instanceof BodyTooLarge) return bodyTooLarge(maxBodyBytes);
  if (error instanceof CallerTooSlow) return requestTooSlow;
  return timeouts.has(errorCode(error)) ? upstreamTooSlow : upstreamFailed;
}
