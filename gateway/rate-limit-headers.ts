import { daysBetween } from '#domain/day.ts';
import { remainingOf } from '#domain/quota.ts';
import { msUntilNextFree, remainingCalls } from '#domain/rate-limit.ts';
import type { AccessCycle } from './access-cache.ts';
import type { BookLease, QuotaBook } from './quota-book.ts';
import type { StoredCycle } from './store.ts';

/** The quotas as draft-ietf-httpapi-ratelimit-headers tells them, and the three older fields. */

export const rateLimitFields = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** The policies of a plan and of a key's own cap. "monthly" belongs to the billing cycle (D7), whose length in days never changes. */
export function rateLimitPolicy(cycle: StoredCycle, dailyCap: number | null): string {
  const cycleSeconds = daysBetween(cycle.fromDate, cycle.toDate) * 86_400;
  return `"second";q=${cycle.rps};w=1, "daily";q=${cycle.dailyQuota};w=86400, "monthly";q=${cycle.monthlyQuota};w=${cycleSeconds}${dailyCap === null ? '' : `, "key";q=${dailyCap};w=86400`}`;
}

/** Whole seconds from now until an instant, rounded up. */
export function secondsUntil(instantMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((instantMs - nowMs) / 1000));
}

/** What the fields of one answer tell, and when. */
export interface Standing {
  cycle: AccessCycle;
  book: QuotaBook;
  lease: BookLease;
  /** Epoch milliseconds. */
  dayEndsAt: number;
  nowMs: number;
  /** Now, by the monotonic clock. */
  elapsedMs: number;
}

/**
 * The fields of one answer, as a flat list: what may still be called after it. With several gateways, what the others hold without
 * having used it is not included. The older fields speak of the day, or of the cycle when that has less left; their reset is in
 * epoch seconds.
 */
export function rateLimitHeaders({ cycle, book, lease, dayEndsAt, nowMs, elapsedMs }: Standing): string[] {
  const second = `"second";r=${remainingCalls(book.window, elapsedMs)};t=${Math.ceil(msUntilNextFree(book.window, elapsedMs) / 1000)}`;
  if (lease.grantedAtMs === 0) return ['RateLimit-Policy', cycle.policy, 'RateLimit', second];
  let { daily, monthly } = remainingOf(lease);
  if (book.leases.length > 1) {
    // Units that this process holds for other keys are not used yet.
    for (const other of book.leases) {
      if (other === lease) continue;
      if (other.day === lease.day) daily += other.available;
      if (other.cycleId === lease.cycleId) monthly += other.available;
    }
  }
  const daySeconds = secondsUntil(dayEndsAt, nowMs);
  const cycleSeconds = secondsUntil(cycle.endsAt, nowMs);
  const scarce = monthly < daily;
  return [
    'RateLimit-Policy',
    cycle.policy,
    'RateLimit',
    `${second}, "daily";r=${daily};t=${daySeconds}, "monthly";r=${monthly};t=${cycleSeconds}${keyPart(lease, daySeconds)}`,
    'X-RateLimit-Limit',
    String(scarce ? cycle.monthlyQuota : cycle.dailyQuota),
    'X-RateLimit-Remaining',
    String(scarce ? monthly : daily),
    'X-RateLimit-Reset',
    String(Math.ceil((scarce ? cycle.endsAt : dayEndsAt) / 1000)),
  ];
}

function keyPart(lease: BookLease, daySeconds: number): string {
  if (lease.keyId === '') return '';
  return `, "key";r=${lease.keyLeft + lease.available};t=${daySeconds}`;
}
