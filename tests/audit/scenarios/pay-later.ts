import { invoice, note } from '#tests/audit/sums/papers.ts';
import { allowLater, beginLater, transferRefund, writeOff } from '#tests/audit/steps/credit-steps.ts';
import { businessElsewhere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  days,
  dispute,
  disputeIs,
  end,
  orderOnly,
  payAway,
  pollLists,
  refundAtRazorpay,
  reopen,
  returnToPortal,
  settled,
} from '#tests/audit/steps/steps.ts';
import { giveBack, record } from '#tests/audit/steps/transfer-steps.ts';
import { daysAfter } from '#tests/audit/sums/arithmetic.ts';

const group = 'Pay later on terms';
const from = '2026-12-10';
const { supply } = businessElsewhere;
/** With the vouchers for Tally. */
const base = { group, from, buyer: businessElsewhere };
const sold = invoice(from, 1499, supply);
const begun = [allowLater(5000, 30, 15), orderOnly('growth'), beginLater];
const payBill = [reopen(), payAway(), returnToPortal(), settled];
const halves = [note(sold, from, 499), note(sold, daysAfter(from, 2), 200)] as const;

export const payLater: readonly Scenario[] = [
  {
    ...base,
    name: 'later-unpaid',
    title: 'a plan is begun on terms and not paid: its tax is due in its month, and its price stands as owed',
    steps: [...begun, days(35)],
    expected: { captured: 0, receivable: 1499, papers: [sold], cycles: ['EXPIRED'], renewals: [] },
  },
  {
    ...base,
    name: 'later-paid',
    title: 'a plan is begun in December and paid in January: one invoice, and no second tax',
    steps: [...begun, days(25), ...payBill],
    expected: { captured: 1499, papers: [sold], cycles: ['PAID'], renewals: [] },
  },
  {
    ...base,
    name: 'later-less-tds',
    title: 'a bill is paid to the own account less the tax that was deducted',
    steps: [...begun, record(1372, 'SBIN326015120009'), settled],
    expected: { captured: 1372, ownBank: 1372, withheld: 127, papers: [sold], cycles: ['PAID'], renewals: [] },
  },
  {
    ...base,
    name: 'later-story',
    title:
      'a bill is lowered, paid, due again by a refund at Razorpay, paid again, given back in part by transfer, and due again by a lost dispute',
    steps: [
      ...begun,
      giveBack(499),
      ...payBill,
      days(1),
      refundAtRazorpay(300),
      settled,
      pollLists,
      ...payBill,
      days(1),
      giveBack(200, 'Sorry'),
      transferRefund('SBIN326015120010'),
      settled,
      dispute(300),
      settled,
      disputeIs('lost'),
      settled,
      pollLists,
    ],
    expected: {
      captured: 1000 + 300,
      refunded: 300 + 200 + 300,
      byTransfer: 200,
      offset: 499,
      receivable: 300,
      papers: [sold, ...halves],
      cycles: ['PAID'],
      renewals: [],
    },
  },
  {
    ...base,
    name: 'later-ended',
    title:
      'a plan ends on its first day before its bill is paid: less is due, no money moves, and the used day is paid',
    catalog: [['onDeactivate: lose', 'onDeactivate: refund-unused']],
    steps: [...begun, end(), ...payBill],
    expected: {
      captured: 49.97,
      offset: 1449.03,
      papers: [sold, note(sold, from, 1449.03)],
      cycles: ['DEACTIVATED'],
      renewals: [],
    },
  },
  {
    ...base,
    name: 'later-written-off',
    title: 'a bill that is never paid is a bad debt: no credit note, its tax stays paid, and nothing is due',
    steps: [...begun, days(60), writeOff, settled],
    expected: { captured: 0, receivable: 0, badDebt: 1499, papers: [sold], cycles: ['EXPIRED'], renewals: [] },
  },
  {
    ...base,
    name: 'later-recovered',
    title: 'a bad debt is paid two months later: the books take it back, with no second tax',
    steps: [...begun, days(60), writeOff, days(60), ...payBill],
    expected: { captured: 1499, papers: [sold], cycles: ['EXPIRED'], renewals: [] },
  },
];
