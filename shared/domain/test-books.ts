import fc from 'fast-check';
import type { BookDocument, BookFacts } from '#shared/domain/books.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import type { DocumentKind, IssuedDocument } from '#shared/domain/document.ts';
import type { BookCash } from '#shared/domain/money-vouchers.ts';
import type { ReturnDocument } from '#shared/domain/return-document.ts';
import type { Recipient } from '#shared/domain/place-of-supply.ts';
import { testDocument } from '#shared/domain/test-document.ts';

/** A sale from its payment to its end, as the product documents it. */
export interface TestSale {
  recipient: Recipient;
  totalPaise: number;
  paidOn: number;
  /** Days from the payment to the start; above 0 it is an advance. */
  startsAfter: number;
  end:
    | 'kept'
    | 'cancelled before the start'
    | 'refunded in part before the start'
    | 'ended with a refund'
    | 'ended without a refund'
    | 'refunded in part'
    | 'corrected';
  /** Days from the start to the end. */
  endsAfter: number;
  percent: number;
}

export const recipients: Recipient[] = [
  { kind: 'registered', gstin: '29ZZZCA0001A1Z0' },
  { kind: 'unregistered', stateCode: '29' },
  { kind: 'unregistered', stateCode: '27' },
  { kind: 'overseas', underLut: true },
  { kind: 'overseas', underLut: false },
];

export const anySale: fc.Arbitrary<TestSale> = fc.record({
  recipient: fc.constantFrom(...recipients),
  totalPaise: fc.integer({ min: 100, max: 50_000_000 }),
  paidOn: fc.integer({ min: 0, max: 120 }),
  startsAfter: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 70 })),
  end: fc.constantFrom(
    'kept',
    'cancelled before the start',
    'refunded in part before the start',
    'ended with a refund',
    'ended without a refund',
    'refunded in part',
    'corrected',
  ),
  endsAfter: fc.integer({ min: 0, max: 40 }),
  percent: fc.integer({ min: 1, max: 99 }),
});

const firstDay: Day = '2026-01-05';
/** After everything that a sale can bring. */
export const lastDay: Day = '2027-12-31';

/** The documents, cash and ends of sales, and the documents as a return needs them. */
export function factsOf(sales: readonly TestSale[]): { facts: BookFacts; documents: ReturnDocument[] } {
  const documents: { book: BookDocument; full: ReturnDocument }[] = [];
  const cash: BookCash[] = [];
  const ends = new Map<string, Day>();
  for (const [index, sale] of sales.entries()) {
    const { recipient, totalPaise, percent } = sale;
    const paidOn = addDays(firstDay, sale.paidOn);
    const fromDate = addDays(paidOn, sale.startsAfter);
    const toDate = addDays(fromDate, 30);
    const cycleId = `CYC-${index}`;
    const customerId = `CUS-${index}`;
    const paymentId = `pay_${index}`;
    const issue = (
      kind: DocumentKind,
      suffix: string,
      on: Day,
      paise: number,
      follows: IssuedDocument | null,
      before: IssuedDocument[] = [],
    ) => {
      const number = `${kind}/${index}${suffix}`;
      const full = testDocument({ kind, number, issuedOn: on, totalPaise: paise, recipient });
      const { split } = full.content;
      const refersToId = follows?.number ?? null;
      documents.push({
        full: { ...full, cancelled: false, follows, returnedBefore: before.map(({ content }) => content.split) },
        book: {
          id: number,
          kind,
          number,
          issuedOn: on,
          customerId,
          cycleId,
          refersToId,
          fromDate,
          toDate,
          cancelled: false,
          ...split,
        },
      });
      return full;
    };
    const refund = (on: Day, paise: number) => {
      const id = `paid:RFD-${index}-${cash.length}`;
      const transfer = cash.length % 2 === 0 ? { utr: `UTR${index}`, on } : null;
      cash.push({ id, kind: 'refunded', on, customerId, paymentId, amountPaise: paise, transfer });
    };
    cash.push({
      id: `capture:${paymentId}`,
      kind: 'captured',
      on: paidOn,
      customerId,
      paymentId,
      amountPaise: totalPaise,
      transfer: null,
    });
    const voucher = sale.startsAfter > 0 ? issue('RECEIPT_VOUCHER', '', paidOn, totalPaise, null) : null;
    if (voucher && sale.end === 'cancelled before the start') {
      issue('REFUND_VOUCHER', '', addDays(fromDate, -1), totalPaise, voucher);
      refund(addDays(fromDate, 3), totalPaise);
      ends.set(cycleId, addDays(fromDate, -1));
      continue;
    }
    const part = Math.max(1, Math.floor((totalPaise * percent) / 100));
    if (voucher && sale.end === 'refunded in part before the start' && part < totalPaise) {
      const returned = issue('REFUND_VOUCHER', '', addDays(fromDate, -1), part, voucher);
      refund(addDays(fromDate, 3), part);
      issue('INVOICE', '', fromDate, totalPaise - part, voucher, [returned]);
      continue;
    }
    const invoice = issue('INVOICE', '', fromDate, totalPaise, voucher);
    const endsOn = addDays(fromDate, sale.endsAfter);
    if (sale.end === 'ended with a refund' || sale.end === 'refunded in part') {
      issue('CREDIT_NOTE', '', endsOn, part, invoice);
      refund(addDays(endsOn, 4), part);
    }
    if (sale.end === 'ended with a refund' || sale.end === 'ended without a refund') ends.set(cycleId, endsOn);
    if (sale.end === 'corrected') {
      issue('INVOICE', 'b', endsOn, totalPaise, invoice);
      issue('CREDIT_NOTE', 'b', endsOn, totalPaise, invoice);
    }
  }
  const inOrder = documents.toSorted((a, b) => (a.book.issuedOn < b.book.issuedOn ? -1 : 1));
  return {
    facts: {
      documents: inOrder.map(({ book }) => book),
      cash,
      ends,
      disputes: [],
      settlements: [],
      tds: [],
      badDebts: [],
    },
    documents: inOrder.map(({ full }) => full),
  };
}
