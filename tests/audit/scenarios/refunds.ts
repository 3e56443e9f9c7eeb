import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { invoice, invoiceOf, note, refundOf, rest, voucher } from '#tests/audit/sums/papers.ts';
import { businessHere, consumerElsewhere, consumerHere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  become,
  buy,
  days,
  end,
  minutes,
  orderOnly,
  payAway,
  pollLists,
  razorpayIs,
  refundAtRazorpay,
  refundIs,
  returnToPortal,
  settled,
} from '#tests/audit/steps/steps.ts';

const group = 'Refunds';
const from = '2026-12-10';
const { supply } = consumerElsewhere;
const sold = invoice(from, 1499, supply);
const advance = voucher(from, 1499, supply);
const partOfAdvance = refundOf(advance, from, 500);
const base = { group, from, buyer: consumerElsewhere };
const silent = { webhooks: { enabled: false } };
const gone = { captured: 1499, refunded: 1499, cycles: ['REFUNDED'] };
const cancelledAdvance = { ...gone, papers: [advance, refundOf(advance, from)] };

export const refunds: readonly Scenario[] = [
  {
    ...base,
    name: 'refund-whole-at-razorpay',
    title: 'the whole price is refunded on Razorpay’s dashboard, which ends the plan',
    steps: [buy('growth'), settled, refundAtRazorpay()],
    expected: { ...gone, papers: [sold, note(sold, from)] },
  },
  {
    ...base,
    name: 'refund-part-at-razorpay',
    title: 'a part is refunded on the dashboard; the plan goes on',
    steps: [buy('growth'), settled, refundAtRazorpay(333.33)],
    expected: { captured: 1499, refunded: 333.33, papers: [sold, note(sold, from, 333.33)], cycles: ['PAID'] },
  },
  {
    ...base,
    name: 'refund-in-three-parts',
    title: 'three parts, of which the last ends the plan; each has its credit note in two halves',
    buyer: businessHere,
    steps: [
      buy('growth'),
      settled,
      refundAtRazorpay(100.01),
      settled,
      refundAtRazorpay(1.01),
      settled,
      refundAtRazorpay(),
    ],
    expected: (() => {
      const one = invoice(from, 1499, businessHere.supply);
      const parts = [note(one, from, 100.01), note(one, from, 1.01)];
      return { ...gone, papers: [one, ...parts, rest(note(one, from, 1397.98), parts)] };
    })(),
  },
  {
    ...base,
    name: 'refund-found-in-list',
    title: 'every webhook about the refund is lost: the portal finds it in Razorpay’s list',
    steps: [buy('growth'), settled, razorpayIs(silent), refundAtRazorpay(500), pollLists],
    expected: { captured: 1499, refunded: 500, papers: [sold, note(sold, from, 500)], cycles: ['PAID'] },
  },
  {
    ...base,
    name: 'refund-of-advance-at-razorpay',
    title: 'an advance is refunded whole on the dashboard: a refund voucher',
    steps: [buy('growth', { inDays: 10 }), settled, refundAtRazorpay()],
    expected: cancelledAdvance,
  },
  {
    ...base,
    name: 'refund-part-of-advance',
    title: 'a part of an advance is refunded; the rest is invoiced at the start in the next month',
    steps: [buy('growth', { inDays: 30 }), settled, refundAtRazorpay(500), days(30)],
    expected: {
      captured: 1499,
      refunded: 500,
      papers: [advance, refundOf(advance, from, 500), invoiceOf(advance, daysAfter(from, 30), 999)],
      cycles: ['PAID'],
    },
  },
  {
    ...base,
    name: 'refund-part-then-move',
    title: 'the same, and the buyer has moved to the supplier’s State: the advance is deducted where it was reported',
    steps: [buy('growth', { inDays: 30 }), settled, refundAtRazorpay(500), settled, become(consumerHere), days(30)],
    expected: {
      captured: 1499,
      refunded: 500,
      papers: [
        advance,
        refundOf(advance, from, 500),
        invoiceOf(advance, daysAfter(from, 30), 999, consumerHere.supply),
      ],
      cycles: ['PAID'],
    },
  },
  {
    ...base,
    name: 'refund-before-settling',
    title: 'Razorpay refunds a payment before the portal has heard of it: it pays for nothing',
    steps: [razorpayIs(silent), orderOnly('growth'), payAway(), refundAtRazorpay(), returnToPortal()],
    expected: { captured: 1499, refunded: 1499, papers: [], cycles: ['PAYMENT_PENDING'] },
  },
  {
    ...base,
    name: 'refund-part-then-cancel',
    title: 'an advance is refunded in part, then cancelled: only the rest goes back',
    steps: [buy('growth', { inDays: 10 }), settled, refundAtRazorpay(500), settled, end()],
    expected: { ...gone, papers: [advance, partOfAdvance, rest(refundOf(advance, from, 999), [partOfAdvance])] },
  },
  {
    ...base,
    name: 'refund-pending',
    title: 'a refund is still on its way: due in the ledger, not yet paid',
    steps: [razorpayIs({ refunds: 'pending' }), buy('growth', { inDays: 10 }), end()],
    expected: { ...cancelledAdvance, refunded: 0, owed: 1499 },
  },
  {
    ...base,
    name: 'refund-pending-then-processed',
    title: 'Razorpay completes a pending refund later',
    steps: [razorpayIs({ refunds: 'pending' }), buy('growth', { inDays: 10 }), end(), settled, refundIs('process')],
    expected: cancelledAdvance,
  },
  {
    ...base,
    name: 'refund-fails-then-retried',
    title: 'a refund fails at the bank, and the portal makes another',
    steps: [
      razorpayIs({ refunds: 'fail' }),
      buy('growth', { inDays: 10 }),
      end(),
      settled,
      razorpayIs({}),
      refundIs('fail'),
      settled,
      minutes(60),
    ],
    expected: cancelledAdvance,
  },
  {
    ...base,
    name: 'refund-without-balance',
    title: 'the account lacks the balance at first',
    steps: [
      razorpayIs({ refunds: 'insufficient-balance' }),
      buy('growth', { inDays: 10 }),
      end(),
      settled,
      razorpayIs({}),
      minutes(120),
    ],
    expected: cancelledAdvance,
  },
  {
    ...base,
    name: 'refund-response-lost',
    title: 'Razorpay makes the refund, but its response is lost: it is not made twice',
    steps: [
      razorpayIs({ refunds: 'timeout-after-create' }),
      buy('growth', { inDays: 10 }),
      end(),
      settled,
      razorpayIs({}),
      minutes(120),
    ],
    expected: cancelledAdvance,
  },
];
