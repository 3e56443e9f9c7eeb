import { z } from 'zod';
import { tdsStatuses } from '#shared/domain/tds.ts';
import { daySchema, rupeesSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

/** A claim as operators see it. */
const claimSchema = z.object({
  id: z.string(),
  status: z.enum(tdsStatuses),
  customerId: z.string(),
  customer: z.string(),
  gstin: z.string().nullable(),
  invoice: z.string(),
  taxableValue: rupeesSchema,
  amount: rupeesSchema,
  tan: z.string(),
  section: z.string(),
  quarter: z.string(),
  declaredOn: daySchema,
  /** Who pays the refund of an accepted claim, or would: Razorpay, or the provider by bank transfer. */
  payout: z.enum(['PROVIDER', 'TRANSFER']).nullable(),
  decidedOn: daySchema.nullable(),
  /** Why it was refused. */
  reason: z.string().nullable(),
  certificateName: z.string(),
  certificateType: z.string(),
});
export type ListedClaim = z.output<typeof claimSchema>;

export const listTdsClaims = defineOperatorCall({
  name: 'listTdsClaims',
  summary: 'The claims of all customers about tax that they deducted at source, oldest first',
  auth: 'operator',
  input: z.strictObject({
    /** All when not given. */
    status: z.enum(tdsStatuses).optional(),
  }),
  reply: z.array(claimSchema),
});

export const acceptTds = defineOperatorCall({
  name: 'acceptTds',
  summary: 'Accept a claim: its amount is refunded, and receivable from the Government',
  auth: 'operator',
  action: 'tds.accept',
  concerns: 'customer',
  input: z.strictObject({ claimId: z.string() }),
  reply: claimSchema,
});

export const refuseTds = defineOperatorCall({
  name: 'refuseTds',
  summary: 'Refuse a claim: the customer gets the reason, and can declare again',
  auth: 'operator',
  action: 'tds.refuse',
  concerns: 'customer',
  input: z.strictObject({ claimId: z.string() }),
  reply: claimSchema,
});

export const tdsCalls = { listTdsClaims, acceptTds, refuseTds };
