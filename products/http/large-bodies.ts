import { setImmediate } from 'node:timers';
import type { FastifyRequest } from 'fastify';
import { createFairQueue } from '#shared/platform/fair-queue.ts';
import { sharerOf } from '#products/http/gateway-headers.ts';
import type { ProductServer } from '#products/http/product-server.ts';

/** Bodies of at least this size, some 60 lines of an invoice, take milliseconds to check and to compute. */
const largeBytes = 8 * 1024;

export function hasLargeBody({ headers, body }: FastifyRequest): boolean {
  // A chunked body doesn't declare its size.
  return Number(headers['content-length'] ?? (body === undefined ? 0 : largeBytes)) >= largeBytes;
}

/** How many turns of the event loop a small call takes, from its arrival to its response. */
const turnsBetween = 3;

/**
 * Spreads large bodies over turns of the event loop: after each one, small calls get their turn, however many large
 * ones arrive at once. Activations take turns.
 */
export function spreadLargeBodies(server: ProductServer): void {
  const waiting = createFairQueue<string, () => void>();
  let isTurnDue = false;

  // An immediate that is set by another one runs after the socket events of the meantime.
  const serveAfter = (turns: number): void => {
    isTurnDue = true;
    setImmediate(() => {
      if (turns > 1) return serveAfter(turns - 1);
      waiting.take()?.();
      isTurnDue = waiting.size() > 0;
      if (isTurnDue) serveAfter(turnsBetween);
    });
  };

  server.addHook('preValidation', async (request) => {
    if (!hasLargeBody(request)) return;
    await new Promise<void>((resolve) => {
      waiting.push(sharerOf(request), resolve);
      if (!isTurnDue) serveAfter(1);
    });
  });
}
