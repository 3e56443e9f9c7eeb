import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IssuedDocument } from '#shared/domain/document.ts';
import { gstReturnOf, netOf } from '#shared/domain/gst-return.ts';
import type { ReturnDocument } from '#shared/domain/return-document.ts';
import type { Recipient } from '#shared/domain/place-of-supply.ts';
import { testDocument } from '#shared/domain/test-document.ts';

const business = { kind: 'registered', gstin: '29ZZZCA0001A1Z0' } as const;
const consumer = { kind: 'unregistered', stateCode: '29' } as const;
const neighbour = { kind: 'unregistered', stateCode: '27' } as const;

function of(document: IssuedDocument, more: Partial<ReturnDocument> = {}): ReturnDocument {
  return { ...document, cancelled: false, follows: null, ...more };
}

const numbers = (rows: { document: ReturnDocument }[]) => rows.map((row) => row.document.number);

/** A document of October whose buyer's GSTIN was amended; it is its number too. */
const amended = (kind: 'INVOICE' | 'CREDIT_NOTE', recipient: Recipient, gstin: string) => {
  const { content: original, ...document } = testDocument({ kind, recipient, gstRateBasisPoints: 0, number: gstin });
  const content = { ...original, recipient: { ...original.recipient, gstin } };
  return { ...of({ ...document, content }), issuedOn: '2026-10-31', original };
};

test('an amended SEZ buyer of an exempt supply is in tables 9A and 9C, an amended business in neither', () => {
  const sez = { kind: 'registered', gstin: '27ZZZFA0003C2ZR', sez: true, underLut: true } as const;
  const result = gstReturnOf(
    '2026-11',
    [],
    [
      amended('INVOICE', sez, '29ZZZCA0001A2ZZ'),
      amended('CREDIT_NOTE', sez, '29ZZZCA0001A2ZZ'),
      amended('INVOICE', business, '29AAGCB7383J1Z4'),
      amended('CREDIT_NOTE', business, '29AAGCB7383J1Z4'),
    ],
  );
  expect([numbers(result.b2ba), numbers(result.cdnra)]).toEqual([['29ZZZCA0001A2ZZ'], ['29ZZZCA0001A2ZZ']]);
});

test('each document appears in its table', () => {
  const invoice = testDocument({ recipient: business, number: 'A/1' });
  const large = testDocument({ recipient: consumer, totalPaise: 10_000_001, number: 'A/2' });
  const abroad = testDocument({ recipient: { kind: 'overseas', underLut: true }, number: 'A/3' });
  const result = gstReturnOf('2026-11', [
    of(invoice),
    of(large),
    of(abroad),
    of(testDocument({ recipient: consumer, totalPaise: 10_000_000, number: 'A/4' })),
    of(testDocument({ recipient: neighbour, number: 'A/5' })),
    of(testDocument({ kind: 'CREDIT_NOTE', recipient: business, number: 'C/1' }), { follows: invoice }),
    of(testDocument({ kind: 'CREDIT_NOTE', recipient: consumer, totalPaise: 500, number: 'C/2' }), { follows: large }),
  ]);
  expect(numbers(result.b2b)).toEqual(['A/1']);
  expect(numbers(result.b2cl)).toEqual(['A/2']);
  expect(numbers(result.exp)).toEqual(['A/3']);
  expect(numbers(result.cdnr)).toEqual(['C/1']);
  // A small note to a large invoice belongs in the invoice's table.
  expect(numbers(result.cdnur)).toEqual(['C/2']);
  expect(result.b2cs.map(({ placeOfSupply, totalPaise }) => [placeOfSupply, totalPaise])).toEqual([
    ['27', 149_900],
    ['29', 10_000_000],
  ]);
  expect(result.docs).toMatchObject([
    { kind: 'INVOICE', from: 'A/1', to: 'A/5', count: 5, cancelled: 0 },
    { kind: 'CREDIT_NOTE', from: 'C/1', to: 'C/2', count: 2, cancelled: 0 },
  ]);
});

