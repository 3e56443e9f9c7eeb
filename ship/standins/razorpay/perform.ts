import type { FastifyRequest } from 'fastify';
import type { CallMode } from '#ship/standins/razorpay/behaviour.ts';
import { notAllowed, serverError, tooManyRequests } from '#ship/standins/razorpay/errors.ts';

const longestMs = 60_000;

/** Sends no response until the caller hangs up, a minute has passed, or the stand-in stops. */
export async function hang(request: FastifyRequest, closing: AbortSignal): Promise<never> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestMs);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    request.raw.socket.once('close', stop);
    closing.addEventListener('abort', stop, { once: true });
  });
  throw serverError();
}

/** Performs a call as the behaviour says: refused before it takes effect, done, or done with its response lost. */
export async function perform<Reply>(
  request: FastifyRequest,
  closing: AbortSignal,
  mode: CallMode,
  call: () => Reply,
): Promise<Reply> {
  if (mode === '429') throw tooManyRequests();
  if (mode === 'fail-403') throw notAllowed();
  if (mode === 'fail-500') throw serverError();
  if (mode === 'fail-502') throw serverError(502);
  if (mode === 'fail-504') throw serverError(504);
  const reply = call();
  if (mode === 'fail-after-create-500') throw serverError();
  if (mode === 'fail-after-create-502') throw serverError(502);
  if (mode === 'fail-after-create-504') throw serverError(504);
  return mode === 'timeout-after-create' ? hang(request, closing) : reply;
}
