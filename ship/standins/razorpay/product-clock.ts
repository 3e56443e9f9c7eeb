import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { badRequest, isRefusal } from '#ship/standins/razorpay/errors.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { runDue } from '#ship/standins/razorpay/run-due.ts';
import { webhookSignature } from '#ship/standins/razorpay/signature.ts';
import { statusOf } from '#ship/standins/razorpay/tokens.ts';

const dayMs = 86_400_000;

const moveSchema = z.union([
  z.strictObject({
    advanceMs: z
      .int()
      .min(1)
      .max(800 * dayMs),
  }),
  z.strictObject({ to: z.enum(['midnight', 'nextStart', 'nextEnd']) }),
  z.strictObject({ reset: z.literal(true) }),
]);

/** The part of the portal's clock state that is used here; the page gets all of it unchanged. */
const stateSchema = z.looseObject({
  nowMs: z.number(),
  offsetMs: z.number(),
  turns: z.object({ midnight: z.number(), nextStart: z.number().nullable(), nextEnd: z.number().nullable() }),
});
type State = z.infer<typeof stateSchema>;

/** Advancing through the midnights of two years takes a while. */
const portalTimeoutMs = 120_000;

/**
 * The product's clock, which the portal owns: read and moved for the page at `/play` through a call that the portal
 * offers only while stand-ins are in use. The payment clock moves first, so that the portal finds the events of the
 * meantime there.
 */
export function addProductClockRoutes(app: FastifyInstance, parts: RazorpayParts, secret: string): void {
  const address = new URL('/backend/standins/clock', parts.webhookUrl);
  let moving: Promise<unknown> = Promise.resolve();

  const ask = async (move: { offsetMs?: number }): Promise<State> => {
    const body = JSON.stringify(move);
    const headers = { 'content-type': 'application/json', 'x-standin-signature': webhookSignature(secret, body) };
    const signal = AbortSignal.any([parts.closing, AbortSignal.timeout(portalTimeoutMs)]);
    const response = await fetch(address, { method: 'POST', headers, body, signal, redirect: 'error' });
    if (!response.ok) throw new Error(`the portal responded ${response.status}`);
    return stateSchema.parse(await response.json());
  };

  const move = async (asked: z.infer<typeof moveSchema>): Promise<State> => {
    const state = await ask({});
    const end = 'reset' in asked ? 0 : state.offsetMs + stepOf(asked, state);
    // The result of a debit comes a day after the portal asks for it, so both clocks go day by day where there are mandates.
    let offsetMs = hasMandates(parts) && end > state.offsetMs ? state.offsetMs : end;
    for (;;) {
      offsetMs = Math.min(end, offsetMs + dayMs);
      parts.ledger.save({ kind: 'clock', value: { offsetMs } });
      runDue(parts);
      const moved = await ask({ offsetMs });
      if (offsetMs === end) return moved;
    }
  };

  app.get('/standin/product-clock', (_request, reply) => ask({}).catch((error: unknown) => silent(reply, error)));
  app.post('/standin/product-clock', async (request, reply) => {
    const asked = moveSchema.safeParse(request.body ?? {});
    if (!asked.success) throw badRequest(z.prettifyError(asked.error));
    // One after the other: two clicks move it twice.
    const moved = moving.then(() => move(asked.data));
    moving = moved.catch(() => undefined);
    return moved.catch((error: unknown) => silent(reply, error));
  });
}

const hasMandates = ({ ledger }: RazorpayParts) =>
  [...ledger.state.tokens.values()].some((record) => statusOf(record) === 'confirmed');

function stepOf(asked: { advanceMs: number } | { to: keyof State['turns'] }, state: State): number {
  if ('advanceMs' in asked) return asked.advanceMs;
  const turn = state.turns[asked.to];
  if (turn === null)
    throw badRequest(asked.to === 'nextStart' ? 'No cycle is due to start.' : 'No cycle is due to end.');
  return turn - state.nowMs;
}

function silent(reply: FastifyReply, error: unknown): unknown {
  if (isRefusal(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  return reply.code(503).send({ message: `The portal’s clock cannot be reached: ${reason}.` });
}
