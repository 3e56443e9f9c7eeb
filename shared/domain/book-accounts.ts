/**
 * The accounts of the books, and their group in the chart of Schedule III (Companies Act 2013) as Tally names it. Amounts are paise; a debit is
 * positive, a credit negative.
 */
export const bookAccounts = {
  bank: { title: 'Bank', group: 'Bank Accounts' },
  gateway: { title: 'Payment gateway', group: 'Current Assets' },
  disputed: { title: 'Held back for disputes', group: 'Current Assets' },
  unmatched: { title: 'Settled without a sale', group: 'Suspense A/c' },
  customers: { title: 'Customers', group: 'Sundry Debtors' },
  'tds-receivable': { title: 'TDS receivable', group: 'Current Assets' },
  'input-igst': { title: 'Input IGST', group: 'Duties & Taxes' },
  'input-cgst': { title: 'Input CGST', group: 'Duties & Taxes' },
  'input-sgst': { title: 'Input SGST/UTGST', group: 'Duties & Taxes' },
  'output-igst': { title: 'IGST payable', group: 'Duties & Taxes' },
  'output-cgst': { title: 'CGST payable', group: 'Duties & Taxes' },
  'output-sgst': { title: 'SGST/UTGST payable', group: 'Duties & Taxes' },
  'held-transfers': { title: 'Bank transfers held', group: 'Current Liabilities' },
  advances: { title: 'Advances from customers', group: 'Current Liabilities' },
  'deferred-revenue': { title: 'Deferred revenue', group: 'Current Liabilities' },
  'earlier-years': { title: 'Profit and loss of earlier years', group: 'Reserves & Surplus' },
  revenue: { title: 'Subscription revenue', group: 'Sales Accounts' },
  'gateway-fees': { title: 'Payment gateway fees', group: 'Indirect Expenses' },
  'bad-debts': { title: 'Bad debts', group: 'Indirect Expenses' },
  'dispute-losses': { title: 'Lost disputes', group: 'Indirect Expenses' },
  'round-off': { title: 'Round off', group: 'Indirect Expenses' },
} as const satisfies Record<string, { title: string; group: string }>;

export type BookAccount = keyof typeof bookAccounts;

/** Accounts of income and expenses, which a financial year begins with zero. */
export function isNominal(account: BookAccount): boolean {
  const { group } = bookAccounts[account];
  return group === 'Sales Accounts' || group === 'Indirect Expenses';
}

/** Every account, in the order of the trial balance. */
export const bookAccountNames = Object.keys(bookAccounts).filter((name): name is BookAccount =>
  Object.hasOwn(bookAccounts, name),
);
