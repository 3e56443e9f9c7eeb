/** Packs: units that are added to a running cycle's quota (decision 046). */

/** A pack as the catalogue offers it with a plan. */
export interface PackOffer {
  packId: string;
  name: string;
  units: number;
  /** As listed, in paise; taxed like the plan. */
  pricePaise: number;
}

/**
 * The packs of which no unit was taken, when `taken` units beyond the cycle's own quotas were. Packs are used up in the order in which
 * they were bought.
 */
export function untouchedPacks<P extends { units: number }>(packs: readonly P[], taken: number): P[] {
  let before = 0;
  return packs.filter(({ units }) => {
    const isUntouched = before >= taken;
    before += units;
    return isUntouched;
  });
}
