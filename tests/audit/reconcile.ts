import { type Amounts, noAmounts, paise, plus, rupeesText, taxOf } from '#tests/audit/sums/arithmetic.ts';
import type { Paper } from '#tests/audit/sums/papers.ts';
import { emptyReturn, returnsOf, type ReturnSums, tableNames } from '#tests/audit/sums/return.ts';
import type { Expected } from '#tests/audit/sums/scenario.ts';
import {
  type Books,
  capturedIn,
  type PaymentMoney,
  refundedIn,
  type SeenPaper,
  type SettlementBook,
} from '#tests/audit/books/books.ts';

/** The columns of the table, each compared with what the scenario expects or with another column. */
export const columns = ['portal', 'ledger', 'standin', 'settlements', 'accounts', 'gstr1'] as const;
export type Column = (typeof columns)[number];

export interface Difference {
  column: Column;
  what: string;
  expected: string;
  found: string;
}

/** Compares the books with what must be in them. An empty list: they agree to the paisa. */
export function reconcile(expected: Expected, books: Books): Difference[] {
  const differences: Difference[] = [];
  const compare = (column: Column, what: string, wanted: string, found: string): void => {
    if (wanted !== found) differences.push({ column, what, expected: wanted, found });
  };
  const amount = (column: Column, what: string, wanted: number, found: number) =>
    compare(column, what, rupeesText(wanted), rupeesText(found));
  const captured = paise(expected.captured);
  const refunded = paise(expected.refunded ?? 0);
  const owed = paise(expected.owed ?? 0);
  const disputed = paise(expected.disputed ?? 0);
  const deducted = paise(expected.tds ?? 0) + paise(expected.withheld ?? 0);
  const tds = deducted - paise(expected.reversed ?? 0);
  const ownBank = paise(expected.ownBank ?? 0);
  const receivable = paise(expected.receivable ?? 0);
  const badDebt = paise(expected.badDebt ?? 0);
  const offset = paise(expected.offset ?? 0);
  const byTransfer = paise(expected.byTransfer ?? 0);
  const kept = captured - refunded - owed + tds + receivable + badDebt;

  const { portal, ledger, standin, returns } = books;
  compare('portal', 'documents', linesOf(expected.papers.map(seen)), linesOf(portal.papers));
  if (expected.numbers !== undefined)
    compare('portal', 'numbers', expected.numbers.toSorted().join(', '), numbersOf(portal.papers));
  compare('portal', 'subscriptions', expected.cycles.toSorted().join(', '), portal.cycles.toSorted().join(', '));
  amount('portal', 'refunded', refunded + owed + offset, portal.refunded);
  amount('portal', 'due', receivable, portal.due);
  amount('portal', 'deducted at source', deducted, portal.tds);
  amount('portal', 'kept, by its documents', kept, keptOnPaper(portal.papers));

  amount('ledger', 'captured', captured, capturedIn(ledger.payments));
  amount('ledger', 'refunded', refunded, refundedIn(ledger.payments));
  amount('ledger', 'kept for subscriptions', kept, ledger.kept);
  amount('ledger', 'receivable as tax deducted at source', tds, ledger.tds);
  amount('ledger', 'due to customers', owed, ledger.owed);
  amount('ledger', 'receivable from customers', receivable, ledger.receivable);
  amount('ledger', 'written off', badDebt, ledger.badDebt);
  compare('ledger', 'faults', '', ledger.faults.join('; '));

  amount('standin', 'captured', captured - ownBank, capturedIn(standin.payments));
  amount('standin', 'refunded', refunded - byTransfer, refundedIn(standin.payments));
  // What an operator recorded, and what is paid later, has an id of the portal.
  const atRazorpay = new Map([...ledger.payments].filter(([id]) => !/^TR[FM]-/.test(id)));
  compare('standin', 'each payment, as in the ledger', moneyText(atRazorpay), moneyText(standin.payments));

  const { settlements } = books;
  const settled = (what: string, wanted: number, found: number) => amount('settlements', what, wanted, found);
  settled('paid to the bank', settlements.settled + ownBank - byTransfer, settlements.banked);
  settled('fees', settlements.expectedFees, settlements.fees);
  settled('GST on fees', settlements.expectedFeeTax, settlements.feeTax);
  settled('bank, fees and what Razorpay still holds', captured - refunded, allOf(settlements));
  const held = owed - paise(expected.toTransfer ?? 0) + disputed;
  if (settlements.isAllSettled) settled('with Razorpay after a full settlement', held, settlements.held);
  settled('without a payment', 0, settlements.unmatched);
  compare(
    'settlements',
    'differences that the portal reports',
    String(expected.unsettled ?? 0),
    String(settlements.differences),
  );

  const { accounts } = books;
  const tax = netOfAll(returnsOf(expected.papers));
  const balanced = (what: string, wanted: number, ...names: string[]) => {
    const found = names.reduce((sum, name) => sum + (accounts.balances.get(name) ?? 0), 0);
    amount('accounts', what, wanted, found);
  };
  compare('accounts', 'faults', '', accounts.faults.join('; '));
  balanced('bank', settlements.banked, 'bank');
  balanced('with Razorpay', settlements.held, 'gateway', 'disputed');
  balanced('TDS receivable', tds, 'tds-receivable');
  balanced('customers', receivable - owed, 'customers');
  balanced('bad debts', badDebt, 'bad-debts');
  balanced('fees', settlements.fees, 'gateway-fees');
  balanced('GST on fees', settlements.feeTax, 'input-igst', 'input-cgst', 'input-sgst');
  balanced('IGST payable', 0 - tax.igst, 'output-igst');
  balanced('CGST payable', 0 - tax.cgst, 'output-cgst');
  balanced('State tax payable', 0 - tax.sgst, 'output-sgst');
  const reported = netOfAll(books.returns.months);
  balanced('IGST payable, as in the returns', 0 - reported.igst, 'output-igst');
  balanced('CGST payable, as in the returns', 0 - reported.cgst, 'output-cgst');
  balanced('State tax payable, as in the returns', 0 - reported.sgst, 'output-sgst');

  if (expected.renewals !== undefined) {
    compare('accounts', 'renewals.csv', linesFrom(expected.renewals), linesFrom(accounts.renewals ?? []));
    const inTally = (ledger: string) => accounts.tally?.get(ledger) ?? 0;
    amount('accounts', 'bank in Tally', settlements.banked, inTally('Bank'));
    amount('accounts', 'bad debts in Tally', badDebt, inTally('Bad debts'));
    amount('accounts', 'IGST payable in Tally', 0 - tax.igst, inTally('IGST payable'));
    amount('accounts', 'CGST payable in Tally', 0 - tax.cgst, inTally('CGST payable'));
    amount('accounts', 'State tax payable in Tally', 0 - tax.sgst, inTally('SGST/UTGST payable'));
  }

  compare('gstr1', 'faults', '', returns.faults.join('; '));
  const wantedReturns = returnsOf(expected.papers);
  for (const month of new Set([...wantedReturns.keys(), ...returns.months.keys()])) {
    const wanted = wantedReturns.get(month) ?? emptyReturn();
    const found = returns.months.get(month) ?? emptyReturn();
    for (const table of tableNames) {
      compare('gstr1', `${month} ${table}`, amountsText(wanted.tables[table]), amountsText(found.tables[table]));
    }
    for (const row of ['taxable', 'zeroRated', 'exempt'] as const) {
      compare('gstr1', `${month} GSTR-3B ${row}`, amountsText(wanted.outward[row]), amountsText(found.outward[row]));
    }
    compare('gstr1', `${month} documents issued`, issuedText(wanted), issuedText(found));
  }
  return differences;
}

