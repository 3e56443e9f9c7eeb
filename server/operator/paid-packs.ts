import type { CycleRecord } from '#server/features/cycles/cycles.ts';

/** A pack of a plan that the customer paid for and did not get back: the plan doesn't end by the operator while it has one. */
export const findPaidPack = ({ packs }: CycleRecord): string | undefined =>
  packs.find(({ row }) => row.status === 'PAID' && row.price_paise > row.given_back_paise)?.row.id;
