import { z } from 'zod';
import { daySchema, instantSchema } from '#shared/contract/values.ts';
import { letterTypes } from '#shared/domain/tax-claim.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';

/** What the GST portal says of a GSTIN: UNIT and DEVELOPER confirm an SEZ. */
const outcomeSchema = z.enum(['UNIT', 'DEVELOPER', 'OTHER', 'INACTIVE', 'UNKNOWN']);

const claimSchema = z.object({
  customerId: z.string(),
  customer: z.string(),
  kind: z.enum(['SEZ', 'EXPORT']),
  /** The GSTIN of the SEZ, or the country. */
  about: z.string(),
  /** The declaration with its letter; null while there is none. */
  declared: z.object({ claimId: z.string(), on: daySchema, letterName: z.string() }).nullable(),
  /** The newest answer of the GST portal about the SEZ; null while there is none. */
  checked: z.object({ at: instantSchema, outcome: outcomeSchema, type: z.string() }).nullable(),
  /** Sales bear no tax, or that of the letter of undertaking. */
  isProven: z.boolean(),
});
export type ListedTaxClaim = z.output<typeof claimSchema>;

export const listTaxClaims = defineOperatorCall({
  name: 'listTaxClaims',
  summary: 'Customers who claim to be an SEZ or abroad, with what proves it: the GST portal’s answer, or a declaration',
  auth: 'operator',
  input: z.strictObject({
    /** All customers when not given. */
    customerId: z.string().optional(),
    ...pageInput,
  }),
  reply: z.object({ claims: z.array(claimSchema), next: nextSchema }),
});

export const readClaimLetter = defineOperatorCall({
  name: 'readClaimLetter',
  summary: 'The letter of a declaration, in base64',
  auth: 'operator',
  input: z.strictObject({ claimId: z.string() }),
  reply: z.object({
    claimId: z.string(),
    customerId: z.string(),
    name: z.string(),
    type: z.enum(letterTypes),
    letter: z.string(),
  }),
});

export const checkSez = defineOperatorCall({
  name: 'checkSez',
  summary: 'Ask the GST portal again whether a customer is an SEZ; its answer decides the tax of the next payment',
  auth: 'operator',
  action: 'sez.check',
  concerns: 'customer',
  input: z.strictObject({ customerId: z.string() }),
  reply: z.object({
    customerId: z.string(),
    gstin: z.string(),
    /** The answer before; null without one. */
    before: outcomeSchema.nullable(),
    /** The new answer; null in a preview. */
    outcome: outcomeSchema.nullable(),
    /** The type of registration, as the GST portal writes it. */
    type: z.string().nullable(),
  }),
});

export const taxClaimCalls = { listTaxClaims, readClaimLetter, checkSez };
