import { expect, test } from 'vitest';
import type { AllHistoryEntry } from '#shared/contract/invoices.ts';
import { activationsOf, billingSums, filterRows, readBillingFilter } from '#web/features/activations/billing-rows.ts';

const taxLookup = { id: 'ACT-A', service: 'Tax Lookup API', deletedAt: null };
const invoicing = { id: 'ACT-B', service: 'Invoicing System', deletedAt: '2026-11-19T06:00:00.000Z' };

function entry(
  activation: AllHistoryEntry['activation'],
  id: string,
  date: string,
  status: AllHistoryEntry['status'],
  amount: number,
  invoiceId: string | null = null,
  refunded: number | null = null,
) {
  const refund = refunded === null ? null : { amount: refunded, status: 'PROCESSED' as const };
  const rest = {
    changed: null,
    bill: null,
    validFor: '30 days',
    desc: 'Growth',
    planName: 'Growth',
    fromDate: date,
    toDate: date,
    invoiceDownload: null,
    replaces: null,
    granted: null,
    returned: null,
    tds: null,
  };
  const lists = { documents: [], payments: [] };
  return { activation, id, date, status, amount, invoiceId, refund, ...rest, ...lists } satisfies AllHistoryEntry;
}

const rows = [
  entry(taxLookup, 'c1', '2026-11-20', 'PAYMENT_PENDING', 1499),
  entry(invoicing, 'c3', '2026-11-18', 'DUE', 499),
  entry(taxLookup, 'c2', '2026-11-03', 'PAID', 1499.1, 'INV-0412'),
  entry(invoicing, 'c4', '2026-08-05', 'DEACTIVATED', 499.2, 'INV-0209', 199.1),
  entry(invoicing, 'c6', '2026-07-22', 'NO_PAYMENT_REQUIRED', 0),
  entry(invoicing, 'c7', '2026-07-01', 'REFUNDED', 499, 'INV-0100', 499),
  entry(invoicing, 'c5', '2025-12-31', 'EXPIRED', 499, 'INV-0001'),
];
const everything = { show: 'all', activationId: null, words: '' } as const;
const ids = (shown: readonly AllHistoryEntry[]) => shown.map(({ id }) => id);

test('sums the amounts to pay, and this year’s payments less refunds, to the paisa', () => {
  expect(billingSums(rows, '2026-11-21')).toEqual({
    toPay: { rupees: 1998, count: 2 },
    paidThisYear: { rupees: 1799.2, count: 2 },
  });
});

test('what is paid later is to be paid while something is owed, also once it was written off, and a returned payment takes nothing from what was paid', () => {
  const later = entry(taxLookup, 'c8', '2026-11-20', 'PAID', 1499, 'INV-0413');
  const twice = entry(taxLookup, 'c9', '2026-11-21', 'PAID', 1499, 'INV-0414');
  const sums = (state: 'DUE' | 'WRITTEN_OFF', status: AllHistoryEntry['status'] = 'PAID') => {
    const bill = { state, owed: 999, dueOn: '2026-11-21' };
    const shown = [
      { ...later, status, bill },
      { ...twice, returned: { amount: 1499, status: 'PROCESSED' as const } },
    ];
    expect(ids(filterRows(shown, { ...everything, show: 'toPay' }))).toEqual(['c8']);
    expect(ids(filterRows(shown, { ...everything, show: 'paid' }))).toEqual(['c9']);
    return billingSums(shown, '2026-11-21');
  };
  const expected = { toPay: { rupees: 999, count: 1 }, paidThisYear: { rupees: 1499, count: 1 } };
  expect([sums('DUE'), sums('WRITTEN_OFF'), sums('WRITTEN_OFF', 'EXPIRED')]).toEqual([expected, expected, expected]);
});

test('rows are narrowed by state, activation and words', () => {
  expect(ids(filterRows(rows, { ...everything, show: 'toPay' }))).toEqual(['c1', 'c3']);
  expect(ids(filterRows(rows, { ...everything, show: 'paid' }))).toEqual(['c2', 'c4', 'c5']);
  expect(ids(filterRows(rows, { ...everything, activationId: 'ACT-A' }))).toEqual(['c1', 'c2']);
  expect(ids(filterRows(rows, { ...everything, words: ' inv-02' }))).toEqual(['c4']);
  expect(ids(filterRows(rows, { ...everything, words: 'tax look' }))).toEqual(['c1', 'c2']);
});

test('offers every activation with a history once, deleted ones too', () => {
  expect(activationsOf(rows)).toEqual([taxLookup, invoicing]);
});

test('the URL selects the rows, and invalid values are ignored', () => {
  expect(readBillingFilter(new URLSearchParams('show=paid&activation=ACT-A&q=inv'))).toEqual({
    show: 'paid',
    activationId: 'ACT-A',
    words: 'inv',
  });
  expect(readBillingFilter(new URLSearchParams('show=other'))).toEqual(everything);
});
