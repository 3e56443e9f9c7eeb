import type { Gstr3b, Gstr3bAmounts, Gstr3bPlace, TaxByKind } from '#shared/domain/gst-return-3b.ts';

/**
 * GSTR-3B as the file of the GST portal's offline utility. Amounts are rupees. Tables that the product has no data for are there with
 * zeros, as the utility writes them, to be filled in by the accountant. `month`: `2026-11`.
 */
export function gstr3bJson(gstin: string, month: string, gstr3b: Gstr3b): object {
  const [year, number] = month.split('-');
  const { taxable, zeroRated, nilRated, unregistered, uinHolders } = gstr3b;
  return {
    gstin,
    ret_period: `${number}${year}`,
    sup_details: {
      osup_det: amounts(taxable),
      osup_zero: { txval: rupees(zeroRated.taxablePaise), iamt: rupees(zeroRated.igstPaise), csamt: 0 },
      osup_nil_exmp: { txval: rupees(nilRated.taxablePaise) },
      isup_rev: { txval: 0, ...none },
      osup_nongst: { txval: 0 },
    },
    eco_dtls: { eco_sup: { txval: 0, ...none }, eco_reg_sup: { txval: 0 } },
    inter_sup: { unreg_details: unregistered.map(place), comp_details: [], uin_details: uinHolders.map(place) },
    itc_elg: {
      itc_avl: ['IMPG', 'IMPS', 'ISRC', 'ISD', 'OTH'].map((ty) => ({ ty, ...none })),
      itc_rev: ['RUL', 'OTH'].map((ty) => ({ ty, ...none })),
      itc_net: none,
      itc_inelg: ['RUL', 'OTH'].map((ty) => ({ ty, ...none })),
    },
    inward_sup: { isup_details: ['GST', 'NONGST'].map((ty) => ({ ty, inter: 0, intra: 0 })) },
    intr_ltfee: { intr_details: none },
  };
}

const none = { iamt: 0, camt: 0, samt: 0, csamt: 0 };
const rupees = (paise: number): number => paise / 100;

function taxes({ igstPaise, cgstPaise, sgstPaise }: TaxByKind): object {
  return { iamt: rupees(igstPaise), camt: rupees(cgstPaise), samt: rupees(sgstPaise), csamt: 0 };
}

function amounts(all: Gstr3bAmounts): object {
  return { txval: rupees(all.taxablePaise), ...taxes(all) };
}

function place({ placeOfSupply, taxablePaise, igstPaise }: Gstr3bPlace): object {
  return { pos: placeOfSupply, txval: rupees(taxablePaise), iamt: rupees(igstPaise) };
}
