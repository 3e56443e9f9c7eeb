/**
 * The shares of a quota, in percent, at which customers are warned: by mails, webhooks, meters and reports. The database notes
 * the same ones (function `quota_steps_crossed`).
 */
export const quotaThresholds = [60, 80, 100] as const;
export type QuotaThreshold = (typeof quotaThresholds)[number];

/** True when the usage of a quota has reached a threshold; false for a quota of 0. */
export function hasReachedThreshold(used: number, limit: number, percent: QuotaThreshold): boolean {
  return limit > 0 && used * 100 >= limit * percent;
}

/** The highest threshold that the usage of a quota has reached; undefined below the first. */
export function highestThresholdReached(used: number, limit: number): QuotaThreshold | undefined {
  return quotaThresholds.findLast((percent) => hasReachedThreshold(used, limit, percent));
}
