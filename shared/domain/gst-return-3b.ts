import type { DocumentRow, GstReturn, PlaceRow, ReturnAmounts } from '#shared/domain/gst-return.ts';
import { parseGstin } from '#shared/domain/gstin.ts';
import { groupBy } from '#shared/domain/group-by.ts';

/** Integer paise. Union territory tax is included in State tax, as in the return. */
export interface Gstr3bAmounts {
  taxablePaise: number;
  igstPaise: number;
  cgstPaise: number;
  sgstPaise: number;
}

/** Inter-State supplies to one State (table 3.2). */
export interface Gstr3bPlace {
  placeOfSupply: string;
  placeOfSupplyName: string;
  taxablePaise: number;
  igstPaise: number;
}

/** Tax by its kind. */
export type TaxByKind = Pick<Gstr3bAmounts, 'igstPaise' | 'cgstPaise' | 'sgstPaise'>;

/**
 * GSTR-3B of a month, as far as the product has data. It has none of reverse charge (3.1(d)), non-GST supplies (3.1(e)), supplies on
 * which an e-commerce operator pays the tax (3.1.1) and input tax (4): credit is what suppliers reported, in GSTR-2B (CGST Act s.16(2)(aa), s.38).
 */
export interface Gstr3b {
  /** 3.1(a): taxable, other than zero-rated, nil-rated and exempted. */
  taxable: Gstr3bAmounts;
  /** 3.1(b): zero-rated, that is exports and supplies to SEZs. */
  zeroRated: Gstr3bAmounts;
  /** 3.1(c): nil-rated and exempted. */
  nilRated: Gstr3bAmounts;
  /** 3.2, of the supplies in 3.1(a): inter-State to unregistered persons. */
  unregistered: Gstr3bPlace[];
  /** 3.2: inter-State to holders of a UIN. A GSTIN doesn't show a composition taxpayer: table 3.2 has none of those. */
  uinHolders: Gstr3bPlace[];
}

/**
 * GSTR-3B of the same month as a GSTR-1, from its tables, as the GST portal fills it in (and locks it, since July 2025): 3.1(a) from
 * tables 4A, 5, 7, 9B and 11, 3.1(b) from 6A, 6B and 9B, 3.1(c) from 8. All of table 11 is in 3.1(a) and none of it in 3.2, since it doesn't say who
 * paid the advance.
 */
export function gstr3bOf(gstReturn: GstReturn): Gstr3b {
  const { b2b, b2cl, b2cs, exp, cdnr, cdnur, nil, at, atadj } = gstReturn;
  const documents = [
    ...signed([...b2b, ...b2cl, ...exp].map(ofDocument), 1),
    ...signed([...cdnr, ...cdnur].map(ofDocument), -1),
  ];
  const supplies = [...documents, ...signed(b2cs.map(ofPlace), 1)];
  const advances = [...signed(at.map(ofPlace), 1), ...signed(atadj.map(ofPlace), -1)];
  const taxable = supplies.filter(({ supply }) => supply.class === 'taxable');
  const interState = taxable.filter(({ supply }) => supply.interState);
  return {
    taxable: sumOf([...taxable, ...advances]),
    zeroRated: sumOf(supplies.filter(({ supply }) => supply.class === 'zero-rated')),
    nilRated: nil.map(amountsOf).reduce((sum, row) => plus(sum, row), nothing),
    unregistered: byPlace(interState.filter(({ supply }) => supply.buyer === 'unregistered')),
    uinHolders: byPlace(interState.filter(({ supply }) => supply.buyer === 'UIN holder')),
  };
}

/** The tax of the month by kind: 3.1(a) and (b). */
export function outputTaxOf({ taxable, zeroRated }: Gstr3b): TaxByKind {
  return {
    igstPaise: taxable.igstPaise + zeroRated.igstPaise,
    cgstPaise: taxable.cgstPaise + zeroRated.cgstPaise,
    sgstPaise: taxable.sgstPaise + zeroRated.sgstPaise,
  };
}

/** The rows of 3.1 in which notes and used advances exceed supplies. The portal fills in zero for these. */
export function negativeRowsOf({ taxable, zeroRated, nilRated }: Gstr3b): string[] {
  const rows: [string, Gstr3bAmounts][] = [
    ['3.1(a)', taxable],
    ['3.1(b)', zeroRated],
    ['3.1(c)', nilRated],
  ];
  return rows.filter(([, amounts]) => Object.values(amounts).some((paise) => paise < 0)).map(([name]) => name);
}

/** What GSTR-3B asks of a row of GSTR-1. */
interface Supply extends Gstr3bAmounts {
  class: 'taxable' | 'zero-rated';
  buyer: 'unregistered' | 'UIN holder' | 'other';
  interState: boolean;
  placeOfSupply: string;
  placeOfSupplyName: string;
}

interface Signed {
  supply: Supply;
  sign: 1 | -1;
}

const signed = (supplies: readonly Supply[], sign: 1 | -1): Signed[] => supplies.map((supply) => ({ supply, sign }));

function ofDocument(row: DocumentRow): Supply {
  const { supplyType, recipient, interState, placeOfSupply, placeOfSupplyName } = row.document.content;
  const isZeroRated = supplyType !== 'B2B' && supplyType !== 'B2C';
  return {
    ...amountsOf(row),
    class: isZeroRated ? 'zero-rated' : 'taxable',
    buyer: recipient.gstin === null ? 'unregistered' : isUin(recipient.gstin) ? 'UIN holder' : 'other',
    interState,
    placeOfSupply,
    placeOfSupplyName,
  };
}

function ofPlace(row: PlaceRow): Supply {
  const { interState, placeOfSupply, placeOfSupplyName } = row;
  const about = { interState, placeOfSupply, placeOfSupplyName, buyer: 'unregistered' as const };
  return { ...amountsOf(row), ...about, class: 'taxable' };
}

function amountsOf({ taxablePaise, igstPaise, cgstPaise, sgstPaise }: ReturnAmounts): Gstr3bAmounts {
  return { taxablePaise, igstPaise, cgstPaise, sgstPaise };
}

function isUin(gstin: string): boolean {
  const parsed = parseGstin(gstin);
  return parsed.valid && parsed.kind === 'un_body_or_embassy';
}

const nothing: Gstr3bAmounts = { taxablePaise: 0, igstPaise: 0, cgstPaise: 0, sgstPaise: 0 };

function plus(a: Gstr3bAmounts, b: Gstr3bAmounts, sign = 1): Gstr3bAmounts {
  return {
    taxablePaise: a.taxablePaise + sign * b.taxablePaise,
    igstPaise: a.igstPaise + sign * b.igstPaise,
    cgstPaise: a.cgstPaise + sign * b.cgstPaise,
    sgstPaise: a.sgstPaise + sign * b.sgstPaise,
  };
}

function sumOf(all: readonly Signed[]): Gstr3bAmounts {
  return all.reduce((sum, { supply, sign }) => plus(sum, supply, sign), nothing);
}

function byPlace(all: readonly Signed[]): Gstr3bPlace[] {
  return [...groupBy(all, ({ supply }) => supply.placeOfSupply)]
    .map(([placeOfSupply, rows]) => {
      const { taxablePaise, igstPaise } = sumOf(rows);
      return { placeOfSupply, placeOfSupplyName: rows[0]?.supply.placeOfSupplyName ?? '', taxablePaise, igstPaise };
    })
    .toSorted((a, b) => (a.placeOfSupply < b.placeOfSupply ? -1 : 1));
}
