import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cycleFrom } from '#shared/domain/cycle.ts';
import { addDays } from '#shared/domain/day.ts';
import type { OpenBillState } from '#shared/domain/pay-later.ts';
import { refusedCalls } from '#shared/domain/refused-calls.ts';

const today = '2026-11-23';
const running = { ...cycleFrom('2026-11-01', 30), bill: null };
const next = { ...cycleFrom('2026-12-07', 30), bill: null };
const bill = (state: OpenBillState) => ({ bill: { state } });
const left = { daily: 5, monthly: 50 };

test('calls are not refused while a plan runs and both quotas have calls left', () => {
  expect(refusedCalls([running], left, today)).toBeUndefined();
});

test('without a running plan calls are refused until the next one that is paid starts', () => {
  expect(refusedCalls([], left, today)).toEqual({ reason: 'no-plan', until: null });
  expect(refusedCalls([next], left, today)).toEqual({ reason: 'no-plan', until: '2026-12-07' });
});

test('a used-up daily quota refuses calls until midnight, or until the next plan when this is the last day', () => {
  const used = { daily: 0, monthly: 50 };
  expect(refusedCalls([running, next], used, today)).toEqual({ reason: 'daily-quota', until: '2026-11-24' });
  expect(refusedCalls([running, next], used, '2026-11-30')).toEqual({ reason: 'daily-quota', until: '2026-12-07' });
  expect(refusedCalls([running], used, '2026-11-30')).toEqual({ reason: 'daily-quota', until: null });
});

test('a used-up monthly quota refuses calls until the next plan starts', () => {
  const used = { daily: 5, monthly: 0 };
  expect(refusedCalls([running, next], used, today)).toEqual({ reason: 'monthly-quota', until: '2026-12-07' });
  expect(refusedCalls([running], used, today)).toEqual({ reason: 'monthly-quota', until: null });
});

test('a plan whose bill is overdue for too long refuses calls until the next one starts that is not stopped', () => {
  for (const state of ['STOPPED', 'WRITTEN_OFF'] as const) {
    const stopped = { ...running, ...bill(state) };
    expect(refusedCalls([stopped], left, today)).toEqual({ reason: 'unpaid-bill', until: null });
    expect(refusedCalls([stopped, next], left, today)).toEqual({ reason: 'unpaid-bill', until: '2026-12-07' });
    expect(refusedCalls([{ ...next, ...bill(state) }], left, today)).toEqual({ reason: 'no-plan', until: null });
  }
  for (const state of ['DUE', 'OVERDUE'] as const)
    expect(refusedCalls([{ ...running, ...bill(state) }], left, today)).toBeUndefined();
});

test('whatever the cycles, refusals end on a later day on which a plan gives access', () => {
  const cycles = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 40 })), { maxLength: 4 });
  const quota = fc.integer({ min: 0, max: 2 });
  fc.assert(
    fc.property(cycles, quota, quota, (drawn, daily, monthly) => {
      const granting = drawn.map(([offset, days]) => ({
        ...cycleFrom(addDays('2026-11-01', offset), days),
        bill: null,
      }));
      const until = refusedCalls(granting, { daily, monthly }, today)?.until;
      if (until === undefined || until === null) return;
      expect(until > today).toBe(true);
      expect(granting.some((cycle) => cycle.fromDate <= until && until < cycle.toDate)).toBe(true);
    }),
  );
});
