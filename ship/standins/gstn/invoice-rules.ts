import { z } from 'zod';
import { taxpayers } from '#ship/standins/gstn/taxpayers.ts';

/** An error as the invoice portal reports it. */
export interface PortalError {
  code: string;
  message: string;
}

const amount = z.number().min(0).max(99_999_999_999_999);
const day = z.string().regex(/^[0-3]\d\/[01]\d\/20\d{2}$/);
const stateCode = z.string().regex(/^\d{2}$/);
const pin = z.int().min(100_000).max(999_999);
const place = {
  Addr1: z.string().min(1).max(100),
  Addr2: z.string().min(3).max(100).optional(),
  Loc: z.string().min(3).max(50),
  Pin: pin,
  Stcd: stateCode,
};
const name = z.string().min(3).max(100);

/** The part of schema INV-01 version 1.1 that is checked first (2140). */
export const inv01 = z.looseObject({
  Version: z.literal('1.1'),
  TranDtls: z.looseObject({
    TaxSch: z.literal('GST'),
    SupTyp: z.enum(['B2B', 'SEZWP', 'SEZWOP', 'EXPWP', 'EXPWOP', 'DEXP']),
    RegRev: z.enum(['Y', 'N']).optional(),
    IgstOnIntra: z.enum(['Y', 'N']).optional(),
  }),
  DocDtls: z.looseObject({
    Typ: z.enum(['INV', 'CRN', 'DBN']),
    No: z.string().regex(/^[a-zA-Z1-9][a-zA-Z0-9/-]{0,15}$/),
    Dt: day,
  }),
  SellerDtls: z.looseObject({ Gstin: z.string().regex(/^\d{2}[0-9A-Z]{13}$/), LglNm: name, ...place }),
  BuyerDtls: z.looseObject({
    Gstin: z.string().regex(/^(?:\d{2}[0-9A-Z]{13}|URP)$/),
    LglNm: name,
    Pos: stateCode,
    ...place,
  }),
  ItemList: z
    .array(
      z.looseObject({
        SlNo: z.string().regex(/^\d{1,6}$/),
        PrdDesc: z.string().min(3).max(300).optional(),
        IsServc: z.enum(['Y', 'N']),
        HsnCd: z.string().regex(/^\d{4,8}$/),
        Qty: amount.optional(),
        Unit: z.string().min(3).max(8).optional(),
        UnitPrice: amount,
        TotAmt: amount,
        Discount: amount.optional(),
        AssAmt: amount,
        GstRt: z.number().min(0).max(999.999),
        IgstAmt: amount.optional(),
        CgstAmt: amount.optional(),
        SgstAmt: amount.optional(),
        TotItemVal: amount,
      }),
    )
    .min(1)
    .max(1000),
  ValDtls: z.looseObject({
    AssVal: amount,
    CgstVal: amount.optional(),
    SgstVal: amount.optional(),
    IgstVal: amount.optional(),
    RndOffAmt: z.number().min(-99.99).max(99.99).optional(),
    TotInvVal: amount,
  }),
  RefDtls: z
    .looseObject({
      PrecDocDtls: z.array(z.looseObject({ InvNo: z.string().min(1).max(16), InvDt: day })).optional(),
      ContrDtls: z
        .array(
          z.looseObject({
            PORefr: z
              .string()
              .regex(/^[0-9A-Za-z/-]{1,16}$/)
              .optional(),
            PORefDt: day.optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});

export type Inv01 = z.output<typeof inv01>;

/** The portal tolerates a difference of one rupee. */
const toleranceRupees = 1;
const differ = (one: number, other: number) => Math.abs(one - other) > toleranceRupees;

/**
 * The portal's errors for a well-formed document, as far as the stand-in simulates them. `gstin` is the one that signed
 * in.
 */
export function errorsOf(document: Inv01, gstin: string): PortalError[] {
  const { SellerDtls: seller, BuyerDtls: buyer, TranDtls, ItemList: items, ValDtls: values } = document;
  const errors: PortalError[] = [];
  const add = (code: string, message: string) => errors.push({ code, message });
  const sum = (part: (item: Inv01['ItemList'][number]) => number | undefined) =>
    items.reduce((total, item) => total + (part(item) ?? 0), 0);

  if (seller.Gstin !== gstin) add('2143', 'Invoice does not belong to the user GSTIN');
  for (const [whose, number] of [
    ['supplier', seller.Gstin],
    ['recipient', buyer.Gstin],
  ] as const) {
    if (number === 'URP') continue;
    const found = taxpayers.get(number);
    if (found === undefined) add('3028', `GSTIN ${number} of the ${whose} is invalid`);
    else if (found.sts !== 'Active')
      add(found.sts.startsWith('Cancelled') ? '3074' : '3029', `GSTIN ${number} of the ${whose} is not active`);
  }
  const zeroRated = /^(?:EXP|SEZ)/.test(TranDtls.SupTyp);
  if (!zeroRated && seller.Stcd === buyer.Pos && TranDtls.IgstOnIntra !== 'Y' && sum((item) => item.IgstAmt) > 0) {
    add(
      '2172',
      'For Intra-state transaction, IGST amounts are not applicable; only CGST and SGST amounts are applicable',
    );
  }
  for (const { SlNo, HsnCd, TotAmt, Discount = 0, AssAmt } of items) {
    if (HsnCd.length < 6) add('2176', `Invalid HSN code(s) - ${HsnCd}`);
    if (differ(AssAmt, TotAmt - Discount))
      add('2193', `The Assessable amount of item ${SlNo} is not (Total amount - Discount)`);
  }
  if (
    differ(
      values.AssVal,
      sum((item) => item.AssAmt),
    )
  )
    add('2182', 'Taxable value total is not sum of taxable values of items');
  if (differ(values.TotInvVal, sum((item) => item.TotItemVal) + (values.RndOffAmt ?? 0))) {
    add('2189', 'Invalid total invoice value');
  }
  return errors;
}
