import { z } from 'zod';
import { rupeesSchema } from '#shared/contract/values.ts';

/** What ending plans does to the renewal of their activation, said before it is done. Apart from the calls of renewals, which few pages make. */
export const renewalEffectShape = {
  /** `ends`: the plan renews no more; `skips`: the next debit. */
  renewal: z.enum(['ends', 'skips']).nullable(),
  /** What the bank was asked for already: if it still debits it, it is refunded. In rupees. */
  debitAmount: rupeesSchema.nullable(),
};
const renewalEffectSchema = z.object(renewalEffectShape);
export type RenewalEffect = z.output<typeof renewalEffectSchema>;
