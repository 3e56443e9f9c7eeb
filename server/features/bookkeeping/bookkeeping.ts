import type { Db } from '#shared/database/connect.ts';
import type { BookAccount } from '#shared/domain/book-accounts.ts';
import type { BookVoucher } from '#shared/domain/book-voucher.ts';
import { type Day, earlierDay, startOfDay } from '#shared/domain/day.ts';
import { gstr3bOf } from '#shared/domain/gst-return-3b.ts';
import { type Account, accounts } from '#shared/domain/ledger.ts';
import { lastDayOf, type Month } from '#shared/domain/month.ts';
import {
  balancesOf,
  balancesOfCustomers,
  closedBalancesOf,
  type TrialBalance,
  trialBalanceOf,
  trialBalanceOn,
} from '#shared/domain/trial-balance.ts';
import { once } from '#shared/platform/once.ts';
import { readGstReturns } from '#server/features/documents/documents.ts';
import { listAccepted, listWithheld } from '#server/features/tds/tds.ts';
import { type Books, readBooks, vouchersThrough } from './books.ts';
import { readGstOnFees } from './input-tax.ts';
import { gstr1Papers, gstr3bPapers } from './returns.ts';
import { amendmentRegister, dayBook, salesRegister, trialBalanceCsv, trialBalanceInRupees } from './registers.ts';
import { type BookPeriod, monthPeriod } from '#shared/domain/book-period.ts';
import { selectLaterAmended, selectParties, selectPeriodDocuments } from './store.ts';
import { tallyMasters, tallyVouchers } from './tally.ts';
import { tdsReceivableCsv, tdsReceivableOf } from './tds-receivable.ts';

export { compareLockedMonths, faultsOfLocks } from './locked-months.ts';
export { type Books, readBooks } from './books.ts';
export { selectProviderCash, selectSold, sumDays } from './day-sums.ts';
export { readRevenue, type SpanRevenue } from './revenue.ts';
export { selectToday } from './store.ts';
export { trialBalanceCsv, trialBalanceInRupees } from './registers.ts';
export { inputTaxText } from './returns.ts';
export { tdsReceivableCsv } from './tds-receivable.ts';

/** The vouchers of the books through a day, in order. */
export async function readVouchers(db: Db, through: Day): Promise<BookVoucher[]> {
  return vouchersThrough(await readBooks(db), through);
}

/** The trial balance at the end of a day, with the financial years before its own closed. */
export async function readTrialBalance(db: Db, on: Day): Promise<TrialBalance> {
  return trialBalanceAt(await readBooks(db), on);
}

/** The same of books that were read. */
export const trialBalanceAt = (books: Books, on: Day): TrialBalance => trialBalanceOn(vouchersThrough(books, on), on);

/** The same without closing a year: what a lock stores and is compared with. */
export async function readOpenBalance(db: Db, on: Day): Promise<TrialBalance> {
  return trialBalanceOf(await readVouchers(db, on));
}

/** The files of a month: those of a company whose books go on in Tally from month to month. */
export const monthFiles = (db: Db, month: Month, today: Day): Promise<Map<string, string>> =>
  readBooks(db).then((books) => periodFiles(db, monthPeriod(month), today, books));

/**
 * The files of a month or financial year by name: masters and vouchers for Tally, sales register, amendments, day book, trial balance and TDS receivable. What isn't
 * over ends today: revenue of days to come is not earned yet. The masters of a year have the balances that it opens with.
 */
export async function periodFiles(
  db: Db,
  { from, to, isYear }: BookPeriod,
  today: Day,
  books: Books,
): Promise<Map<string, string>> {
  const end = earlierDay(to, today);
  const through = vouchersThrough(books, end);
  const vouchers = through.filter(({ on }) => on >= from);
  const documents = await selectPeriodDocuments(db, from, to);
  const before = isYear ? through.filter(({ on }) => on < from) : [];
  const owed = balancesOfCustomers(before);
  const customers = new Set([...vouchers.flatMap(({ customerId }) => customerId ?? []), ...owed.keys()]);
  const parties = await selectParties(db, [...customers], to);
  const opening = { accounts: closedBalancesOf(before, from), customers: owed };
  return new Map([
    ['tally-masters.xml', tallyMasters(parties, from, opening)],
    ['tally-vouchers.xml', tallyVouchers(vouchers, parties, documents)],
    ['sales-register.csv', salesRegister(documents)],
    ['amendments.csv', amendmentRegister(await selectLaterAmended(db, from, to))],
    ['day-book.csv', dayBook(vouchers, parties)],
    ['trial-balance.csv', trialBalanceCsv(trialBalanceInRupees(trialBalanceOn(through, end)))],
    ['tds-receivable.csv', tdsReceivableCsv(await readTdsReceivable(db, end))],
  ]);
}

