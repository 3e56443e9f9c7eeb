import { type Day, daysBetween } from '#shared/domain/day.ts';
import { monthlyResetsAt, remainingOf } from '#shared/domain/quota.ts';
import { msUntilNextFree, remainingCalls } from '#shared/domain/rate-limit.ts';
import type { BookLease, HeaderParts, QuotaBook } from './book.ts';

/** The headers of draft-ietf-httpapi-ratelimit-headers, and the three older X-RateLimit headers. */

export const rateLimitHeaderNames = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** The units that a call used, where calls may cost more or less than one. */
export const unitsHeader = 'Octroi-Units';

/** The limits of a cycle. */
interface CycleTerms {
  fromDate: Day;
  /** The day after its last. */
  toDate: Day;
  dailyQuota: number;
  monthlyQuota: number;
  rps: number;
  /** Not null: quotas are in units, since some calls cost more or less than one. */
  costs: unknown;
}

/** The limits of a key, beside those of its plan. */
interface KeyTerms {
  dailyCap: number | null;
  maker: { dailyLimit: number } | null;
}

/**
 * The start of a cycle's headers, up to the first number that changes: the policies of its plan, of the key's cap and of the limit of its maker.
 * "monthly" belongs to the billing cycle (product §7.1), whose length in days never changes.
 */
export function buildRateLimitPrefix(cycle: CycleTerms, { dailyCap, maker }: KeyTerms): string {
  const cycleSeconds = daysBetween(cycle.fromDate, cycle.toDate) * 86_400;
  const of = cycle.costs === null ? '' : ';qu="units"';
  const key = dailyCap === null ? '' : `, "key";q=${dailyCap}${of};w=86400`;
  const member = maker === null ? '' : `, "member";q=${maker.dailyLimit}${of};w=86400`;
  return `RateLimit-Policy: "second";q=${cycle.rps};w=1, "daily";q=${cycle.dailyQuota}${of};w=86400, "monthly";q=${cycle.monthlyQuota}${of};w=${cycleSeconds}${key}${member}\r\nRateLimit: "second";r=`;
}

/** Whole seconds from now until an instant, rounded up. */
export function secondsUntil(instantMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((instantMs - nowMs) / 1000));
}

/** The part of a cycle that the headers depend on. */
interface LimitedCycle extends Pick<CycleTerms, 'dailyQuota' | 'monthlyQuota'> {
  /** Epoch milliseconds at which its last day ends. */
  endsAt: number;
  /** Epoch milliseconds at which the window of free quota ends in which it started; null if it started in none. */
  windowEndsAt: number | null;
  /** The constant start of the headers. */
  rateLimitPrefix: string;
}

/** The state that the headers of one response describe. */
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

function headerPartsOf({ cycle, lease, dayEndsAt, nowMs }: QuotaState, byCycle: boolean): HeaderParts {
  const resetsAt = monthlyResetsAt(cycle.endsAt, cycle.windowEndsAt, nowMs);
  const cycleSeconds = secondsUntil(resetsAt, nowMs);
  const limit = byCycle ? cycle.monthlyQuota : cycle.dailyQuota;
  const cached = lease.headerParts;
  if (cached?.cycleSeconds === cycleSeconds && cached.byCycle === byCycle && cached.limit === limit) return cached;
  const daySeconds = secondsUntil(dayEndsAt, nowMs);
  const afterMonthly = `;t=${cycleSeconds}`;
  const beforeLeft = `\r\nX-RateLimit-Limit: ${limit}\r\nX-RateLimit-Remaining: `;
  const withKey = lease.keyId !== '';
  return (lease.headerParts = {
    cycleSeconds,
    byCycle,
    limit,
    afterDaily: `;t=${daySeconds}, "monthly";r=`,
    afterMonthly: withKey ? afterMonthly : afterMonthly + beforeLeft,
    afterKey: `;t=${daySeconds}`,
    beforeLeft,
    end: `\r\nX-RateLimit-Reset: ${Math.ceil((byCycle ? resetsAt : dayEndsAt) / 1000)}\r\n`,
  });
}

/**
 * The serialized headers of one response: the units left after it. Unused units that other gateways hold are not included. The X-RateLimit
 * headers describe the day, or the cycle if it has less left; their reset is in epoch seconds.
 */
export function rateLimitHeaders(state: QuotaState): string {
  const { cycle, book, lease, elapsedMs } = state;
  const freeSeconds = Math.ceil(msUntilNextFree(book.window, elapsedMs) / 1000);
  const second = `${cycle.rateLimitPrefix}${remainingCalls(book.window, elapsedMs)};t=${freeSeconds}`;
  if (lease.grantedAtMs === 0) return `${second}\r\n`;
  let { daily, monthly } = remainingOf(lease);
  if (book.leases.length > 1) {
    // Units that this process holds for other keys are still unused.
    for (const other of book.leases) {
      if (other === lease) continue;
      if (other.day === lease.day) daily += other.available;
      if (other.cycleId === lease.cycleId) monthly += other.available;
    }
  }
  const byCycle = monthly < daily;
  const { afterDaily, afterMonthly, afterKey, beforeLeft, end } = headerPartsOf(state, byCycle);
  const limits = `${second}, "daily";r=${daily}${afterDaily}${monthly}${afterMonthly}`;
  const left = byCycle ? monthly : daily;
  if (lease.keyId === '') return `${limits}${left}${end}`;
  const ofKey = Number.isFinite(lease.keyLeft) ? `, "key";r=${lease.keyLeft + lease.available}${afterKey}` : '';
  const ofMember = Number.isFinite(lease.memberLeft)
    ? `, "member";r=${lease.memberLeft + lease.available}${afterKey}`
    : '';
  return `${limits}${ofKey}${ofMember}${beforeLeft}${left}${end}`;
}