const linesFrom = (lines: readonly string[]): string => lines.toSorted().join('; ');

const netOfAll = (months: ReadonlyMap<string, ReturnSums>): Amounts =>
  [...months.values()].map(netOf).reduce((a, b) => plus(a, b), noAmounts);
const withTax = (amounts: Amounts) => `${rupeesText(amounts.taxable)} + ${rupeesText(taxOf(amounts))}`;

const allOf = ({ banked, fees, feeTax, held }: SettlementBook) => banked + fees + feeTax + held;

/** One figure per column for the table: what is kept, and the net tax where the column knows it. */
export function figuresOf(expected: Expected, books: Books): Record<'expected' | Column, string> {
  const kept =
    paise(expected.captured) -
    paise(expected.refunded ?? 0) +
    paise(expected.receivable ?? 0) +
    paise(expected.badDebt ?? 0);
  const wanted = netOfAll(returnsOf(expected.papers));
  const balance = (...names: string[]) =>
    names.reduce((sum, name) => sum + (books.accounts.balances.get(name) ?? 0), 0);
  return {
    expected: `${rupeesText(kept)} (${withTax(wanted)})`,
    portal: rupeesText(keptOnPaper(books.portal.papers) - books.portal.tds + paise(expected.reversed ?? 0)),
    ledger: rupeesText(books.ledger.kept + books.ledger.owed - books.ledger.tds),
    standin: rupeesText(capturedIn(books.standin.payments) - refundedIn(books.standin.payments)),
    settlements: `${rupeesText(books.settlements.banked)} + ${rupeesText(books.settlements.fees + books.settlements.feeTax)} fee`,
    accounts: `${rupeesText(balance('bank'))} - ${rupeesText(0 - balance('output-igst', 'output-cgst', 'output-sgst'))} tax`,
    gstr1: withTax(netOfAll(books.returns.months)),
  };
}