/** When the files of a time were written: on its last day, or today. */
const writtenAt = (to: Day, today: Day): Date => new Date(startOfDay(earlierDay(to, today)));

export async function exportOfBooks(db: Db, period: BookPeriod, today: Day, books: Books) {
  const { name, from, to } = period;
  const files = await periodFiles(db, period, today, books);
  return {
    name: `books-${name}.zip`,
    at: writtenAt(to, today),
    texts: [...files].map(([file, content]) => ({ name: file, content })),
    reply: { period: name, from, to, files: [...files.keys()] },
  };
}

/** The files of a month's returns; each is made when it is asked for, once, from one reading of the documents. */
export function exportsOfReturns(db: Db, month: Month) {
  const at = new Date(startOfDay(lastDayOf(month)));
  const gstr1s = once(() => readGstReturns(db, month));
  return {
    gstr1: once(async () => ({ name: `gstr1-${month}.zip`, at, ...gstr1Papers(month, await gstr1s()) })),
    gstr3b: once(async () => {
      const returns = new Map([...(await gstr1s())].map(([gstin, each]) => [gstin, gstr3bOf(each)]));
      return { name: `gstr3b-${month}.zip`, at, ...gstr3bPapers(month, returns, await readGstOnFees(db, month)) };
    }),
  };
}

/** The files of a month, of books that were read; each is made once, also as a part of the pack for the accountant. */
export const exportsOfMonth = (db: Db, month: Month, today: Day, books: Books) => ({
  ...exportsOfReturns(db, month),
  accounts: once(() => exportOfBooks(db, monthPeriod(month), today, books)),
});

export type ExportsOfMonth = ReturnType<typeof exportsOfMonth>;

/** Tax that customers deducted at source until the end of a day, by quarter, customer and TAN: with a certificate that was accepted, or withheld from a bank transfer. */
export async function readTdsReceivable(db: Db, on: Day) {
  return tdsReceivableOf([...(await listAccepted(db, { to: on })), ...(await listWithheld(db, { to: on }))]);
}

/** The accounts of the ledger, and those of the books that must have the same balance. What customers owe and what they are owed are one balance of the books. */
const sameBalances: Readonly<Record<Account, readonly BookAccount[] | 'with refunds'>> = {
  provider: ['gateway'],
  receivables: 'with refunds',
  cycles: ['advances', 'deferred-revenue', 'revenue', 'output-igst', 'output-cgst', 'output-sgst', 'round-off'],
  refunds: ['customers'],
  held: ['held-transfers'],
  tds: ['tds-receivable'],
  bank: ['bank'],
  fees: ['gateway-fees'],
  input_tax: ['input-igst', 'input-cgst', 'input-sgst'],
  disputed: ['disputed'],
  losses: ['dispute-losses'],
  bad_debts: ['bad-debts'],
  unmatched: ['unmatched'],
};

/** One sentence for each account of the ledger that differs from the books; empty when they agree (product §6.12). */
export async function bookFaults(db: Db): Promise<string[]> {
  return faultsOfBooks(await readBooks(db));
}

/** The same of books that were read; what is earned in the future only moves between accounts that are added up. */
export function faultsOfBooks({ vouchers, ledger }: Books): string[] {
  const books = balancesOf(vouchers);
  return accounts.flatMap((account) => {
    const same = sameBalances[account];
    if (same === 'with refunds') return [];
    const ledgerPaise = (ledger.get(account) ?? 0) + (account === 'refunds' ? (ledger.get('receivables') ?? 0) : 0);
    const booksPaise = same.reduce((sum, name) => sum + (books.get(name) ?? 0), 0);
    return ledgerPaise === booksPaise
      ? []
      : [`the ledger has ${ledgerPaise} paise in ${account}, the books ${booksPaise}`];
  });
}
