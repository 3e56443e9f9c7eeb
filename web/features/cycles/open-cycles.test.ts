import { expect, test } from 'vitest';
import type { Cycle } from '#shared/contract/cycles.ts';
import { addDays } from '#shared/domain/day.ts';
import { openCycles } from '#web/features/cycles/open-cycles.ts';

const today = '2026-11-21';

function cycle(id: string, fromDate: string, status: Cycle['status'], days = 30): Cycle {
  const toDate = addDays(fromDate, days);
  return {
    id,
    name: 'Growth for 30 days',
    status,
    fromDate,
    toDate,
    price: 1499,
    changed: null,
    bill: null,
    taxableValue: 1270.34,
    gst: 228.66,
    createdAt: '2026-11-01T00:00:00.000Z',
    planId: 'growth',
    planName: 'Growth',
    billingStatus: 'PAID',
    phase: today < fromDate ? 'upcoming' : today < toDate ? 'running' : 'over',
    dailyQuota: 5000,
    monthlyQuota: 100_000,
    rps: 20,
    benefits: [],
    costs: [],
    operations: null,
    packs: [],
    raisedUnits: 0,
    packOffers: [],
    granted: null,
    payments: [],
    invoiceId: null,
    purchaseOrder: null,
    replaces: null,
  };
}

const owing = (of: Cycle, state: 'DUE' | 'OVERDUE' | 'STOPPED', dueOn: string): Cycle => ({
  ...of,
  bill: { state, owed: 1499, dueOn },
});

const running = cycle('running', '2026-11-03', 'PAID');
const prepaid = cycle('prepaid', '2026-12-03', 'PAID');
const pending = cycle('pending', '2027-01-02', 'PAYMENT_PENDING');

test('the running cycle is the Active Plan and the others follow in the order of their days', () => {
  const open = openCycles([running, pending, prepaid], today);
  expect(open.running?.id).toBe('running');
  expect(open.upcoming.map((each) => each.id)).toEqual(['prepaid', 'pending']);
  expect(open.payable?.id).toBe('pending');
  expect(open.coveredUntil).toBe('2027-01-02');
  expect(open.segments.map((segment) => segment.kind)).toEqual(['active', 'prepaid', 'pending']);
});

test('a subscription can be added only while no cycle is PAID', () => {
  expect(openCycles([running], today).canAdd).toBe(false);
  expect(openCycles([prepaid], today).canAdd).toBe(false);
  expect(openCycles([cycle('free', '2026-11-03', 'NO_PAYMENT_REQUIRED'), pending], today).canAdd).toBe(true);
  expect(openCycles([cycle('over', '2026-09-01', 'EXPIRED')], today).canAdd).toBe(true);
  expect(openCycles([], today).canAdd).toBe(true);
});

test('prepaying starts on the day after the last open cycle, paid or not', () => {
  expect(openCycles([running, prepaid], today).prepayFrom).toBe('2027-01-02');
  expect(openCycles([running, prepaid, pending], today).prepayFrom).toBe('2027-02-01');
  const waitingSwitch = { ...pending, replaces: 'running' };
  expect(openCycles([running, prepaid, waitingSwitch], today).prepayFrom).toBe('2027-01-02');
  expect(openCycles([pending], today).prepayFrom).toBe('2027-02-01');
  expect(openCycles([], today).prepayFrom).toBe(today);
});

test('a gap ends the coverage', () => {
  const late = cycle('late', '2026-12-10', 'PAID');
  expect(openCycles([running, late], today).coveredUntil).toBe('2026-12-03');
  expect(openCycles([late], today).coveredUntil).toBeUndefined();
});

test('ended cycles are history', () => {
  const ended = (['EXPIRED', 'DEACTIVATED', 'REMOVED', 'REFUNDED'] as const).map((status) =>
    cycle(status, '2026-11-10', status),
  );
  const open = openCycles(ended, today);
  expect(open.count).toBe(0);
  expect(open.taken).toEqual([]);
  expect(open.payable).toBeUndefined();
});

test('a cycle whose payment is being confirmed cannot be paid again', () => {
  const open = openCycles([cycle('confirming', today, 'PENDING')], today);
  expect(open.payable).toBeUndefined();
  expect(open.confirming?.id).toBe('confirming');
  expect(open.count).toBe(1);
});

test('an unpaid cycle stays open after its days have passed, since it keeps its length when it is paid', () => {
  const due = cycle('due', '2026-10-01', 'DUE');
  expect(openCycles([due], today).payable?.id).toBe('due');
});

test('an unpaid cycle that is not on sale any more as it was added stays in the list and can’t be paid', () => {
  const [changed, same] = [cycle('changed', '2026-11-21', 'DUE'), cycle('same', '2026-12-21', 'PAYMENT_PENDING')];
  const open = openCycles([{ ...changed, changed: { price: 2999 } }, same], today);
  expect(open.upcoming.map(({ id }) => id)).toEqual(['changed', 'same']);
  expect(open.payable?.id).toBe('same');
  expect(open.payableTogether).toEqual([]);
});

test('what is owed of a plan that is paid later is said, the oldest bill first, and a plan that is stopped covers nothing', () => {
  const over = owing(cycle('over', '2026-09-01', 'EXPIRED'), 'OVERDUE', '2026-10-01');
  const due = openCycles([owing(running, 'DUE', '2026-12-01'), owing(prepaid, 'DUE', '2026-12-02'), over], today);
  expect(due.billed.map(({ id }) => id)).toEqual(['over', 'running', 'prepaid']);
  expect(due.coveredUntil).toBe('2027-01-02');
  expect(due.segments.map(({ kind }) => kind)).toEqual(['active', 'pending']);
  const stopped = openCycles([owing(running, 'STOPPED', '2026-11-10'), prepaid], today);
  expect(stopped.coveredUntil).toBeUndefined();
  expect(stopped.segments.map(({ kind }) => kind)).toEqual(['pending', 'prepaid']);
});
