/** Quotas that an operator raised (product §7.11). */

/** Far more than any plan; keeps quotas within a whole number of the database. */
export const maxRaise = 1_000_000_000;

/** Both quotas of a cycle, and the units that operators added to them. */
interface Quotas {
  daily: number;
  monthly: number;
  raised: number;
}

/**
 * The quotas after some units were added, or taken back when negative; `daily` and `monthly` include what was `raised` before. Undefined when it
 * is no whole number of units, would be below what was sold, or beyond the largest raise.
 */
export function raisedQuotas({ daily, monthly, raised, units }: Quotas & { units: number }): Quotas | undefined {
  const after = raised + units;
  if (!Number.isSafeInteger(units) || units === 0 || after < 0 || after > maxRaise) return undefined;
  return { daily: daily + units, monthly: monthly + units, raised: after };
}
