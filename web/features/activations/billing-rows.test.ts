import { expect, test } from 'vitest';
import type { HistoryEntry } from '#contract/invoices.ts';
import { billingRows, billingSums, filterRows, readBillingFilter } from '#web/features/activations/billing-rows.ts';

function entry(
  id: string,
  date: string,
  status: HistoryEntry['status'],
  amount: number,
  invoiceId: string | null = null,
) {
  const rest = {
    validFor: '30 days',
    desc: 'Growth',
    fromDate: date,
    toDate: date,
    invoiceDownload: null,
    documents: [],
  };
  return { id, date, status, amount, invoiceId, ...rest, payments: [], refund: null } satisfies HistoryEntry;
}

const activations = [
  { id: 'ACT-A', service: { id: 'tax-lookup-api', name: 'Tax Lookup API', baseUrl: null } },
  { id: 'ACT-B', service: { id: 'invoicing-system', name: 'Invoicing System', baseUrl: null } },
];
const rows = billingRows(activations, [
  [entry('c1', '2026-11-20', 'PAYMENT_PENDING', 1499), entry('c2', '2026-11-03', 'PAID', 1499.1, 'INV-0412')],
  [
    entry('c3', '2026-11-18', 'DUE', 499),
    entry('c4', '2026-08-05', 'EXPIRED', 499.2, 'INV-0209'),
    entry('c5', '2025-12-31', 'EXPIRED', 499, 'INV-0001'),
    entry('c6', '2026-07-22', 'NO_PAYMENT_REQUIRED', 0),
    entry('c7', '2026-07-01', 'REFUNDED', 499, 'INV-0100'),
  ],
]);
const everything = { show: 'all', activationId: null, words: '' } as const;
const ids = (shown: typeof rows) => shown.map((row) => row.entry.id);

test('entries of all activations stand together, newest first', () => {
  expect(ids(rows)).toEqual(['c1', 'c3', 'c2', 'c4', 'c6', 'c7', 'c5']);
});

test('what waits for a payment and what was paid this year is summed to the paisa', () => {
  expect(billingSums(rows, '2026-11-21')).toEqual({
    toPay: { rupees: 1998, count: 2 },
    paidThisYear: { rupees: 1998.3, count: 2 },
  });
});

test('rows are narrowed by state, activation and words', () => {
  expect(ids(filterRows(rows, { ...everything, show: 'toPay' }))).toEqual(['c1', 'c3']);
  expect(ids(filterRows(rows, { ...everything, show: 'paid' }))).toEqual(['c2', 'c4', 'c5']);
  expect(ids(filterRows(rows, { ...everything, activationId: 'ACT-A' }))).toEqual(['c1', 'c2']);
  expect(ids(filterRows(rows, { ...everything, words: ' inv-02' }))).toEqual(['c4']);
  expect(ids(filterRows(rows, { ...everything, words: 'tax look' }))).toEqual(['c1', 'c2']);
});

test('an activation whose history is not there yet has no rows', () => {
  expect(billingRows(activations, [])).toEqual([]);
});

test('the address says what is shown, and nothing else can be asked for', () => {
  expect(readBillingFilter(new URLSearchParams('show=paid&activation=ACT-A&q=inv'))).toEqual({
    show: 'paid',
    activationId: 'ACT-A',
    words: 'inv',
  });
  expect(readBillingFilter(new URLSearchParams('show=other'))).toEqual(everything);
});
