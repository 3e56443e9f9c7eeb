import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startOfDay } from '#shared/domain/day.ts';
import { remainingCalls } from '#shared/domain/rate-limit.ts';
import { addLease, createBook } from './book.ts';
import { buildRateLimitPrefix, rateLimitHeaders } from './rate-limit-headers.ts';

const midnight = startOfDay('2026-11-23');
const stored = {
  id: 'CYC-1',
  status: 'PAID',
  fromDate: '2026-11-01',
  toDate: '2026-12-01',
  rps: 5,
  planId: 'growth',
  planName: 'Growth',
  costs: null,
} as const;

const calls = fc.array(
  fc.record({
    /** Time since the previous call; may cross midnight. */
    laterMs: fc.oneof(fc.nat(300), fc.nat(3000), fc.nat(40_000_000)),
    daily: fc.constantFrom(100, 200),
    monthly: fc.constantFrom(150, 1000),
    available: fc.nat(20),
    dayLeft: fc.nat(80),
    cycleLeft: fc.nat(80),
    keyLeft: fc.nat(30),
    memberLeft: fc.nat(40),
  }),
  { minLength: 1, maxLength: 20 },
);

test('each response of any sequence of calls has the limits, remaining calls and resets of its own time', () => {
  fc.assert(
    fc.property(calls, fc.boolean(), fc.boolean(), (some, isCapped, isLimited) => {
      const keyId = isCapped || isLimited ? 'KEY-1' : '';
      const book = createBook('ACT-1', 5);
      const lease = addLease(book, 'CYC-1', '2026-11-22', keyId);
      lease.grantedAtMs = 1;
      let nowMs = midnight - 60_000_000;
      for (const { laterMs, daily, monthly, available, dayLeft, cycleLeft, keyLeft, memberLeft } of some) {
        nowMs += laterMs;
        Object.assign(lease, { available, dayLeft, cycleLeft });
        if (isCapped) lease.keyLeft = keyLeft;
        if (isLimited) lease.memberLeft = memberLeft;
        const quotas = { ...stored, dailyQuota: daily, monthlyQuota: monthly };
        const endsAt = startOfDay(stored.toDate);
        const rateLimitPrefix = buildRateLimitPrefix(quotas, {
          dailyCap: isCapped ? 30 : null,
          maker: isLimited ? { dailyLimit: 40 } : null,
        });
        const cycle = { ...quotas, startsAt: startOfDay(stored.fromDate), endsAt, windowEndsAt: null, rateLimitPrefix };
        const lines = rateLimitHeaders({ cycle, book, lease, dayEndsAt: midnight, nowMs, elapsedMs: 0 });
        const [day, month] = [dayLeft + available, cycleLeft + available];
        const daySeconds = Math.max(0, Math.ceil((midnight - nowMs) / 1000));
        const beside = (name: string, limit: number, rest: number): [string, string] => [
          `, "${name}";q=${limit};w=86400`,
          `, "${name}";r=${rest + available};t=${daySeconds}`,
        ];
        const own = [
          ...(isCapped ? [beside('key', 30, keyLeft)] : []),
          ...(isLimited ? [beside('member', 40, memberLeft)] : []),
        ];
        const ofKey = [own.map(([policy]) => policy).join(''), own.map(([, left]) => left).join('')];
        expect(lines.split('\r\n')).toEqual([
          `RateLimit-Policy: "second";q=5;w=1, "daily";q=${daily};w=86400, "monthly";q=${monthly};w=2592000${ofKey[0]}`,
          `RateLimit: "second";r=${remainingCalls(book.window, 0)};t=0, "daily";r=${day};t=${daySeconds}, "monthly";r=${month};t=${Math.max(0, Math.ceil((endsAt - nowMs) / 1000))}${ofKey[1]}`,
          `X-RateLimit-Limit: ${month < day ? monthly : daily}`,
          `X-RateLimit-Remaining: ${Math.min(day, month)}`,
          `X-RateLimit-Reset: ${(month < day ? endsAt : midnight) / 1000}`,
          '',
        ]);
      }
    }),
  );
});
