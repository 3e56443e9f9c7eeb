import { type BookAccount, bookAccountNames, bookAccounts } from '#domain/book-accounts.ts';
import type { BookVoucher } from '#domain/book-voucher.ts';

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

/** The balance of every account after these vouchers. Throws when debits and credits differ. */
export function trialBalanceOf(vouchers: readonly BookVoucher[]): TrialBalance {
  const balances = balancesOf(vouchers);
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
