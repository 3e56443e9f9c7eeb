import { type CsvCell, csvOf } from '#shared/domain/csv.ts';
import type { Gstr3b, Gstr3bAmounts, Gstr3bPlace, TaxByKind } from '#shared/domain/gst-return-3b.ts';

const columns = ['Table', 'Supplies', 'Place of supply', 'Taxable value', 'IGST', 'CGST', 'SGST/UTGST', 'Cess'];
const nothing: Gstr3bAmounts = { taxablePaise: 0, igstPaise: 0, cgstPaise: 0, sgstPaise: 0 };
const rupees = (paise: number): number => paise / 100;

/** GSTR-3B as one table, in the order of the form. */
export function gstr3bCsv({ taxable, zeroRated, nilRated, unregistered, uinHolders }: Gstr3b): string {
  return csvOf(columns, [
    row('3.1(a)', 'Outward taxable supplies (other than zero-rated, nil-rated and exempted)', taxable),
    row('3.1(b)', 'Outward taxable supplies (zero-rated)', zeroRated),
    row('3.1(c)', 'Other outward supplies (nil-rated, exempted)', nilRated),
    row('3.1(d)', 'Inward supplies (liable to reverse charge)', nothing),
    row('3.1(e)', 'Non-GST outward supplies', nothing),
    row('3.1.1(i)', 'Supplies on which an e-commerce operator pays tax under section 9(5)', nothing),
    row('3.1.1(ii)', 'Supplies through an e-commerce operator that pays tax under section 9(5)', nothing),
    ...unregistered.map((place) => placeRow('Inter-State supplies to unregistered persons', place)),
    ...uinHolders.map((place) => placeRow('Inter-State supplies to UIN holders', place)),
    ['4(A)(5)', 'All other input tax credit, as in GSTR-2B: to be filled in', '', '', '', '', '', ''],
    ['4(C)', 'Net input tax credit available: to be filled in', '', '', '', '', '', ''],
  ]);
}

function row(table: string, supplies: string, amounts: Gstr3bAmounts): CsvCell[] {
  return [table, supplies, '', rupees(amounts.taxablePaise), ...taxes(amounts), 0];
}

function placeRow(supplies: string, { placeOfSupply, placeOfSupplyName, ...amounts }: Gstr3bPlace): CsvCell[] {
  const place = `${placeOfSupply}-${placeOfSupplyName}`;
  return ['3.2', supplies, place, rupees(amounts.taxablePaise), rupees(amounts.igstPaise), '', '', ''];
}

function taxes({ igstPaise, cgstPaise, sgstPaise }: TaxByKind): CsvCell[] {
  return [igstPaise, cgstPaise, sgstPaise].map(rupees);
}
