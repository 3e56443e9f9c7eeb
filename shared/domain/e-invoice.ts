import { irnTypes, isExempt, type IssuedDocument, type Recipient } from '#shared/domain/document.ts';
import type { Day } from '#shared/domain/day.ts';

/** PIN and State code of foreign buyers on the invoice portal. */
const abroadPin = 999_999;

/** A document in the invoice portal's format: schema INV-01, version 1.1. Amounts are rupees with two decimals. */
export type Inv01 = ReturnType<typeof inv01Of>;

/**
 * The INV-01 of a tax invoice or credit note to a registered buyer, an SEZ or a buyer abroad. Throws RangeError for the kinds
 * that are never registered (vouchers), for sales to consumers and for exempt supplies.
 */
export function inv01Of({ kind, number, issuedOn, content }: IssuedDocument) {
  const irnType = irnTypes[kind];
  const { supplyType, supplier, recipient, split, item } = content;
  if (irnType === null || supplyType === 'B2C' || isExempt(content))
    throw new RangeError(`${number} is not registered on the portal`);
  const taxes = {
    IgstAmt: rupees(split.igstPaise),
    CgstAmt: rupees(split.cgstPaise),
    // The schema has one field for State and Union territory tax.
    SgstAmt: rupees(split.sgstPaise + split.utgstPaise),
  };
  const assessable = rupees(split.taxablePaise);
  return {
    Version: '1.1',
    TranDtls: { TaxSch: 'GST', SupTyp: supplyType, RegRev: 'N', IgstOnIntra: 'N' },
    DocDtls: { Typ: irnType, No: number, Dt: portalDay(issuedOn) },
    SellerDtls: {
      Gstin: supplier.gstin,
      LglNm: supplier.name,
      ...addressLines(supplier.address),
      Loc: place(supplier.city, supplier.stateName),
      Pin: Number(supplier.pin),
      Stcd: supplier.stateCode,
    },
    BuyerDtls: buyerOf(recipient, content.placeOfSupply),
    ItemList: [
      {
        SlNo: '1',
        PrdDesc: item.description.slice(0, 300),
        IsServc: 'Y',
        HsnCd: item.sac,
        Qty: 1,
        Unit: 'OTH',
        UnitPrice: assessable,
        TotAmt: assessable,
        Discount: 0,
        AssAmt: assessable,
        GstRt: content.tax === 'NONE' ? 0 : content.gstRateBasisPoints / 100,
        ...taxes,
        CesRt: 0,
        CesAmt: 0,
        TotItemVal: rupees(split.taxablePaise + split.taxPaise),
      },
    ],
    ValDtls: {
      AssVal: assessable,
      IgstVal: taxes.IgstAmt,
      CgstVal: taxes.CgstAmt,
      SgstVal: taxes.SgstAmt,
      CesVal: 0,
      RndOffAmt: rupees(split.roundOffPaise),
      TotInvVal: rupees(split.totalPaise),
    },
    ...referencesOf(kind, content),
    ...(recipient.country === 'IN' ? {} : { ExpDtls: { CntCode: recipient.country } }),
  };
}

/** The invoice that a credit note is about, and the buyer's purchase order. */
function referencesOf(kind: IssuedDocument['kind'], { refersTo, purchaseOrder }: IssuedDocument['content']) {
  const preceding =
    kind === 'CREDIT_NOTE' && refersTo
      ? { PrecDocDtls: [{ InvNo: refersTo.number, InvDt: portalDay(refersTo.issuedOn) }] }
      : {};
  if (!purchaseOrder) return 'PrecDocDtls' in preceding ? { RefDtls: preceding } : {};
  const { number, date } = purchaseOrder;
  const contract = { PORefr: number, ...(date !== null && { PORefDt: portalDay(date) }) };
  return { RefDtls: { ...preceding, ContrDtls: [contract] } };
}

/** A day in the portal's format, dd/mm/yyyy. */
export function portalDay(day: Day): string {
  return day.split('-').toReversed().join('/');
}

/** The epoch milliseconds of a portal time, `yyyy-MM-dd HH:mm:ss` in IST. Throws RangeError for anything else. */
export function portalTime(text: string): number {
  const time = Date.parse(`${text.replace(' ', 'T')}+05:30`);
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) || Number.isNaN(time)) {
    throw new RangeError(`'${text}' is not a time of the invoice portal`);
  }
  return time;
}

/** A registration can be cancelled for 24 hours; afterwards only a credit note is possible. */
export const cancelWithinMs = 24 * 3_600_000;

/** Why a registration is cancelled, with the portal's codes. */
export const cancelReasonNames = ['duplicate', 'data-entry-mistake', 'order-cancelled', 'other'] as const;
export type CancelReason = (typeof cancelReasonNames)[number];
export const cancelReasons: Readonly<Record<CancelReason, string>> = {
  duplicate: '1',
  'data-entry-mistake': '2',
  'order-cancelled': '3',
  other: '4',
};

function buyerOf(recipient: Recipient, placeOfSupply: string) {
  const abroad = recipient.country !== 'IN';
  return {
    Gstin: abroad ? 'URP' : (recipient.gstin ?? 'URP'),
    LglNm: recipient.name.padEnd(3, '.'),
    Pos: placeOfSupply,
    ...addressLines(recipient.address),
    Loc: place(recipient.city, recipient.stateName),
    Pin: abroad ? abroadPin : Number(recipient.pin),
    Stcd: recipient.stateCode,
  };
}

/** Two lines of at most 100 characters. */
function addressLines(address: string): { Addr1: string; Addr2?: string } {
  const rest = address.slice(100, 200).trim();
  return { Addr1: address.slice(0, 100), ...(rest === '' ? {} : { Addr2: rest.padEnd(3, '.') }) };
}

/** The portal requires 3 to 50 letters. */
function place(city: string, stateName: string): string {
  return (city.length < 3 ? stateName : city).slice(0, 50);
}

function rupees(paise: number): number {
  return paise / 100;
}
