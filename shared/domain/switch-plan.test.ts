import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cycleFrom, overlaps } from '#shared/domain/cycle.ts';
import { addDays } from '#shared/domain/day.ts';
import { planSwitch } from '#shared/domain/switch-plan.ts';

const today = '2026-11-23';
const running = { ...cycleFrom('2026-11-10', 30), status: 'PAID' as const };

test('a switch starts today with all its days and ends the running plan', () => {
  expect(planSwitch(30, running, [], today)).toEqual({ dates: cycleFrom(today, 30), endsReplaced: true });
  const free = { ...running, status: 'NO_PAYMENT_REQUIRED' as const };
  expect(planSwitch(90, free, [], today)).toEqual({ dates: cycleFrom(today, 90), endsReplaced: true });
});

test('a switch is not made when a prepaid plan covers some of its days', () => {
  const prepaid = cycleFrom('2026-12-10', 30);
  expect(planSwitch(17, running, [prepaid], today)).toEqual({ dates: cycleFrom(today, 17), endsReplaced: true });
  expect(planSwitch(18, running, [prepaid], today)).toBeUndefined();
});

test('a plan that has ended by itself is not ended again', () => {
  expect(planSwitch(30, running, [], '2026-12-10')).toMatchObject({ endsReplaced: false });
  const deactivated = { ...running, status: 'DEACTIVATED' as const };
  expect(planSwitch(30, deactivated, [], today)).toMatchObject({ endsReplaced: false });
});

test('whatever runs and is prepaid, no day is covered twice after a switch', () => {
  const span = fc.tuple(fc.integer({ min: -40, max: 60 }), fc.integer({ min: 1, max: 60 }));
  const status = fc.constantFrom('PAID', 'NO_PAYMENT_REQUIRED', 'DEACTIVATED', 'REFUNDED');
  fc.assert(
    fc.property(
      span,
      status,
      fc.array(span, { maxLength: 3 }),
      fc.integer({ min: 1, max: 90 }),
      (r, state, more, days) => {
        const replaced = { ...cycleFrom(addDays(today, r[0]), r[1]), status: state };
        const others = more.map(([offset, length]) => cycleFrom(addDays(today, offset), length));
        const made = planSwitch(days, replaced, others, today);
        if (made === undefined) return;
        expect(made.dates).toEqual(cycleFrom(today, days));
        const staying = state === 'PAID' || state === 'NO_PAYMENT_REQUIRED' ? [replaced] : [];
        const after = made.endsReplaced ? others : [...others, ...staying];
        expect(after.some((other) => overlaps(other, made.dates))).toBe(false);
      },
    ),
  );
});
