import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { daySchema, doneSchema } from '#shared/contract/values.ts';
import { safeFileName } from '#shared/domain/file-name.ts';
import { letterTypes, maxLetterBytes } from '#shared/domain/tax-claim.ts';

/** The most characters of a letter in base64. */
export const maxLetterChars = Math.ceil(maxLetterBytes / 3) * 4;

/** The name of an uploaded file, made safe. */
export const letterName = z.string().trim().min(1).overwrite(safeFileName).max(120);

const taxClaimSchema = z.object({
  /** What the business profile claims, and has to prove; null when it claims nothing. */
  needed: z.object({ kind: z.enum(['SEZ', 'EXPORT']), about: z.string() }).nullable(),
  /**
   * What the GST portal last said of an SEZ's GSTIN; null when it was not asked or did not answer. UNIT and DEVELOPER confirm the claim, so
   * that no declaration is needed; anything else contradicts it.
   */
  checked: z
    .object({ on: daySchema, outcome: z.enum(['UNIT', 'DEVELOPER', 'OTHER', 'INACTIVE', 'UNKNOWN']), type: z.string() })
    .nullable(),
  /** The declaration for it; null when it is missing: tax is then charged as if nothing was claimed. */
  declared: z
    .object({ declaredOn: z.string(), name: z.string(), type: z.enum(letterTypes), bytes: z.int() })
    .nullable(),
});
export type TaxClaimState = z.output<typeof taxClaimSchema>;

export const readTaxClaim = defineCall({
  name: 'readTaxClaim',
  summary: 'Get what the business profile claims about tax (SEZ or export), and the declaration for it',
  method: 'GET',
  path: '/account/tax-claim',
  auth: 'session',
  reply: taxClaimSchema,
  refusals: [],
});

export const declareTaxClaim = defineCall({
  name: 'declareTaxClaim',
  summary:
    'Declare, dated today, that the claim of the business profile is true, with a letter (PDF, JPEG or PNG, base64)',
  method: 'PUT',
  path: '/account/tax-claim',
  auth: 'session',
  body: z.strictObject({ name: letterName, letter: z.base64().min(1).max(maxLetterChars) }),
  reply: taxClaimSchema,
  refusals: [
    'nothing_claimed',
    'letter_unreadable',
    'too_many_letters',
    'sez_not_confirmed',
    'sez_checked_too_often',
    'too_many_requests',
  ],
});

export const withdrawTaxClaim = defineCall({
  name: 'withdrawTaxClaim',
  summary: 'Withdraw the declaration; documents that were issued keep their tax',
  method: 'DELETE',
  path: '/account/tax-claim',
  auth: 'session',
  reply: doneSchema,
  refusals: ['nothing_claimed'],
});

export const readTaxLetter = defineCall({
  name: 'readTaxLetter',
  summary: 'Get the uploaded letter (base64)',
  method: 'GET',
  path: '/account/tax-claim/letter',
  auth: 'session',
  /** Null without a declaration. */
  reply: z.object({
    file: z.object({ name: z.string(), type: z.enum(letterTypes), letter: z.string() }).nullable(),
  }),
  refusals: [],
});
