import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { adjustBalance, failSettlement, holdPayment, settleNow } from '#ship/standins/razorpay/settlements.ts';

type ById = { Params: { id: string } };
const holdSchema = z.strictObject({ on: z.boolean().default(true) });
const adjustmentSchema = z.strictObject({
  amount: z.int().refine((amount) => amount !== 0, 'must not be 0'),
  description: z.string().max(200).default('Adjustment'),
});

/** Controls of settlements, for scripts and tests. */
export function addSettlementControls(app: FastifyInstance, parts: RazorpayParts): void {
  app.post('/standin/settlements', () => settleNow(parts));
  app.post<ById>('/standin/settlements/:id/fail', (request) => failSettlement(parts, request.params.id));
  app.post<ById>('/standin/payments/:id/hold', (request) => {
    const { on } = holdSchema.parse(request.body ?? {});
    holdPayment(parts, request.params.id, on);
    return { on };
  });
  app.post('/standin/adjustments', (request) => {
    const { amount, description } = adjustmentSchema.parse(request.body ?? {});
    return adjustBalance(parts, amount, description);
  });
}
