import { expect, test } from 'vitest';
import { dismissedUntil, failedElsewhere, type PaidCycle } from './failed-elsewhere.ts';

const payment = (at: string, status: string, reason: string | null = null) => ({
  paymentCreatedAt: `2026-11-24T${at}:00.000Z`,
  status,
  reason,
});
const cycle = (id: string, payments: PaidCycle['payments'], status: PaidCycle['status'] = 'PAYMENT_PENDING') => ({
  changed: null,
  id,
  status,
  payments,
});
const at = (time: string) => Date.parse(`2026-11-24T${time}:00.000Z`);

test('the latest failed payment of all unpaid cycles is told with its reason', () => {
  const cycles = [
    cycle('A', [payment('10:00', 'failed', 'Declined.')]),
    cycle('B', [payment('11:00', 'failed', 'Expired.')], 'DUE'),
    cycle('C', [payment('12:00', 'failed')], 'REMOVED'),
  ];
  expect(failedElsewhere(cycles, 0)).toEqual({ cycleId: 'B', reason: 'Expired.' });
});

test('a failed payment that a later one of its cycle followed is not told', () => {
  const payments = [payment('10:00', 'failed'), payment('10:05', 'refunded')];
  expect(failedElsewhere([cycle('A', payments)], 0)).toBeUndefined();
  expect(failedElsewhere([cycle('A', [payment('10:00', 'failed')], 'PAID')], 0)).toBeUndefined();
});

test('a failed payment is told until the customer has dealt with it, and a later one again', () => {
  const payments = [payment('10:00', 'failed', 'Declined.')];
  expect(failedElsewhere([cycle('A', payments)], at('10:01'))).toBeUndefined();
  const later = [...payments, payment('10:02', 'failed')];
  expect(failedElsewhere([cycle('A', later)], at('10:01'))).toEqual({ cycleId: 'A', reason: '' });
});

test('a payment that began in the second in which the one before was dealt with is told: the provider knows no fractions', () => {
  const payments = [payment('10:00', 'failed', 'Declined.')];
  expect(failedElsewhere([cycle('A', payments)], at('10:00') + 700)).toEqual({ cycleId: 'A', reason: 'Declined.' });
  expect(failedElsewhere([cycle('A', payments)], at('10:00') + 1000)).toBeUndefined();
});

test('a dismissed payment is not told, also one of the same second or of a clock that is ahead', () => {
  const failed = [cycle('A', [payment('10:00', 'failed', 'Declined.')])];
  for (const now of [at('10:00') + 700, at('10:00') - 5000, at('10:01')]) {
    expect(failedElsewhere(failed, dismissedUntil(now, failed))).toBeUndefined();
  }
});
