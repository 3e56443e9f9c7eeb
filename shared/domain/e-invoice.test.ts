import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inv01Of, portalDay, portalTime } from '#shared/domain/e-invoice.ts';
import { testDocument } from '#shared/domain/test-document.ts';

const paise = (rupees: number) => Math.round(rupees * 100);
const buyer = { kind: 'registered', gstin: '29ZZZCA0001A1Z0' } as const;

test('an invoice to a business of another State, in the portal’s format', () => {
  expect(inv01Of(testDocument({ recipient: buyer }))).toMatchObject({
    Version: '1.1',
    TranDtls: { TaxSch: 'GST', SupTyp: 'B2B', RegRev: 'N' },
    DocDtls: { Typ: 'INV', No: 'OCT/26-27/000001', Dt: '21/11/2026' },
    SellerDtls: { Gstin: '27ZZZCA0001A1Z4', Loc: 'Mumbai', Pin: 400_053, Stcd: '27' },
    BuyerDtls: { Gstin: '29ZZZCA0001A1Z0', Pos: '29', Pin: 560_025, Stcd: '29' },
    ItemList: [{ HsnCd: '998439', IsServc: 'Y', AssAmt: 1270.34, GstRt: 18, IgstAmt: 228.66, TotItemVal: 1499 }],
    ValDtls: { AssVal: 1270.34, IgstVal: 228.66, RndOffAmt: 0, TotInvVal: 1499 },
  });
});

test('a credit note names its invoice', () => {
  const refersTo = { kind: 'INVOICE', number: 'OCT/26-27/000001', issuedOn: '2026-11-01' } as const;
  expect(inv01Of(testDocument({ kind: 'CREDIT_NOTE', recipient: buyer, refersTo }))).toMatchObject({
    DocDtls: { Typ: 'CRN' },
    RefDtls: { PrecDocDtls: [{ InvNo: 'OCT/26-27/000001', InvDt: '01/11/2026' }] },
  });
});

test('an invoice names the buyer’s purchase order, with its date when it is known', () => {
  const invoice = testDocument({ recipient: buyer });
  const ordered = (date: string | null) =>
    inv01Of({ ...invoice, content: { ...invoice.content, purchaseOrder: { number: 'PO/26-27/0042', date } } });
  expect(ordered('2026-11-03')).toMatchObject({
    RefDtls: { ContrDtls: [{ PORefr: 'PO/26-27/0042', PORefDt: '03/11/2026' }] },
  });
  expect(ordered(null).RefDtls).toEqual({ ContrDtls: [{ PORefr: 'PO/26-27/0042' }] });
  expect(inv01Of(invoice)).not.toHaveProperty('RefDtls');
});

test('an export under LUT: no tax, URP, PIN 999999, State 96, the country of destination', () => {
  expect(inv01Of(testDocument({ recipient: { kind: 'overseas', underLut: true } }))).toMatchObject({
    TranDtls: { SupTyp: 'EXPWOP' },
    BuyerDtls: { Gstin: 'URP', Pos: '96', Pin: 999_999, Stcd: '96' },
    ItemList: [{ GstRt: 0, IgstAmt: 0, TotItemVal: 1499 }],
    ExpDtls: { CntCode: 'SG' },
  });
});

test('sales to consumers and vouchers are not for the portal', () => {
  expect(() => inv01Of(testDocument())).toThrow(RangeError);
  expect(() => inv01Of(testDocument({ kind: 'RECEIPT_VOUCHER', recipient: buyer }))).toThrow(RangeError);
});

test('for any price, item and totals add up to the paisa', () => {
  const inState = { kind: 'registered', gstin: '27ZZZFA0003C2ZR' } as const;
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 1_000_000_000 }),
      fc.constantFrom(buyer, inState),
      (totalPaise, recipient) => {
        const { ItemList, ValDtls } = inv01Of(testDocument({ totalPaise, recipient }));
        const parts = ValDtls.AssVal + ValDtls.IgstVal + ValDtls.CgstVal + ValDtls.SgstVal + ValDtls.RndOffAmt;
        expect(paise(parts)).toBe(totalPaise);
        expect(paise(ValDtls.TotInvVal)).toBe(totalPaise);
        expect(paise((ItemList[0]?.TotItemVal ?? 0) + ValDtls.RndOffAmt)).toBe(totalPaise);
      },
    ),
  );
});

test('days and times of the portal', () => {
  expect(portalDay('2026-04-01')).toBe('01/04/2026');
  expect(portalTime('2026-11-21 10:30:00')).toBe(Date.parse('2026-11-21T05:00:00Z'));
  expect(() => portalTime('21/11/2026')).toThrow(RangeError);
});
