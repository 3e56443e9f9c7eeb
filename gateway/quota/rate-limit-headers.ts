import { type Day, daysBetween } from '#domain/day.ts';
import { remainingOf } from '#domain/quota.ts';
import { msUntilNextFree, remainingCalls } from '#domain/rate-limit.ts';
import type { BookLease, HeaderParts, QuotaBook } from './book.ts';

/** The quotas as draft-ietf-httpapi-ratelimit-headers tells them, and the three older fields. */

export const rateLimitHeaderNames = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** What a plan allows in a cycle. */
interface CycleTerms {
  fromDate: Day;
  /** The day after its last. */
  toDate: Day;
  dailyQuota: number;
  monthlyQuota: number;
  rps: number;
}

/**
 * How the lines of a cycle begin, up to the first number that changes: the policies of its plan and of a key's own cap, and the first of what
 * is left. "monthly" belongs to the billing cycle (product §7.1), whose length in days never changes.
 */
export function buildRateLimitPrefix(cycle: CycleTerms, dailyCap: number | null): string {
  const cycleSeconds = daysBetween(cycle.fromDate, cycle.toDate) * 86_400;
  return `RateLimit-Policy: "second";q=${cycle.rps};w=1, "daily";q=${cycle.dailyQuota};w=86400, "monthly";q=${cycle.monthlyQuota};w=${cycleSeconds}${dailyCap === null ? '' : `, "key";q=${dailyCap};w=86400`}\r\nRateLimit: "second";r=`;
}

/** Whole seconds from now until an instant, rounded up. */
export function secondsUntil(instantMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((instantMs - nowMs) / 1000));
}

/** A cycle, as its quota headers need it. */
interface LimitedCycle extends Pick<CycleTerms, 'dailyQuota' | 'monthlyQuota'> {
  /** Epoch milliseconds at which its last day ends. */
  endsAt: number;
  /** How the lines about its quotas begin. */
  rateLimitPrefix: string;
}

/** What the fields of one answer tell, and when. */
export interface QuotaState {
  cycle: LimitedCycle;
  book: QuotaBook;
  lease: BookLease;
  /** Epoch milliseconds. */
  dayEndsAt: number;
  nowMs: number;
  /** Now, by the monotonic clock. */
  elapsedMs: number;
}

function piecesOf({ cycle, lease, dayEndsAt, nowMs }: QuotaState, byCycle: boolean): HeaderParts {
  const cycleSeconds = secondsUntil(cycle.endsAt, nowMs);
  const limit = byCycle ? cycle.monthlyQuota : cycle.dailyQuota;
  const known = lease.headerParts;
  if (known?.cycleSeconds === cycleSeconds && known.byCycle === byCycle && known.limit === limit) return known;
  const daySeconds = secondsUntil(dayEndsAt, nowMs);
  const afterMonthly = `;t=${cycleSeconds}`;
  const beforeLeft = `\r\nX-RateLimit-Limit: ${limit}\r\nX-RateLimit-Remaining: `;
  const withKey = lease.keyId !== '';
  return (lease.headerParts = {
    cycleSeconds,
    byCycle,
    limit,
    afterDaily: `;t=${daySeconds}, "monthly";r=`,
    afterMonthly: withKey ? `${afterMonthly}, "key";r=` : afterMonthly + beforeLeft,
    beforeLeft: withKey ? `;t=${daySeconds}${beforeLeft}` : '',
    end: `\r\nX-RateLimit-Reset: ${Math.ceil((byCycle ? cycle.endsAt : dayEndsAt) / 1000)}\r\n`,
  });
}

/**
 * The fields of one answer, as lines: what may still be called after it. With several gateways, what the others hold without
 * having used it is not included. The older fields speak of the day, or of the cycle when that has less left; their reset is in
 * epoch seconds.
 */
export function rateLimitHeaders(standing: QuotaState): string {
  const { cycle, book, lease, elapsedMs } = standing;
  const freeSeconds = Math.ceil(msUntilNextFree(book.window, elapsedMs) / 1000);
  const second = `${cycle.rateLimitPrefix}${remainingCalls(book.window, elapsedMs)};t=${freeSeconds}`;
  if (lease.grantedAtMs === 0) return `${second}\r\n`;
  let { daily, monthly } = remainingOf(lease);
  if (book.leases.length > 1) {
    // Units that this process holds for other keys are not used yet.
    for (const other of book.leases) {
      if (other === lease) continue;
      if (other.day === lease.day) daily += other.available;
      if (other.cycleId === lease.cycleId) monthly += other.available;
    }
  }
  const byCycle = monthly < daily;
  const { afterDaily, afterMonthly, beforeLeft, end } = piecesOf(standing, byCycle);
  const limits = `${second}, "daily";r=${daily}${afterDaily}${monthly}${afterMonthly}`;
  const left = byCycle ? monthly : daily;
  if (lease.keyId === '') return `${limits}${left}${end}`;
  return `${limits}${lease.keyLeft + lease.available}${beforeLeft}${left}${end}`;
}
