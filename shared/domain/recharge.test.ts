import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, dayOf, laterDay, startOfDay } from '#shared/domain/day.ts';
import {
  askedBeforeMs,
  lastAskedBeforeMs,
  leftOfMonth,
  rechargeNoticeMs,
  type RechargeStep,
  rechargeStep,
  unitsEndAt,
} from '#shared/domain/recharge.ts';
import { agreed } from '#shared/domain/test-recharge.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const begin = startOfDay('2026-11-01');
const until = startOfDay('2026-12-01');

/** The units of each day that are used by `usedBy`, which counts from the beginning of the plan. */
function usedOn(since: number, now: number, usedBy: (at: number) => number): Map<string, number> {
  const days = new Map<string, number>();
  for (let day = laterDay(dayOf(since), addDays(dayOf(now), -7)); day <= dayOf(now); day = addDays(day, 1)) {
    const from = Math.max(since, startOfDay(day));
    days.set(day, usedBy(Math.min(now, startOfDay(addDays(day, 1)))) - usedBy(from));
  }
  return days;
}

interface Done {
  at: number;
  step: RechargeStep;
  left: number;
}

/** A plan of 30 days whose units are used by `usedBy`, looked at again and again; what is asked for is never paid. */
function play(since: number, quota: number, usedBy: (at: number) => number, everyMs: number): Done[] {
  const done: Done[] = [];
  let { shortage } = agreed;
  for (let now = since; now < until; now += everyMs) {
    const used = usedBy(now);
    const remaining = Math.max(0, quota - used);
    const endsAt = unitsEndAt({ now, since, until, remaining, usedOn: usedOn(since, now, usedBy) });
    const step = rechargeStep({ ...agreed, endsAt, shortage }, now);
    if (step.do === 'nothing') continue;
    done.push({ at: now, step, left: (endsAt ?? now) - now });
    if (step.do === 'ask')
      shortage = {
        state: 'ASKED',
        reason: null,
        paise: step.paise,
        toldAt: shortage?.toldAt ?? 0,
        isOfNow: true,
        isUntold: false,
      };
    if (step.do === 'announce')
      shortage = { state: 'ANNOUNCED', reason: null, paise: step.paise, toldAt: now, isOfNow: true, isUntold: false };
    if (step.do === 'withhold')
      shortage = { state: 'WITHHELD', reason: step.reason, paise: 9_900, toldAt: now, isOfNow: true, isUntold: false };
  }
  return done;
}

test('at a steady rate a shortage is told once and asked for once, a day later, 36 to 60 hours before its end', () => {
  const lives = fc.record({
    sinceHours: fc.integer({ min: 0, max: 47 }),
    /** Until the units end. */
    lastsHours: fc.integer({ min: 5 * 24, max: 26 * 24 }),
    quota: fc.integer({ min: 5_000, max: 2_000_000 }),
    // Rounds run every minute; a clock that is moved stops at each midnight.
    everyHours: fc.constantFrom(1, 2, 5, 12, 24),
  });
  fc.assert(
    fc.property(lives, ({ sinceHours, lastsHours, quota, everyHours }) => {
      const since = begin + sinceHours * hourMs;
      const end = since + lastsHours * hourMs;
      const usedBy = (at: number) => Math.floor((quota * Math.max(0, at - since)) / (lastsHours * hourMs));
      const done = play(since, quota, usedBy, everyHours * hourMs);
      expect(done.map(({ step }) => step.do)).toEqual(['announce', 'ask']);
      const [told, asked] = done;
      const left = end - (asked?.at ?? 0);
      // One unit takes so long, and is counted when it is over.
      const unitMs = (lastsHours * hourMs) / quota + 1;
      expect(left).toBeLessThanOrEqual(askedBeforeMs + 100 * unitMs);
      expect(left).toBeGreaterThanOrEqual(lastAskedBeforeMs - 100 * unitMs);
      expect((asked?.at ?? 0) - (told?.at ?? 0)).toBeGreaterThanOrEqual(rechargeNoticeMs);
    }),
  );
});

test('units that last until the last day of the plan are never recharged', () => {
  fc.assert(
    fc.property(fc.integer({ min: 30, max: 400 }), fc.integer({ min: 5_000, max: 1_000_000 }), (days, quota) => {
      const usedBy = (at: number) => Math.floor((quota * (at - begin)) / (days * dayMs));
      expect(play(begin, quota, usedBy, 6 * hourMs)).toEqual([]);
    }),
  );
});

