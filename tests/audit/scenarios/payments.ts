import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, voucher } from '#tests/audit/sums/papers.ts';
import { consumerElsewhere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  authorizeLate,
  buy,
  deleteAll,
  end,
  minutes,
  orderOnly,
  payAway,
  razorpayIs,
  reopen,
  returnToPortal,
  settled,
  together,
} from '#tests/audit/steps/steps.ts';

const group = 'Payments that go astray';
const from = '2026-12-10';
const { supply } = consumerElsewhere;
const base = { group, from, buyer: consumerElsewhere };
const sold = { captured: 1499, papers: [invoice(from, 1499, supply)], cycles: ['PAID'] };
const soldAndRefunded = { ...sold, captured: 2998, refunded: 1499 };
const refundedOnly = { captured: 1499, refunded: 1499, papers: [] };

export const payments: readonly Scenario[] = [
  {
    ...base,
    name: 'payment-captured-twice',
    title: 'two tabs pay one order: one payment is kept, the other refunded',
    steps: [razorpayIs({ captureTwice: true }), buy('growth')],
    expected: soldAndRefunded,
  },
  {
    ...base,
    name: 'payment-reported-five-times',
    title: 'the browser reports one payment five times',
    steps: [orderOnly('growth'), payAway(), returnToPortal(-1, 5)],
    expected: sold,
  },
  {
    ...base,
    name: 'payment-two-orders-same-days',
    title: 'two orders for the same days are both paid: the second starts when the first ends',
    steps: [
      orderOnly('growth'),
      orderOnly('growth'),
      payAway({}, 0),
      returnToPortal(0),
      payAway({}, 1),
      returnToPortal(1),
    ],
    expected: {
      captured: 2998,
      papers: [invoice(from, 1499, supply), voucher(from, 1499, supply)],
      cycles: ['PAID', 'PAID'],
    },
  },
  {
    ...base,
    name: 'payment-two-tabs-at-once',
    title: 'two tabs open the checkout and return at the same moment',
    steps: [
      orderOnly('growth'),
      together(reopen(), reopen()),
      payAway(),
      together(returnToPortal(), returnToPortal(), returnToPortal()),
    ],
    expected: sold,
  },
  {
    ...base,
    name: 'payment-late-authorisation',
    title: 'a UPI payment fails, and the bank authorises it an hour later',
    steps: [orderOnly('growth'), payAway({ method: 'upi', outcome: 'late-authorisation' }), minutes(120)],
    expected: sold,
  },
  {
    ...base,
    name: 'payment-late-next-day',
    title: 'the bank authorises a payment on the next day: the plan starts then',
    steps: [
      orderOnly('growth'),
      payAway({ method: 'upi', outcome: 'pending' }),
      minutes(24 * 60),
      authorizeLate(),
      settled,
    ],
    expected: { captured: 1499, papers: [invoice(daysAfter(from, 1), 1499, supply)], cycles: ['PAID'] },
  },
  {
    ...base,
    name: 'payment-failed-then-captured',
    title: 'a declined card, then a good one, on the same order',
    steps: [orderOnly('growth'), payAway({ outcome: 'card_declined' }), payAway(), returnToPortal()],
    expected: sold,
  },
  {
    ...base,
    name: 'payment-first-late-second-paid',
    title: 'a pending payment is authorised after a second one has paid the order',
    steps: [
      orderOnly('growth'),
      payAway({ method: 'upi', outcome: 'pending' }),
      payAway(),
      returnToPortal(),
      settled,
      authorizeLate(-1, 0),
      minutes(60),
    ],
    expected: soldAndRefunded,
  },
  {
    ...base,
    name: 'payment-after-removal',
    title: 'a payment succeeds after its subscription was removed',
    steps: [orderOnly('growth'), payAway({ method: 'upi', outcome: 'pending' }), end(), authorizeLate()],
    expected: { ...refundedOnly, cycles: ['REMOVED'] },
  },
  {
    ...base,
    name: 'payment-after-deletion',
    title: 'a payment succeeds after the activation was deleted',
    steps: [orderOnly('growth'), payAway({ method: 'upi', outcome: 'pending' }), deleteAll, authorizeLate()],
    expected: { ...refundedOnly, cycles: ['REMOVED'] },
  },
  {
    ...base,
    name: 'payment-wrong-amount',
    title: 'Razorpay captures another amount than the order’s',
    steps: [orderOnly('growth'), razorpayIs({ captureWrongAmountPaise: 777 }), payAway()],
    expected: { captured: 7.77, refunded: 7.77, papers: [], cycles: ['PAYMENT_PENDING'] },
  },
  {
    ...base,
    name: 'payment-order-response-lost',
    title: 'Razorpay creates the order, but responds with an error: the portal finds it',
    steps: [razorpayIs({ ordersCreate: 'fail-after-create-500' }), orderOnly('growth'), payAway(), returnToPortal()],
    expected: sold,
  },
  {
    ...base,
    name: 'payment-declined-only',
    title: 'a declined card and no other attempt',
    steps: [orderOnly('growth'), payAway({ outcome: 'insufficient_fund' })],
    expected: { captured: 0, papers: [], cycles: ['PAYMENT_PENDING'] },
  },
];
