import { invoice } from '#tests/audit/sums/papers.ts';
import { businessHere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  buy,
  killPortal,
  minutes,
  orderOnly,
  payAway,
  razorpayIs,
  replay,
  restartDatabase,
  returnToPortal,
  settled,
  together,
  end,
} from '#tests/audit/steps/steps.ts';
import { refundOf, voucher } from '#tests/audit/sums/papers.ts';

const group = 'Reports that are lost, doubled, reordered; crashes';
const from = '2026-12-10';
const { supply } = businessHere;
const base = { group, from, buyer: businessHere };
const sold = { captured: 1499, papers: [invoice(from, 1499, supply)], cycles: ['PAID'] };
const advance = voucher(from, 1499, supply);
const cancelledAdvance = {
  captured: 1499,
  refunded: 1499,
  papers: [advance, refundOf(advance, from)],
  cycles: ['REFUNDED'],
};
const silent = razorpayIs({ webhooks: { enabled: false } });

export const reports: readonly Scenario[] = [
  {
    ...base,
    name: 'report-webhook-only',
    title: 'the browser never returns: the webhook alone',
    steps: [orderOnly('growth'), payAway()],
    expected: sold,
  },
  {
    ...base,
    name: 'report-browser-only',
    title: 'every webhook is lost: the browser alone',
    steps: [silent, buy('growth')],
    expected: sold,
  },
  {
    ...base,
    name: 'report-neither',
    title: 'no webhook and no browser: the portal asks Razorpay by itself',
    steps: [silent, orderOnly('growth'), payAway(), minutes(90)],
    expected: sold,
  },
  {
    ...base,
    name: 'report-doubled',
    title: 'each webhook comes six times',
    steps: [razorpayIs({ webhooks: { duplicates: 5 } }), buy('growth'), settled, replay({ times: 3 })],
    expected: sold,
  },
  {
    ...base,
    name: 'report-replayed-as-new',
    title: 'the webhooks come again with new event ids',
    steps: [buy('growth'), settled, replay({ times: 3, newEventIds: true })],
    expected: sold,
  },
  {
    ...base,
    name: 'report-reordered',
    title: 'webhooks come newest first: the order is paid before the payment is captured',
    steps: [razorpayIs({ webhooks: { shuffle: true, duplicates: 1 } }), orderOnly('growth'), payAway()],
    expected: sold,
  },
  {
    ...base,
    name: 'report-badly-signed',
    title: 'every webhook has a wrong signature: only the portal’s own question counts',
    steps: [razorpayIs({ webhooks: { signWith: 'wrong' } }), orderOnly('growth'), payAway(), silent, minutes(90)],
    expected: sold,
  },
  {
    ...base,
    name: 'report-refund-webhooks-doubled',
    title: 'the webhooks of a refund come six times, in any order',
    steps: [
      razorpayIs({ webhooks: { duplicates: 5, shuffle: true } }),
      buy('growth', { inDays: 5 }),
      settled,
      end(),
      settled,
      replay({ times: 2, newEventIds: true }),
    ],
    expected: cancelledAdvance,
  },
  {
    ...base,
    name: 'crash-after-payment',
    title: 'the portal is killed between payment and report',
    steps: [silent, orderOnly('growth'), payAway(), killPortal, returnToPortal()],
    expected: sold,
  },
  {
    ...base,
    name: 'crash-during-report',
    title: 'the portal is killed while it handles browser and webhook',
    steps: [orderOnly('growth'), payAway(), together(returnToPortal(), killPortal), minutes(90)],
    expected: sold,
  },
  {
    ...base,
    name: 'crash-during-refund',
    title: 'the portal is killed while it cancels and refunds',
    steps: [buy('growth', { inDays: 5 }), settled, end(), killPortal, minutes(90)],
    expected: cancelledAdvance,
  },
  {
    ...base,
    name: 'crash-of-database',
    title: 'PostgreSQL crashes after the payment, and the portal carries on with the next one',
    ownServer: true,
    steps: [orderOnly('growth'), payAway(), restartDatabase, returnToPortal()],
    expected: sold,
  },
  {
    ...base,
    name: 'crash-of-database-during-report',
    title: 'PostgreSQL crashes while the portal books a payment',
    ownServer: true,
    steps: [silent, orderOnly('growth'), payAway(), together(returnToPortal(), restartDatabase), minutes(90)],
    expected: sold,
  },
];
