import { z } from 'zod';
import { daySchema, rupeesSchema } from '#shared/contract/values.ts';

/** What ending plans, or giving days, does to the renewal of their activation, said before it is done. Apart from the calls of renewals, which few pages make. */
export const renewalEffectShape = {
  /** `ends`: the plan renews no more; `skips`: the next debit; `moves`: the next debit pays for the period from `renewsFrom` on. */
  renewal: z.enum(['ends', 'skips', 'moves']).nullable(),
  /** The first day of the period that is renewed then; only where it moves. */
  renewsFrom: daySchema.nullable(),
  /** What the bank was asked for already: if it still debits it, it is refunded; where the renewal moves, it pays for that period. In rupees. */
  debitAmount: rupeesSchema.nullable(),
};
const renewalEffectSchema = z.object(renewalEffectShape);
export type RenewalEffect = z.output<typeof renewalEffectSchema>;

export const noRenewalEffect: RenewalEffect = { renewal: null, renewsFrom: null, debitAmount: null };