const exempt = (number: string, recipient: Recipient, more: Parameters<typeof testDocument>[0] = {}) =>
  testDocument({ number, recipient, totalPaise: 100_000, gstRateBasisPoints: 0, ...more });

test('exempt supplies are in table 8 by kind of buyer, less credit notes; abroad and to a zone they stay in table 6', () => {
  const bill = exempt('A/1', business);
  const result = gstReturnOf('2026-11', [
    of(bill),
    of(exempt('A/2', consumer, { totalPaise: 20_000_000 })),
    of(exempt('A/3', neighbour)),
    of(exempt('A/4', { kind: 'overseas', underLut: true })),
    of(exempt('C/1', business, { kind: 'CREDIT_NOTE', totalPaise: 40_000 }), { follows: bill }),
    of(exempt('R/1', consumer, { kind: 'RECEIPT_VOUCHER' })),
  ]);
  expect(result.nil.map(({ interState, registered, taxablePaise }) => [interState, registered, taxablePaise])).toEqual([
    [false, false, 100_000],
    [true, false, 20_000_000],
    [true, true, 60_000],
  ]);
  expect(numbers(result.exp)).toEqual(['A/4']);
  const { b2b, b2cl, b2cs, cdnr, cdnur, at } = result;
  expect([b2b, b2cl, b2cs, cdnr, cdnur, at]).toEqual([[], [], [], [], [], []]);
  expect(result.hsn.map(({ buyers, taxablePaise }) => [buyers, taxablePaise])).toEqual([
    ['B2B', 60_000],
    ['B2C', 20_200_000],
  ]);
  expect(netOf(result).taxablePaise).toBe(20_260_000);
});

test('an advance without tax is in no table of taxed advances, neither when it is paid nor when it is invoiced', () => {
  const recipient = { kind: 'overseas', underLut: true } as const;
  const voucher = testDocument({ kind: 'RECEIPT_VOUCHER', number: 'R/1', recipient });
  expect(gstReturnOf('2026-11', [of(voucher)]).at).toEqual([]);
  const invoice = testDocument({ number: 'A/1', recipient, issuedOn: '2026-12-21' });
  expect(gstReturnOf('2026-12', [of(invoice, { follows: voucher })]).atadj).toEqual([]);
});

test('an invoice that is cancelled in the next month leaves its payment in its own as an advance', () => {
  const invoice = testDocument({ number: 'A/1', recipient: business });
  const gone = { cancelled: true, cancelledLater: true };
  const november = gstReturnOf('2026-11', [of(invoice, gone)]);
  expect(november.at).toMatchObject([{ placeOfSupply: '29', totalPaise: 149_900 }]);
  expect(november.docs).toMatchObject([{ count: 1, cancelled: 1 }]);
  // Over less: tax that was not due was refunded.
  const next = testDocument({ number: 'A/2', recipient: neighbour, issuedOn: '2026-12-01', totalPaise: 127_034 });
  const replacement = of(next, { follows: invoice, replaces: { invoice, advance: null } });
  const december = gstReturnOf('2026-12', [replacement]);
  expect(december.b2cs).toMatchObject([{ placeOfSupply: '27', totalPaise: 127_034 }]);
  expect(december.atadj).toMatchObject([{ placeOfSupply: '29', totalPaise: 149_900 }]);
});

test('an advance whose invoice is cancelled in the next month stays an advance until the replacement', () => {
  const voucher = testDocument({ kind: 'RECEIPT_VOUCHER', number: 'R/1', issuedOn: '2026-10-05' });
  const invoice = testDocument({ number: 'A/1' });
  const november = gstReturnOf('2026-11', [of(invoice, { follows: voucher, cancelled: true, cancelledLater: true })]);
  expect([november.at, november.atadj]).toEqual([[], []]);
  const next = testDocument({ number: 'A/2', issuedOn: '2026-12-01' });
  const december = gstReturnOf('2026-12', [of(next, { follows: invoice, replaces: { invoice, advance: voucher } })]);
  expect(december.atadj).toMatchObject([{ totalPaise: 149_900 }]);
  expect(netOf(december).totalPaise).toBe(0);
});

