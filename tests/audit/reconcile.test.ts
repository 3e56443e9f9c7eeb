import { expect, test } from 'vitest';
import { noAmounts } from '#tests/audit/sums/arithmetic.ts';
import type { Books } from '#tests/audit/books/books.ts';
import { sumsOf } from '#tests/audit/books/gstr1.ts';
import { invoice, invoiceOf, note, refundOf, type Supply, voucher } from '#tests/audit/sums/papers.ts';
import { returnsOf } from '#tests/audit/sums/return.ts';
import type { Expected } from '#tests/audit/sums/scenario.ts';
import { reconcile } from './reconcile.ts';

const supply: Supply = { type: 'B2C', levy: 'CENTRE_AND_STATE', place: '27', ratePercent: 18 };
const sold = invoice('2026-12-10', 999, supply);
const expected: Expected = {
  captured: 999,
  refunded: 100,
  papers: [sold, note(sold, '2026-12-11', 100)],
  cycles: ['PAID'],
};

const payments = () => new Map([['pay_1', { captured: 99_900, refunded: 10_000 }]]);

/** Books that agree with the expectation, written out by hand. */
function goodBooks(): Books {
  const paper = { cgst: 7619, sgst: 7619, igst: 0, cancelled: false, isInvoiced: false };
  return {
    portal: {
      papers: [
        { ...paper, kind: 'INVOICE', on: '2026-12-10', total: 99_900, taxable: 84_661 },
        { ...paper, kind: 'CREDIT_NOTE', on: '2026-12-11', total: 10_000, taxable: 8475, cgst: 763, sgst: 763 },
      ],
      cycles: ['PAID'],
      refunded: 10_000,
      due: 0,
      tds: 0,
    },
    ledger: { payments: payments(), kept: 89_900, owed: 0, tds: 0, receivable: 0, badDebt: 0, faults: [] },
    standin: { payments: payments() },
    settlements: {
      settled: 87_542,
      expectedFees: 1998,
      expectedFeeTax: 360,
      isAllSettled: true,
      differences: 0,
      banked: 87_542,
      fees: 1998,
      feeTax: 360,
      held: 0,
      unmatched: 0,
    },
    accounts: {
      balances: new Map([
        ['bank', 87_542],
        ['gateway-fees', 1998],
        ['input-igst', 360],
        ['output-cgst', -6856],
        ['output-sgst', -6856],
        ['revenue', -76_188],
      ]),
      faults: [],
    },
    returns: {
      months: new Map([
        [
          '2026-12',
          {
            ...sumsOf({
              b2cs: [{ txval: 761.86, camt: 68.56, samt: 68.56 }],
              hsn: { hsn_b2c: [{ txval: 761.86, camt: 68.56, samt: 68.56 }] },
              doc_issue: {
                doc_det: [
                  { doc_num: 1, docs: [{ totnum: 1, cancel: 0 }] },
                  { doc_num: 5, docs: [{ totnum: 1, cancel: 0 }] },
                ],
              },
            }),
            outward: {
              taxable: { taxable: 76_186, igst: 0, cgst: 6856, sgst: 6856 },
              zeroRated: noAmounts,
              exempt: noAmounts,
            },
          },
        ],
      ]),
      faults: [],
    },
  };
}

test('books that agree have no difference', () => {
  expect(reconcile(expected, goodBooks())).toEqual([]);
});

const first = <Item>(items: readonly Item[]): Item => {
  const [item] = items;
  if (item === undefined) throw new Error('the list is empty');
  return item;
};
const december = (books: Books) => first([...books.returns.months.values()]);