test('a burst that ends the units sooner is told before they end, and nothing is asked for', () => {
  const bursts = fc.record({
    day: fc.integer({ min: 4, max: 20 }),
    quietShare: fc.integer({ min: 10, max: 50 }),
    hours: fc.integer({ min: 3, max: 20 }),
    quota: fc.integer({ min: 10_000, max: 1_000_000 }),
  });
  fc.assert(
    fc.property(bursts, ({ day, quietShare, hours, quota }) => {
      const burstFrom = begin + day * dayMs;
      const quiet = (quota * quietShare) / 100;
      // At the quiet rate the units last for more than 30 days.
      const usedBy = (at: number) => {
        const before = (quiet * Math.min(at - begin, burstFrom - begin)) / (30 * dayMs);
        const left = quota - (quiet * day) / 30;
        return Math.floor(before + Math.min(left, (left * Math.max(0, at - burstFrom)) / (hours * hourMs)));
      };
      const done = play(begin, quota, usedBy, hourMs);
      expect(done.map(({ step }) => step)).toEqual([{ do: 'withhold', reason: 'too_soon' }]);
      expect(done[0]?.at).toBeLessThan(burstFrom + hours * hourMs);
    }),
  );
});

test('whatever is used, a shortage is asked for once at most, told a day before, and only while the bank can answer', () => {
  const use = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 120, maxLength: 120 });
  fc.assert(
    fc.property(
      use,
      fc.integer({ min: 1_000, max: 40_000 }),
      fc.integer({ min: 1, max: 30 }),
      (perQuarter, quota, hours) => {
        let sum = 0;
        const sums = [0, ...perQuarter.map((units) => (sum += units))];
        const usedBy = (at: number) => {
          const quarters = Math.max(0, (at - begin) / (6 * hourMs));
          const [from, to] = [sums[Math.floor(quarters)] ?? sums.at(-1) ?? 0, sums[Math.floor(quarters) + 1]];
          return Math.min(quota, Math.floor(from + ((to ?? from) - from) * (quarters % 1)));
        };
        const done = play(begin, quota, usedBy, hours * hourMs);
        const asked = done.findIndex(({ step }) => step.do === 'ask');
        expect(done.filter(({ step }) => step.do === 'ask').length).toBeLessThanOrEqual(1);
        expect(asked === -1 || asked === done.length - 1).toBe(true);
        const [told, ask] = asked === -1 ? [] : [done[asked - 1], done[asked]];
        expect(told?.step.do ?? 'announce').toBe('announce');
        expect((ask?.at ?? dayMs) - (told?.at ?? 0)).toBeGreaterThanOrEqual(rechargeNoticeMs);
        expect(ask?.left ?? lastAskedBeforeMs).toBeGreaterThanOrEqual(lastAskedBeforeMs);
        expect(ask?.left ?? askedBeforeMs).toBeLessThanOrEqual(askedBeforeMs);
      },
    ),
  );
});

test('no sum of debits is above what was agreed to for a month, whenever each is asked for and taken', () => {
  const wishes = fc.array(
    fc.record({
      waitHours: fc.integer({ min: 0, max: 200 }),
      answerHours: fc.integer({ min: 1, max: 120 }),
      paise: fc.integer({ min: 100, max: 60_000 }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(wishes, fc.integer({ min: 100, max: 100_000 }), (wanted, monthlyPaise) => {
      let now = begin;
      const kept: { paise: number; askedAt: number; endedAt: number }[] = [];
      for (const { waitHours, answerHours, paise } of wanted) {
        // One at a time, as the provider takes them.
        now = Math.max(now, kept.at(-1)?.endedAt ?? now) + waitHours * hourMs;
        if (leftOfMonth(monthlyPaise, kept, { askedAt: now, endedAt: null }) < paise) continue;
        const endedAt = now + answerHours * hourMs;
        if (leftOfMonth(monthlyPaise, kept, { askedAt: now, endedAt }) >= paise)
          kept.push({ paise, askedAt: now, endedAt });
      }
      const months = new Set(
        kept.flatMap(({ askedAt, endedAt }) => [askedAt, endedAt]).map((at) => dayOf(at).slice(0, 7)),
      );
      for (const month of months) {
        const taken = kept.filter(({ endedAt }) => dayOf(endedAt).startsWith(month));
        expect(taken.reduce((sum, { paise }) => sum + paise, 0)).toBeLessThanOrEqual(monthlyPaise);
      }
    }),
  );
});
