import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { letterName, maxLetterChars } from '#shared/contract/tax-claims.ts';
import { daySchema, rupeesSchema } from '#shared/contract/values.ts';
import { letterTypes } from '#shared/domain/tax-claim.ts';
import { tanPattern, tdsSections, tdsStatuses } from '#shared/domain/tds.ts';

const quarterSchema = z
  .string()
  .regex(/^\d{4}-\d{2} Q[1-4]$/, 'must be a quarter of a financial year')
  .meta({ example: '2026-27 Q3' });

const tdsClaimSchema = z.object({
  id: z.string(),
  /** `WAITING` for our decision; `ACCEPTED`: the amount is refunded; `REFUSED`: for the reason. */
  status: z.enum(tdsStatuses),
  amount: rupeesSchema,
  tan: z.string(),
  /** Of the Income-tax Act 1961, or of 2025 for tax deducted from April 2026 on. */
  section: z.enum(tdsSections),
  quarter: quarterSchema,
  declaredOn: daySchema,
  certificateName: z.string(),
  decidedOn: daySchema.nullable(),
  reason: z.string().nullable(),
});
export type TdsClaim = z.output<typeof tdsClaimSchema>;

/** Tax deducted at source from a subscription's price (product §6.27). */
export const tdsSchema = z.object({
  /** Can it be declared now? A refused claim can be made again. */
  mayDeclare: z.boolean(),
  /** The most that can have been deducted; what was, if it was withheld. */
  maxAmount: rupeesSchema,
  /** It was withheld from the bank transfer that paid: the certificate is owed, and nothing is refunded. */
  isWithheld: z.boolean(),
  /** In which it can have been deducted, newest first. */
  quarters: z.array(quarterSchema),
  /** The newest claim. */
  claim: tdsClaimSchema.nullable(),
});
export type Tds = z.output<typeof tdsSchema>;

export const declareTds = defineCall({
  name: 'declareTds',
  summary:
    'Declare tax that you deducted at source (TDS) from the price of a subscription, with the certificate (PDF, JPEG or PNG, base64)',
  method: 'POST',
  path: '/billing/tds/:billingCycleId',
  auth: 'session',
  params: z.object({ billingCycleId: ids.cycle }),
  body: z.strictObject({
    tan: z.string().regex(tanPattern, 'must be a TAN: four letters, five digits, a letter'),
    amount: z.number().positive().max(100_000_000).multipleOf(0.01, 'must be whole paise'),
    quarter: quarterSchema,
    name: letterName,
    certificate: z.base64().min(1).max(maxLetterChars),
  }),
  reply: tdsSchema,
  refusals: [
    'not_found',
    'tds_not_declarable',
    'tds_too_much',
    'tds_wrong_quarter',
    'letter_unreadable',
    'too_many_requests',
  ],
});

export const readTdsCertificate = defineCall({
  name: 'readTdsCertificate',
  summary: 'Get the certificate of the newest TDS claim of a subscription (base64)',
  method: 'GET',
  path: '/billing/tds/:billingCycleId/certificate',
  auth: 'session',
  params: z.object({ billingCycleId: ids.cycle }),
  reply: z.object({ name: z.string(), type: z.enum(letterTypes), certificate: z.string() }),
  refusals: ['not_found'],
});
