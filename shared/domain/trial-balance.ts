import { type BookAccount, bookAccountNames, bookAccounts, isNominal } from '#shared/domain/book-accounts.ts';
import type { BookVoucher } from '#shared/domain/book-voucher.ts';
import type { Day } from '#shared/domain/day.ts';
import { firstDayOfFinancialYear } from '#shared/domain/financial-year.ts';

/** An account's closing balance, on one side or the other. */
export interface TrialBalanceRow {
  account: BookAccount;
  title: string;
  group: string;
  debitPaise: number;
  creditPaise: number;
}

export interface TrialBalance {
  /** Every account, also those of zero. */
  rows: TrialBalanceRow[];
  debitPaise: number;
  creditPaise: number;
}

/** The balance of every account after these vouchers, no year closed. Throws when debits and credits differ. */
export function trialBalanceOf(vouchers: readonly BookVoucher[]): TrialBalance {
  return balanceOf(balancesOf(vouchers));
}

/** The same at the end of a day, with the financial years before its own closed: income and expenses begin again on 1 April. */
export function trialBalanceOn(vouchers: readonly BookVoucher[], on: Day): TrialBalance {
  return balanceOf(closedBalancesOf(vouchers, firstDayOfFinancialYear(on)));
}

/** The balances after these vouchers when the year that begins on a day has begun: profit and loss before it are one amount. */
export function closedBalancesOf(vouchers: readonly BookVoucher[], yearFrom: Day): Map<BookAccount, number> {
  const balances = balancesOf(vouchers);
  let earlierPaise = 0;
  for (const [account, paise] of balancesOf(vouchers.filter(({ on }) => on < yearFrom))) {
    if (!isNominal(account)) continue;
    earlierPaise += paise;
    balances.set(account, (balances.get(account) ?? 0) - paise);
  }
  return earlierPaise === 0 ? balances : balances.set('earlier-years', earlierPaise);
}

function balanceOf(balances: ReadonlyMap<BookAccount, number>): TrialBalance {
  const rows = bookAccountNames.map((account) => {
    const paise = balances.get(account) ?? 0;
    return { account, ...bookAccounts[account], debitPaise: Math.max(paise, 0), creditPaise: Math.max(-paise, 0) };
  });
  const debitPaise = rows.reduce((sum, row) => sum + row.debitPaise, 0);
  const creditPaise = rows.reduce((sum, row) => sum + row.creditPaise, 0);
  if (debitPaise !== creditPaise) throw new Error(`debits of ${debitPaise} and credits of ${creditPaise} paise differ`);
  return { rows, debitPaise, creditPaise };
}

/** The balance of each account in paise; a debit is positive. */
export function balancesOf(vouchers: readonly BookVoucher[]): Map<BookAccount, number> {
  const balances = new Map<BookAccount, number>();
  for (const { account, amountPaise } of vouchers.flatMap(({ lines }) => lines)) {
    balances.set(account, (balances.get(account) ?? 0) + amountPaise);
  }
  return balances;
}

/** What each customer owes (positive) or is owed after these vouchers, without those of zero. */
export function balancesOfCustomers(vouchers: readonly BookVoucher[]): Map<string, number> {
  const balances = new Map<string, number>();
  for (const { customerId, amountPaise } of vouchers.flatMap(({ lines }) => lines))
    if (customerId !== null) balances.set(customerId, (balances.get(customerId) ?? 0) + amountPaise);
  return new Map([...balances].filter(([, paise]) => paise !== 0));
}

/** Do two trial balances have the same figures? Accounts that were added since, and are zero, make no difference. */
export function isSameBalance(a: TrialBalance, b: TrialBalance): boolean {
  const figures = ({ rows }: TrialBalance) =>
    rows
      .filter(({ debitPaise, creditPaise }) => debitPaise !== 0 || creditPaise !== 0)
      .map(({ account, debitPaise, creditPaise }) => `${account} ${debitPaise} ${creditPaise}`)
      .toSorted()
      .join('\n');
  return figures(a) === figures(b);
}
