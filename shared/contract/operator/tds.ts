import { z } from 'zod';
import { letterTypes } from '#shared/domain/tax-claim.ts';
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
  /** Who pays the refund of an accepted claim, or would: Razorpay, or the provider by bank transfer. Nobody where the tax was withheld from a transfer. */
  payout: z.enum(['PROVIDER', 'TRANSFER', 'WITHHELD', 'OFFSET']).nullable(),
  decidedOn: daySchema.nullable(),
  /** Why it was refused. */
  reason: z.string().nullable(),
  certificateName: z.string(),
  certificateType: z.enum(letterTypes),
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

const ofClaim = z.strictObject({ claimId: z.string() });

export const readCertificate = defineOperatorCall({
  name: 'readCertificate',
  summary: 'The certificate of a TDS claim (PDF, JPEG or PNG, base64), to be compared with its numbers and Form 26AS',
  auth: 'operator',
  input: ofClaim,
  reply: z.object({
    claimId: z.string(),
    customerId: z.string(),
    /** Ours, and not that of the customer. */
    name: z.string(),
    type: z.enum(letterTypes),
    certificate: z.string(),
  }),
});

export const acceptTds = defineOperatorCall({
  name: 'acceptTds',
  summary: 'Accept a claim: its amount is refunded, and receivable from the Government',
  auth: 'operator',
  action: 'tds.accept',
  concerns: 'customer',
  input: ofClaim,
  reply: claimSchema.extend({
    /** What it pays out: of tax that was withheld from a bank transfer, as much as a refund had reversed before. */
    refund: rupeesSchema,
    /** What of it lowers a bill that is paid later, instead. */
    offset: rupeesSchema,
    /** The held bank transfer that pays the bill by it, as it was less by exactly this tax. */
    settles: z.string().nullable(),
  }),
});
export type AcceptedClaim = z.output<typeof acceptTds.reply>;

export const refuseTds = defineOperatorCall({
  name: 'refuseTds',
  summary: 'Refuse a claim: the customer gets the reason, and can declare again',
  auth: 'operator',
  action: 'tds.refuse',
  concerns: 'customer',
  input: ofClaim,
  reply: claimSchema,
});

export const tdsCalls = { listTdsClaims, readCertificate, acceptTds, refuseTds };
