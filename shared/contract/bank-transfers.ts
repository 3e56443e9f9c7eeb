import { z } from 'zod';
import { tanPattern, tdsPercents } from '#shared/domain/tds.ts';
import { defineCall } from './call.ts';
import { createOrder, createOrderOfPeriods, cycleIdsSchema } from './payments.ts';
import { catalogTextSchema, rupeesSchema } from './values.ts';

/** With which TAN tax is deducted, and at which percentage of the value without GST. */
const declaredSchema = z.strictObject({
  tan: z.string().regex(tanPattern, 'must be a TAN: four letters, five digits, a letter'),
  percent: z.literal(tdsPercents),
});

export const payByTransfer = defineCall({
  name: 'payByTransfer',
  summary: 'Create the payment order of unpaid subscriptions, to be paid by a bank transfer of exactly its amount',
  method: 'POST',
  path: '/billing/:activationId/bank-transfer',
  auth: 'session',
  params: createOrderOfPeriods.params,
  body: z.strictObject({ billingCycleIds: cycleIdsSchema }),
  reply: z.object({
    amount: rupeesSchema,
    planName: catalogTextSchema,
    /** The caller's own account number at the payment provider: whatever arrives there is a payment of the caller. */
    account: z.object({ name: z.string(), number: z.string(), ifsc: z.string(), bank: z.string() }),
    /** What may be transferred instead by a customer that deducts tax (TDS), at each percentage; empty where nobody may deduct it. */
    deductions: z.array(z.object({ percent: z.literal(tdsPercents), tds: rupeesSchema, amount: rupeesSchema })),
    /** That the caller deducts it, as said before. */
    declared: declaredSchema.nullable(),
    /** The plan renews by mandate, and the debit of these days is withheld while the transfer may come (decision 074). */
    withholdsDebit: z.boolean(),
  }),
  mayCharge: true,
  refusals: [...createOrder.refusals, 'business_only'],
});

export const declareTransferTds = defineCall({
  name: 'declareTransferTds',
  summary:
    'Say that you deduct tax at source (TDS) from what you pay by bank transfer, or take it back: from then on the amount less this tax pays too',
  method: 'PUT',
  path: '/billing/bank-transfer/tds',
  auth: 'session',
  body: z.strictObject({ declared: declaredSchema.nullable() }),
  reply: z.object({ declared: declaredSchema.nullable() }),
  refusals: ['not_found', 'too_many_requests'],
});
