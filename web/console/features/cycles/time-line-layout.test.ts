import { expect, test } from 'vitest';
import { timeLineLayout } from '#web/console/features/cycles/time-line-layout.ts';

const activation = {
  id: 'ACT-1',
  productId: 'search',
  createdAt: '2026-01-01T06:00:00Z',
  deletedAt: null,
  keysInUse: 1,
  mandate: null,
};
const cycle = {
  id: 'CYC-1',
  activationId: 'ACT-1',
  productId: 'search',
  planName: 'Growth',
  status: 'PAID',
  fromDate: '2026-01-01',
  toDate: '2026-01-31',
  price: 1499,
  granted: null,
  addsTo: null,
  replaces: null,
  createdAt: '2026-01-01T06:00:00Z',
  paidAt: '2026-01-01T06:05:00Z',
  endedAt: null,
  dailyQuota: 10,
  monthlyQuota: 100,
  callsPerSecond: 5,
  used: null,
};
const customer = { activations: [{ ...activation, plan: null }], payments: [], actions: [], blockedAt: null };
const today = '2026-01-16';

test('plans of an activation that share days get a lane each, with a look for what they are', () => {
  const cycles = [
    cycle,
    { ...cycle, id: 'CYC-2', status: 'PAYMENT_PENDING', fromDate: '2026-01-20', toDate: '2026-02-01' },
    { ...cycle, id: 'CYC-3', addsTo: 'CYC-1', planName: 'Pack' },
  ];
  const { rows, today: now } = timeLineLayout({ customer, cycles, refunds: [] }, today);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.lanes).toBe(3);
  const looks = rows[0]?.segments.map(({ segment, lane }) => [segment.id, segment.look, lane]);
  expect(looks).toEqual([
    ['CYC-1', 'paid', 0],
    ['CYC-3', 'pack', 1],
    ['CYC-2', 'unpaid', 2],
  ]);
  expect(now).toBeCloseTo((15 / 31) * 100, 1);
});

test('a promise to pay later is no payment', () => {
  const at = { cycleId: 'CYC-1', amount: 1499, status: 'captured', createdAt: '2026-01-01T06:05:00Z' };
  const payments = [
    { ...at, id: 'TRM-1', use: 'CYCLE' },
    { ...at, id: 'pay_1', use: 'DUE' },
  ];
  const { rows } = timeLineLayout({ customer: { ...customer, payments }, cycles: [cycle], refunds: [] }, today);
  expect(rows[0]?.marks.map(({ id }) => id)).toEqual(['pay_1']);
});

test('a plan that was ended early stops there, and one that is over is grey', () => {
  const ended = { ...cycle, status: 'DEACTIVATED', endedAt: '2026-01-11T06:00:00Z' };
  const bar = (of: Omit<typeof cycle, 'endedAt'> & { endedAt: string | null }) =>
    timeLineLayout({ customer, cycles: [of], refunds: [] }, today).rows[0]?.segments[0];
  expect(bar(ended)?.segment).toMatchObject({ look: 'ended', toDate: '2026-01-11' });
  const over = { ...cycle, fromDate: '2025-12-01', toDate: '2025-12-31' };
  expect(bar(over)?.segment.look).toBe('ended');
});

test('payments, refunds and grants are marks on their days, and a block lasts until its end', () => {
  const action = { actor: 'asha', target: '', customerId: 'CUS-1', reason: 'A test', effect: {} };
  const facts = {
    customer: {
      ...customer,
      payments: [
        {
          id: 'pay_1',
          cycleId: 'CYC-1',
          amount: 1499,
          status: 'captured',
          use: 'CYCLE',
          createdAt: '2026-01-01T06:05:00Z',
        },
        {
          id: 'pay_2',
          cycleId: 'CYC-1',
          amount: 1499,
          status: 'created',
          use: null,
          createdAt: '2026-01-02T06:05:00Z',
        },
      ],
      actions: [
        { ...action, position: 2, action: 'customers.unblock', at: '2026-01-09T06:00:00Z' },
        { ...action, position: 1, action: 'customers.block', at: '2026-01-05T06:00:00Z' },
      ],
    },
    cycles: [cycle, { ...cycle, id: 'CYC-2', granted: 'Sorry', fromDate: '2026-01-31', toDate: '2026-02-03' }],
    refunds: [
      {
        id: 'RFD-1',
        paymentId: 'pay_1',
        cycleId: 'CYC-1',
        currency: 'INR',
        amount: 100,
        status: 'PROCESSED',
        origin: 'OPERATOR',
        reason: 'Sorry',
        withheld: 0,
        offset: 0,
        payout: 'PROVIDER' as const,
        utr: null,
        refusal: null,
        createdAt: '2026-01-10T06:00:00Z',
        settledAt: null,
      },
    ],
  };
  const { rows, blocks } = timeLineLayout(facts, today);
  expect(rows[0]?.marks.map(({ kind, on, amount }) => [kind, on, amount])).toEqual([
    ['paid', '2026-01-01', 1499],
    ['refund', '2026-01-10', 100],
    ['grant', '2026-01-01', null],
  ]);
  expect(blocks.map(({ segment }) => segment)).toMatchObject([{ fromDate: '2026-01-05', toDate: '2026-01-09' }]);
});
