import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Gstr3b, gstr3bOf, negativeRowsOf, outputTaxOf } from '#shared/domain/gst-return-3b.ts';
import { gstr3bJson } from '#shared/domain/gst-return-3b-json.ts';
import { gstReturnOf, netOf } from '#shared/domain/gst-return.ts';
import type { ReturnDocument } from '#shared/domain/return-document.ts';
import { monthOf } from '#shared/domain/month.ts';
import { gstinCheckCharacter } from '#shared/domain/gstin.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { anySale, factsOf } from '#shared/domain/test-books.ts';
import { testDocument } from '#shared/domain/test-document.ts';

const noTax = { igstPaise: 0, cgstPaise: 0, sgstPaise: 0 };
const of = (document: ReturnType<typeof testDocument>, more: Partial<ReturnDocument> = {}): ReturnDocument => ({
  ...document,
  cancelled: false,
  follows: null,
  ...more,
});
const uin = `2917UNO00012UN`;

test('each supply is in its row of 3.1 and its part of 3.2', () => {
  const large = testDocument({ totalPaise: 11_800_000, number: 'A/2' });
  const result = gstr3bOf(
    gstReturnOf('2026-11', [
      of(
        testDocument({
          recipient: { kind: 'registered', gstin: '29ZZZCA0001A1Z0' },
          totalPaise: 118_000,
          number: 'A/1',
        }),
      ),
      of(large),
      of(testDocument({ totalPaise: 11_800, number: 'A/3' })),
      of(testDocument({ recipient: { kind: 'unregistered', stateCode: '27' }, totalPaise: 23_600, number: 'A/4' })),
      of(testDocument({ recipient: { kind: 'overseas', underLut: true }, totalPaise: 50_000, number: 'A/5' })),
      of(testDocument({ recipient: { kind: 'overseas', underLut: false }, totalPaise: 118_000, number: 'A/6' })),
      of(testDocument({ kind: 'CREDIT_NOTE', totalPaise: 1_180_000, number: 'C/1' }), { follows: large }),
      of(testDocument({ kind: 'RECEIPT_VOUCHER', totalPaise: 59_000, number: 'R/1' })),
    ]),
  );
  expect(result).toEqual<Gstr3b>({
    // 1,000 + 1,00,000 - 10,000 + 100 + 200 + 500 of the advance.
    taxable: { taxablePaise: 9_180_000, igstPaise: 1_648_800, cgstPaise: 1800, sgstPaise: 1800 },
    zeroRated: { taxablePaise: 150_000, igstPaise: 18_000, cgstPaise: 0, sgstPaise: 0 },
    nilRated: { taxablePaise: 0, ...noTax },
    unregistered: [
      { placeOfSupply: '29', placeOfSupplyName: 'Karnataka', taxablePaise: 9_010_000, igstPaise: 1_621_800 },
    ],
    uinHolders: [],
  });
});

test('holders of a UIN have their own part of 3.2, and a rate of zero is nil-rated', () => {
  const holder = testDocument({
    recipient: { kind: 'registered', gstin: `${uin}${gstinCheckCharacter(uin)}` },
    totalPaise: 118_000,
  });
  const zero = testDocument({ number: 'A/2', totalPaise: 5000, gstRateBasisPoints: 0 });
  const result = gstr3bOf(gstReturnOf('2026-11', [of(holder), of(zero)]));
  expect(result.uinHolders).toMatchObject([{ placeOfSupply: '29', taxablePaise: 100_000 }]);
  expect(result.nilRated).toEqual({ taxablePaise: 5000, ...noTax });
  expect(result.unregistered).toEqual([]);
});

test('over any months, 3.1 adds up to GSTR-1, and 3.2 is part of 3.1(a)', () => {
  fc.assert(
    fc.property(fc.array(anySale, { maxLength: 12 }), (sales) => {
      for (const [month, own] of groupBy(factsOf(sales).documents, ({ issuedOn }) => monthOf(issuedOn))) {
        const gstReturn = gstReturnOf(month, own);
        const net = netOf(gstReturn);
        const result = gstr3bOf(gstReturn);
        const { taxable, zeroRated, nilRated } = result;
        expect(taxable.taxablePaise + zeroRated.taxablePaise + nilRated.taxablePaise).toBe(net.taxablePaise);
        expect(outputTaxOf(result)).toEqual({
          igstPaise: net.igstPaise,
          cgstPaise: net.cgstPaise,
          sgstPaise: net.sgstPaise,
        });
        const interState = gstReturn.b2cs.filter((row) => row.interState).reduce((sum, row) => sum + row.igstPaise, 0);
        const large = gstReturn.b2cl.reduce((sum, row) => sum + row.igstPaise, 0);
        const notes = gstReturn.cdnur
          .filter(({ document }) => document.content.supplyType === 'B2C')
          .reduce((sum, row) => sum + row.igstPaise, 0);
        expect(result.unregistered.reduce((sum, row) => sum + row.igstPaise, 0)).toBe(interState + large - notes);
      }
    }),
  );
});

test('a month with more credit notes than supplies is named as negative', () => {
  const note = of(testDocument({ kind: 'CREDIT_NOTE', number: 'C/1' }), { follows: testDocument() });
  expect(negativeRowsOf(gstr3bOf(gstReturnOf('2026-11', [note])))).toEqual(['3.1(a)']);
  expect(negativeRowsOf(gstr3bOf(gstReturnOf('2026-11', [of(testDocument())])))).toEqual([]);
});

test('the file has every table of the return, in rupees', () => {
  const gstReturn = gstReturnOf('2026-11', [of(testDocument({ totalPaise: 11_800 }))]);
  const file = gstr3bJson('27ZZZCA0001A1Z4', '2026-11', gstr3bOf(gstReturn));
  expect(file).toMatchObject({
    gstin: '27ZZZCA0001A1Z4',
    ret_period: '112026',
    sup_details: { osup_det: { txval: 100, iamt: 18, camt: 0, samt: 0, csamt: 0 }, isup_rev: { txval: 0 } },
    inter_sup: { unreg_details: [{ pos: '29', txval: 100, iamt: 18 }], comp_details: [] },
    itc_elg: { itc_net: { iamt: 0 } },
  });
});
