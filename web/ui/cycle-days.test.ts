import { expect, test } from 'vitest';
import { cycleFrom } from '#shared/domain/cycle.ts';
import { daysOf, daysText } from '#web/ui/cycle-days.ts';

test('one day is not days', () => {
  expect([0, 1, 12].map(daysText)).toEqual(['0 days', '1 day', '12 days']);
});

const cycle = (status: 'PAID' | 'DUE', fromDate: string) => ({ status, replaces: null, ...cycleFrom(fromDate, 30) });

test('an unpaid cycle names the days that it gets when it is paid today, and no end that nobody has bought', () => {
  const today = '2026-11-23';
  expect(daysOf(cycle('PAID', '2026-11-13'), today, [])).toBe('13 Nov – 12 Dec 2026 (30 days)');
  expect(daysOf(cycle('DUE', '2026-11-13'), today, [])).toBe('30 days from the day you pay');
  expect(daysOf(cycle('DUE', '2026-12-01'), today, [])).toBe('1 Dec – 30 Dec 2026 (30 days)');
  const running = cycleFrom('2026-11-20', 30);
  expect(daysOf(cycle('DUE', '2026-11-13'), today, [running])).toBe('20 Dec 2026 – 18 Jan 2027 (30 days)');
});

test('an unpaid switch starts on the day of its payment, whatever runs', () => {
  const waiting = { ...cycle('DUE', '2026-11-13'), replaces: 'CYC-1' };
  expect(daysOf(waiting, '2026-11-23', [cycleFrom('2026-11-01', 30)])).toBe('30 days from the day you pay');
});