test('an advance is reported in its month, unless it is invoiced in the same; later it is adjusted', () => {
  const voucher = testDocument({ kind: 'RECEIPT_VOUCHER', number: 'R/1' });
  const invoice = testDocument({ number: 'A/1' });
  const together = gstReturnOf('2026-11', [of(voucher), of(invoice, { follows: voucher })]);
  expect([together.at, together.atadj]).toEqual([[], []]);
  expect(gstReturnOf('2026-11', [of(voucher)]).at).toMatchObject([{ placeOfSupply: '29', totalPaise: 149_900 }]);
  const later = { ...invoice, issuedOn: '2026-12-21' };
  const december = gstReturnOf('2026-12', [of(later, { follows: voucher })]);
  expect(december.atadj).toMatchObject([{ totalPaise: 149_900 }]);
  expect(netOf(december).totalPaise).toBe(0);
});

test('a partly refunded advance stays reported for the rest, and its invoice adjusts what it uses up', () => {
  const voucher = testDocument({ kind: 'RECEIPT_VOUCHER', number: 'R/1' });
  const refund = testDocument({ kind: 'REFUND_VOUCHER', number: 'V/1', totalPaise: 40_000 });
  const november = gstReturnOf('2026-11', [of(voucher), of(refund, { follows: voucher })]);
  expect(november.at).toMatchObject([{ totalPaise: 109_900 }]);
  const invoice = testDocument({ number: 'A/1', totalPaise: 109_900, issuedOn: '2026-12-21' });
  const returnedBefore = [refund.content.split];
  const december = gstReturnOf('2026-12', [of(invoice, { follows: voucher, returnedBefore })]);
  expect(december.atadj).toMatchObject([{ totalPaise: 109_900 }]);
  expect(netOf(december).totalPaise).toBe(0);
});

test('all that was reported of a partly refunded advance is adjusted, to the paisa of its tax', () => {
  const buyer = { kind: 'overseas', underLut: false } as const;
  const voucher = testDocument({ kind: 'RECEIPT_VOUCHER', number: 'R/1', totalPaise: 176_882, recipient: buyer });
  const refund = testDocument({ kind: 'REFUND_VOUCHER', number: 'V/1', totalPaise: 10_001, recipient: buyer });
  const rest = { number: 'A/1', totalPaise: 166_881, issuedOn: '2026-12-05', recipient: buyer };
  const reported = gstReturnOf('2026-11', [of(voucher), of(refund, { follows: voucher })]).at;
  const returnedBefore = [refund.content.split];
  const invoice = of(testDocument(rest), { follows: voucher, returnedBefore });
  expect(reported).toMatchObject([{ igstPaise: 25_456 }]);
  expect(gstReturnOf('2026-12', [invoice]).atadj).toEqual(reported);
  // An invoice whose registration was cancelled later used up the same.
  const next = of(testDocument({ ...rest, number: 'A/2' }), {
    follows: invoice,
    replaces: { invoice, advance: voucher },
    returnedBefore,
  });
  expect(gstReturnOf('2026-12', [next]).atadj).toEqual(reported);
});

test('each series has its own row in the summary of documents, even where a kind has several', () => {
  const invoices = ['OCT/26-27/999998', 'OCT/26-27/999999', 'OCT/26-27/A00001', 'OCT/26-27/A00002', 'OCT/26-27/AB0001'];
  const result = gstReturnOf(
    '2026-11',
    invoices.map((number) => of(testDocument({ number }), { cancelled: number === 'OCT/26-27/A00001' })),
  );
  expect(result.docs).toEqual([
    { kind: 'INVOICE', from: 'OCT/26-27/999998', to: 'OCT/26-27/999999', count: 2, cancelled: 0 },
    { kind: 'INVOICE', from: 'OCT/26-27/A00001', to: 'OCT/26-27/A00002', count: 2, cancelled: 1 },
    { kind: 'INVOICE', from: 'OCT/26-27/AB0001', to: 'OCT/26-27/AB0001', count: 1, cancelled: 0 },
  ]);
});

