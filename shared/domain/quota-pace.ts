/** When a quota ends if calls go on as they do now. */
export type QuotaPace =
  /** It is used up already. */
  | { ends: 'used-up' }
  /** Instant in epoch milliseconds, before it renews. */
  | { ends: 'at'; at: number }
  /** It lasts until it resets. */
  | { ends: 'lasts' }
  /** There were no calls to reckon with. */
  | { ends: 'unknown' };

/**
 * When a quota runs out at the current pace, which is `calls` in the time from `since` to `now`. Instants are epoch
 * milliseconds; a span of less than a minute counts as a minute, so that the first call of a day does not foretell its end.
 */
export function quotaPace(quota: {
  remaining: number;
  calls: number;
  since: number;
  now: number;
  renewsAt: number;
}): QuotaPace {
  const { remaining, calls, since, now, renewsAt } = quota;
  if (remaining <= 0) return { ends: 'used-up' };
  if (calls <= 0) return { ends: 'unknown' };
  const spanMs = Math.max(now - since, 60_000);
  const at = now + Math.ceil((remaining * spanMs) / calls);
  return at < renewsAt ? { ends: 'at', at } : { ends: 'lasts' };
}

/** How many days back the pace of a plan's quota is measured, at most. */
export const paceDays = 7;