test.each<[string, string, (books: Books) => void]>([
  ['portal', 'a paisa of tax on the invoice', ({ portal }) => void (first(portal.papers).cgst += 1)],
  ['portal', 'a missing credit note', ({ portal }) => void portal.papers.pop()],
  ['portal', 'the date of a document', ({ portal }) => void (first(portal.papers).on = '2026-12-09')],
  ['portal', 'a document shown as cancelled', ({ portal }) => void (first(portal.papers).cancelled = true)],
  ['portal', 'the status of a subscription', ({ portal }) => void (portal.cycles = ['REFUNDED'])],
  ['portal', 'a paisa of the refund', ({ portal }) => void (portal.refunded -= 1)],
  ['ledger', 'a paisa of the balance', ({ ledger }) => void (ledger.kept += 1)],
  ['ledger', 'a refund that is still due', ({ ledger }) => void (ledger.owed = 1)],
  ['portal', 'a claim about TDS that nobody accepted', ({ portal }) => void (portal.tds += 1)],
  ['ledger', 'a paisa written off', ({ ledger }) => void (ledger.badDebt += 1)],
  ['accounts', 'a paisa of bad debts', ({ accounts }) => void accounts.balances.set('bad-debts', 1)],
  ['ledger', 'a paisa receivable as TDS', ({ ledger }) => void (ledger.tds += 1)],
  ['accounts', 'a paisa of TDS', ({ accounts }) => void accounts.balances.set('tds-receivable', 1)],
  ['ledger', 'a broken chain', ({ ledger }) => void ledger.faults.push('the chain is broken')],
  ['ledger', 'a payment that was not booked', ({ ledger }) => ledger.payments.clear()],
  ['standin', 'a paisa captured', ({ standin }) => void (first([...standin.payments.values()]).captured += 1)],
  ['standin', 'a refund made twice', ({ standin }) => void (first([...standin.payments.values()]).refunded *= 2)],
  [
    'standin',
    'the same money under another payment',
    ({ standin }) => void (standin.payments = new Map([['pay_2', first([...standin.payments.values()])]])),
  ],
  ['settlements', 'a paisa in the bank', ({ settlements }) => void (settlements.banked += 1)],
  ['settlements', 'a paisa of fee', ({ settlements }) => void (settlements.fees += 1)],
  ['settlements', 'a paisa of GST on the fee', ({ settlements }) => void (settlements.feeTax -= 1)],
  ['settlements', 'money that Razorpay keeps', ({ settlements }) => void (settlements.held += 1)],
  ['settlements', 'money without a payment', ({ settlements }) => void (settlements.unmatched -= 1)],
  ['settlements', 'a difference that the portal reports', ({ settlements }) => void (settlements.differences = 1)],
  ['accounts', 'a paisa in the bank', ({ accounts }) => void accounts.balances.set('bank', 87_541)],
  ['accounts', 'a paisa of tax payable', ({ accounts }) => void accounts.balances.set('output-sgst', -6857)],
  ['accounts', 'uneven sides', ({ accounts }) => void accounts.faults.push('debits exceed credits')],
  ['gstr1', 'a paisa of State tax', (books) => void (december(books).tables.b2cs = { ...sold, sgst: 6857 })],
  ['gstr1', 'a zero-rated sale in GSTR-3B', (books) => void (december(books).outward.zeroRated = sold)],
  ['gstr1', 'an exempt sale in GSTR-3B', (books) => void (december(books).outward.exempt = sold)],
  ['gstr1', 'a sale in a wrong table', (books) => void (december(books).tables.exp = sold)],
  ['gstr1', 'an invoice more in table 13', (books) => void (december(books).issued.INVOICE.count += 1)],
  ['gstr1', 'a month that is missing', ({ returns }) => returns.months.clear()],
  ['gstr1', 'a fault of the file', ({ returns }) => void returns.faults.push('gstr1 2026-12: a fault')],
])('%s: the audit notices %s', (column, _what, plant) => {
  const books = goodBooks();
  plant(books);
  expect(new Set(reconcile(expected, books).map((difference) => difference.column))).toContain(column);
});

test('an advance is reported in its month and deducted when it is invoiced or refunded', () => {
  const inter: Supply = { ...supply, levy: 'INTEGRATED', place: '29' };
  const advance = voucher('2026-12-10', 1499, inter);
  const papers = [
    advance,
    refundOf(advance, '2026-12-20', 500),
    invoiceOf(advance, '2027-01-09', 999, { ...inter, ratePercent: 5 }),
  ];
  const months = returnsOf(papers);
  // 999 at the advance's own 18 %, in both months; the invoice at 5 %.
  const rest = { taxable: 84_661, igst: 15_239, cgst: 0, sgst: 0 };
  const split = { taxable: 127_034 - 42_373, igst: 22_866 - 7627, cgst: 0, sgst: 0 };
  expect(months.get('2026-12')?.tables.at).toEqual(split);
  expect(months.get('2027-01')?.tables.txpd).toMatchObject(rest);
  expect(months.get('2027-01')?.tables.b2cs).toMatchObject({ taxable: 95_143, igst: 4757 });
});
