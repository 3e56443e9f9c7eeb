import { faultsOfGstr1 } from '#shared/domain/gst-return-check.ts';
import { type GstReturn, netOf } from '#shared/domain/gst-return.ts';
import { type Gstr3b, negativeRowsOf, outputTaxOf, type TaxByKind } from '#shared/domain/gst-return-3b.ts';
import { gstr3bJson } from '#shared/domain/gst-return-3b-json.ts';
import { gstr1JsonFiles } from '#shared/domain/gst-return-json.ts';
import { formatRupees, rupees, toPaise } from '#shared/domain/money.ts';
import type { Month } from '#shared/domain/month.ts';
import { gstr1Files } from '#server/features/documents/documents.ts';
import type { TextFile } from '#server/operator-handler.ts';
import { gstr3bCsv } from './gstr3b-csv.ts';
import { type GstOnFees, inputTaxCsv } from './input-tax.ts';

const jsonOf = (value: object): string => `${JSON.stringify(value, null, 1)}\n`;

/** GSTR-1 of each GSTIN in a folder of its name, and what the check found. */
export function gstr1Papers(month: Month, returns: ReadonlyMap<string, GstReturn>) {
  const texts: TextFile[] = [];
  const checked = [...returns].map(([gstin, gstReturn]) => {
    const tables = gstr1Files(gstReturn);
    const { upload, all, filledIn } = gstr1JsonFiles(gstin, month, gstReturn);
    for (const [name, content] of tables) texts.push({ name: `${gstin}/${name}.csv`, content });
    for (const { name, content } of [upload, all]) texts.push({ name: `${gstin}/${name}`, content: jsonOf(content) });
    const { taxablePaise, totalPaise, ...tax } = netOf(gstReturn);
    return {
      gstin,
      // Less the heads, and what follows the last line.
      tables: [...tables].map(([table, csv]) => ({ table, rows: csv.split('\r\n').length - 2 })),
      net: { taxable: rupees(taxablePaise), ...taxOf(tax), total: rupees(totalPaise) },
      filledIn,
      faults: faultsOfGstr1(JSON.parse(JSON.stringify(all.content))),
    };
  });
  return { texts, reply: { month, returns: checked } };
}

/** GSTR-3B of each GSTIN in a folder of its name, and the working paper for the input tax, which none of them has. */
export function gstr3bPapers(month: Month, returns: ReadonlyMap<string, Gstr3b>, fees: readonly GstOnFees[]) {
  const texts = [...returns].flatMap(([gstin, gstr3b]): TextFile[] => [
    { name: `${gstin}/gstr3b.json`, content: jsonOf(gstr3bJson(gstin, month, gstr3b)) },
    { name: `${gstin}/gstr3b.csv`, content: gstr3bCsv(gstr3b) },
  ]);
  if (fees.length > 0) texts.push({ name: 'input-tax.csv', content: inputTaxCsv(fees) });
  const gstOnFees = fees.length === 0 ? null : rupees(fees.reduce((sum, { gstPaise }) => sum + gstPaise, 0));
  const listed = [...returns].map(([gstin, gstr3b]) => ({
    gstin,
    rows: rowsOf(gstr3b),
    negativeRows: negativeRowsOf(gstr3b),
  }));
  return { texts, reply: { month, returns: listed, gstOnFees } };
}

/** For the accountant; the amount in rupees. */
export function inputTaxText(month: Month, gstOnFees: number): string {
  return `Fill in 4(A)(5) from GSTR-2B: the returns have no input tax. In ${month} the books have ${formatRupees(toPaise(gstOnFees))} of GST on the payment gateway’s fees; input-tax.csv lists it by the month of the payments.`;
}

const taxOf = ({ igstPaise, cgstPaise, sgstPaise }: TaxByKind) => ({
  igst: rupees(igstPaise),
  cgst: rupees(cgstPaise),
  sgst: rupees(sgstPaise),
});

function rowsOf(gstr3b: Gstr3b) {
  const { taxable, zeroRated, nilRated } = gstr3b;
  const rows = [
    { name: '3.1(a) taxable', ...taxable },
    { name: '3.1(b) zero-rated', ...zeroRated },
    { name: '3.1(c) nil-rated', ...nilRated },
    { name: 'Tax payable', taxablePaise: 0, ...outputTaxOf(gstr3b) },
  ];
  return rows.map(({ name, taxablePaise, ...tax }) => ({ name, taxable: rupees(taxablePaise), ...taxOf(tax) }));
}
