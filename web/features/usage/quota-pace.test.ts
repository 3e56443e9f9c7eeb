import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type QuotaPace, quotaPace } from '#shared/domain/quota-pace.ts';
import { paceOf } from '#web/features/usage/quota-pace.ts';

const hourMs = 3_600_000;
const midnight = Date.parse('2026-11-20T18:30:00Z');
const day = { since: midnight, renewsAt: midnight + 24 * hourMs };

test('600 of 1,000 calls by noon leave 400, which at 50 per hour run out at 20:00', () => {
  expect(quotaPace({ ...day, now: midnight + 12 * hourMs, calls: 600, remaining: 400 })).toEqual({
    ends: 'at',
    at: midnight + 20 * hourMs,
  });
});

test('a quota that resets before it runs out lasts', () => {
  expect(quotaPace({ ...day, now: midnight + 12 * hourMs, calls: 500, remaining: 500 })).toEqual({ ends: 'lasts' });
  expect(quotaPace({ ...day, now: midnight + 12 * hourMs, calls: 501, remaining: 499 })).toMatchObject({ ends: 'at' });
});

test('nothing left is used up, and no calls foretell nothing', () => {
  expect(quotaPace({ ...day, now: midnight + hourMs, calls: 0, remaining: 0 })).toEqual({ ends: 'used-up' });
  expect(quotaPace({ ...day, now: midnight + hourMs, calls: 0, remaining: 5 })).toEqual({ ends: 'unknown' });
});

test('the first call of a day does not foretell its end', () => {
  expect(quotaPace({ ...day, now: midnight + 10, calls: 1, remaining: 1440 })).toEqual({ ends: 'lasts' });
});

const endOf = (pace: QuotaPace) => (pace.ends === 'at' ? pace.at : Infinity);

test('a foretold end lies between now and the renewal, and more left never ends sooner', () => {
  const quotas = fc.record({
    remaining: fc.integer({ min: 1, max: 100_000 }),
    calls: fc.integer({ min: 1, max: 100_000 }),
    elapsed: fc.integer({ min: 0, max: 24 * hourMs - 1 }),
  });
  fc.assert(
    fc.property(quotas, ({ remaining, calls, elapsed }) => {
      const now = midnight + elapsed;
      const end = endOf(quotaPace({ ...day, now, calls, remaining }));
      expect(end === Infinity || (end > now && end < day.renewsAt)).toBe(true);
      expect(endOf(quotaPace({ ...day, now, calls, remaining: remaining + 1 }))).toBeGreaterThanOrEqual(end);
    }),
  );
});

test('the pace of a day is measured since midnight, that of a cycle over at most seven days of it', () => {
  const use = { quotaUsed: 0, quotaLimit: 0 };
  const insights = {
    graph: [
      { x: '2026-11-10', y: 9_999 },
      { x: '2026-11-15', y: 60 },
      { x: '2026-11-21', y: 18 },
    ],
    inUnits: false,
    canRecharge: false,
    dailyUse: { ...use, quotaRemaining: 9, renewsAt: '2026-11-21T18:30:00.000Z' },
    monthlyUse: { ...use, quotaRemaining: 12, renewsAt: '2026-12-01T18:30:00.000Z' },
    from: '2026-11-10',
    to: '2026-12-02',
    plan: 'Growth',
    monthlyPrice: 1499,
    // Noon in India.
    asOf: '2026-11-21T06:30:00.000Z',
  };
  // 18 in 12 hours: 9 more take 6. 78 in six and a half days: 12 more take one.
  expect(paceOf(insights, 'daily')).toEqual({ ends: 'at', at: Date.parse('2026-11-21T12:30:00Z') });
  expect(paceOf(insights, 'monthly')).toEqual({ ends: 'at', at: Date.parse('2026-11-22T06:30:00Z') });
});