test('numbers that another registration has are left out of the summary of documents', () => {
  const numbers = ['OCT/26-27/000007', 'OCT/26-27/000008', 'OCT/26-27/000011', 'OCT/26-27/000012'];
  expect(
    gstReturnOf(
      '2026-11',
      numbers.map((number) => of(testDocument({ number }))),
    ).docs,
  ).toEqual([
    { kind: 'INVOICE', from: 'OCT/26-27/000007', to: 'OCT/26-27/000008', count: 2, cancelled: 0 },
    { kind: 'INVOICE', from: 'OCT/26-27/000011', to: 'OCT/26-27/000012', count: 2, cancelled: 0 },
  ]);
});

test('a cancelled invoice counts only by its number', () => {
  const result = gstReturnOf('2026-11', [of(testDocument({ recipient: business }), { cancelled: true })]);
  expect(result.b2b).toEqual([]);
  expect(result.docs).toMatchObject([{ count: 1, cancelled: 1 }]);
});

test('documents of another month are refused', () => {
  expect(() => gstReturnOf('2026-12', [of(testDocument())])).toThrow(RangeError);
});

test('over any months, the returns add up to payments minus refunds', () => {
  const story = fc.record({
    recipient: fc.constantFrom(business, consumer, neighbour),
    totalPaise: fc.integer({ min: 100, max: 50_000_000 }),
    paidIn: fc.integer({ min: 1, max: 6 }),
    startsAfter: fc.integer({ min: 0, max: 3 }),
    end: fc.constantFrom('kept', 'refunded early', 'credited'),
    credit: fc.integer({ min: 1, max: 100 }),
  });
  fc.assert(
    fc.property(fc.array(story, { maxLength: 12 }), (stories) => {
      const documents: ReturnDocument[] = [];
      let balance = 0;
      for (const [index, { recipient, totalPaise, paidIn, startsAfter, end, credit }] of stories.entries()) {
        const on = (month: number) => ({
          issuedOn: `2026-${String(month).padStart(2, '0')}-05`,
          recipient,
          totalPaise,
        });
        balance += totalPaise;
        const voucher = testDocument({ ...on(paidIn), kind: 'RECEIPT_VOUCHER', number: `R/${index}` });
        const starts = paidIn + startsAfter;
        if (startsAfter > 0) documents.push(of(voucher));
        if (startsAfter > 0 && end === 'refunded early') {
          const refund = testDocument({ ...on(starts), kind: 'REFUND_VOUCHER', number: `V/${index}` });
          documents.push(of(refund, { follows: voucher }));
          balance -= totalPaise;
          continue;
        }
        const invoice = testDocument({ ...on(starts), number: `A/${index}` });
        documents.push(of(invoice, { follows: startsAfter > 0 ? voucher : null }));
        if (end !== 'credited') continue;
        const part = Math.max(1, Math.floor((totalPaise * credit) / 100));
        const note = testDocument({ ...on(starts + 1), totalPaise: part, kind: 'CREDIT_NOTE', number: `C/${index}` });
        documents.push(of(note, { follows: invoice }));
        balance -= part;
      }
      let reported = 0;
      for (let month = 1; month <= 10; month += 1) {
        const name = `2026-${String(month).padStart(2, '0')}`;
        const own = documents.filter((document) => document.issuedOn.startsWith(name));
        reported += netOf(gstReturnOf(name, own)).totalPaise;
      }
      expect(reported).toBe(balance);
    }),
  );
});
