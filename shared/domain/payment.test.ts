import { expect, test } from 'vitest';
import {
  bounds,
  type CaptureFacts,
  type OrderedCycle,
  movesForward,
  nextCheckAfterMs,
  retryBackoffMs,
  paymentStatuses,
  paymentStatusOf,
  tooManyPaid,
  whyRefunded,
} from '#shared/domain/payment.ts';

test('an order is checked at 5 s, 15 s, 1, 5 and 15 minutes, then hourly for five days', () => {
  const at: number[] = [];
  for (let done = 0, now = 0; ; done += 1) {
    const wait = nextCheckAfterMs(done);
    if (wait === undefined) break;
    now += wait;
    at.push(now / 1000);
  }
  expect(at.slice(0, 8)).toEqual([5, 15, 60, 300, 900, 4500, 8100, 11_700]);
  expect(at.slice(5).every((second, index) => second === 900 + 3600 * (index + 1))).toBe(true);
  expect(at.at(-1)).toBeLessThanOrEqual(5 * 86_400);
  expect(at.at(-1)).toBeGreaterThan(5 * 86_400 - 3600);
});

test('back-off doubles from 2 seconds, up to an hour', () => {
  expect([0, 1, 2, 3].map(retryBackoffMs)).toEqual([2000, 4000, 8000, 16_000]);
  expect(retryBackoffMs(10_000)).toBe(3_600_000);
});

test('a payment moves from created over failed and authorised to captured, and never back', () => {
  for (const [earlier, from] of paymentStatuses.entries()) {
    for (const [later, to] of paymentStatuses.entries()) expect(movesForward(from, to)).toBe(later > earlier);
  }
});

test.each([
  ['created', 'created'],
  ['failed', 'failed'],
  ['authorized', 'authorized'],
  ['captured', 'captured'],
  ['refunded', 'captured'],
  ['something new', 'created'],
])('the provider’s status %s is stored as %s', (provider, stored) => {
  expect(paymentStatusOf(provider)).toBe(stored);
});

const ordered = (change: Partial<OrderedCycle> = {}): OrderedCycle => ({
  status: 'PAYMENT_PENDING',
  orderedPaise: 149_900,
  duePaise: 149_900,
  pricePaise: 149_900,
  ...change,
});

const good: CaptureFacts = {
  orderPaise: 149_900,
  orderCurrency: 'INR',
  paidPaise: 149_900,
  paidCurrency: 'INR',
  isGone: false,
  cycles: [ordered()],
  isActivationDeleted: false,
  isBlocked: false,
  debitIsVoid: undefined,
  isSwitchBlocked: false,
  isPackLate: false,
  isPackOfStopped: false,
  paidInLastHour: 0,
};

test.each<[string, Partial<CaptureFacts>, string | undefined]>([
  ['everything matches', {}, undefined],
  ['one paisa is missing', { paidPaise: 149_899 }, 'The amount differs from the order'],
  ['one paisa is too many', { paidPaise: 149_901 }, 'The amount differs from the order'],
  ['it is another currency', { paidCurrency: 'USD' }, 'The amount differs from the order'],
  ['the provider refunded it', { isGone: true }, 'The payment provider gave it back'],
  ['the activation is gone', { isActivationDeleted: true }, 'The activation was deleted'],
  ['a switch cannot start today', { isSwitchBlocked: true }, 'Another plan covers the days of the new one'],
  ['its pack adds to what has ended', { isPackLate: true }, 'The plan that the pack adds to has ended'],
  [
    'its pack adds to what is refused',
    { isPackOfStopped: true },
    'A bill is overdue, so calls of the plan that the pack adds to are refused',
  ],
  ['the cycle is paid', { cycles: [ordered({ status: 'PAID' })] }, 'The subscription was paid already'],
  ['the cycle was removed', { cycles: [ordered({ status: 'REMOVED' })] }, 'The subscription was removed'],
  ['the cycle was deactivated', { cycles: [ordered({ status: 'DEACTIVATED' })] }, 'The subscription was removed'],
  ['the cycle was refunded', { cycles: [ordered({ status: 'REFUNDED' })] }, 'The subscription was removed'],
  ['the price has changed', { cycles: [ordered({ duePaise: 149_901 })] }, 'The price changed before it was paid'],
  [
    'another period is paid',
    { cycles: [ordered(), ordered({ status: 'PAID' })] },
    'One of the subscriptions was paid already',
  ],
  [
    'another period was removed',
    { cycles: [ordered(), ordered({ status: 'REMOVED' })] },
    'One of the subscriptions was removed',
  ],
  [
    'another period has a new price',
    { cycles: [ordered(), ordered({ pricePaise: 1 })] },
    'The price changed before it was paid',
  ],
  ['all of several periods are unpaid', { cycles: [ordered(), ordered(), ordered()] }, undefined],
  ['one below the limit', { paidInLastHour: bounds.paymentsPerHour - 1 }, undefined],
  ['at the limit', { paidInLastHour: bounds.paymentsPerHour }, tooManyPaid],
])('captured money when %s', (_what, facts, reason) => {
  expect(whyRefunded({ ...good, ...facts })).toBe(reason);
});