/** The liability of a month: supplies and advances, less notes and used advances. */
function netOf({ tables }: ReturnSums): Amounts {
  const { b2b, b2cl, b2cs, exp, at, cdnr, cdnur, txpd } = tables;
  const sold = [b2b, b2cl, b2cs, exp, at].reduce((sum, one) => plus(sum, one));
  return [cdnr, cdnur, txpd].reduce((sum, one) => plus(sum, one, -1), sold);
}

const numbersOf = (papers: readonly SeenPaper[]): string =>
  papers
    .map(({ number = '' }) => number)
    .toSorted()
    .join(', ');

const signs = { INVOICE: 1, RECEIPT_VOUCHER: 1, REFUND_VOUCHER: -1, CREDIT_NOTE: -1 } as const;

/** The total of all papers that count; an invoice takes the place of its receipt voucher. */
function keptOnPaper(papers: readonly SeenPaper[]): number {
  return papers
    .filter(({ cancelled, isInvoiced }) => !cancelled && !isInvoiced)
    .reduce((sum, { kind, total }) => sum + signs[kind] * total, 0);
}

const seen = (paper: Paper): SeenPaper => ({ ...paper, cancelled: paper.cancelled === true, isInvoiced: false });

function linesOf(papers: readonly SeenPaper[]): string {
  const lines = papers.map(
    (one) => `${one.on} ${one.kind} ${rupeesText(one.total)} (${amountsText(one)})${one.cancelled ? ' cancelled' : ''}`,
  );
  return lines.toSorted().join('; ');
}

const amountsText = ({ taxable, igst, cgst, sgst }: Amounts): string =>
  [taxable, igst, cgst, sgst].map((one) => rupeesText(one)).join(' + ');

function moneyText(payments: Map<string, PaymentMoney>): string {
  const lines = [...payments].map(
    ([id, { captured, refunded }]) => `${id} ${rupeesText(captured)} - ${rupeesText(refunded)}`,
  );
  return lines.toSorted().join('; ');
}

function issuedText({ issued }: ReturnSums): string {
  return Object.entries(issued)
    .map(([kind, { count, cancelled }]) => `${kind} ${count}${cancelled > 0 ? ` (${cancelled} cancelled)` : ''}`)
    .join(', ');
}
