import type { FastifyRequest } from 'fastify';
import { serverError } from '#ship/standins/razorpay/errors.ts';

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
