import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printResult } from '#cli/command-result.ts';
import { dataFolder } from '#cli/data-folder.ts';
import { withProgress } from '#cli/progress.ts';
import {
  type Gstr3b,
  type Gstr3bAmounts,
  type InputTax,
  negativeRowsOf,
  outputTaxOf,
} from '#shared/domain/gst-return-3b.ts';
import { gstr3bJson } from '#shared/domain/gst-return-3b-json.ts';
import { formatRupees, rupees } from '#shared/domain/money.ts';
import type { Month } from '#shared/domain/month.ts';
import { makeFolder, makeWritableFolder } from '#shared/platform/make-folder.ts';
import { gstr3bCsv, readGstr3bs, unassignedText } from '#server/features/bookkeeping/bookkeeping.ts';
import { readGstReturns } from '#server/features/documents/documents.ts';
import { asReader } from '#server/operator-context.ts';

/** `octroi gstr3b`: the figures of a month for each GSTIN. */
export async function writeGstr3b(
  month: Month,
  folder: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const target = folder ?? dataFolder('gstr3b', month);
  makeWritableFolder(target);
  const { returns, unassigned } = await withProgress(`GSTR-3B of ${month}`, () =>
    asReader(async (db) => readGstr3bs(db, month, await readGstReturns(db, month))),
  );
  const written = [...returns].map(([gstin, gstr3b]) => {
    const place = join(target, gstin);
    makeFolder(place);
    writeFileSync(join(place, 'gstr3b.json'), `${JSON.stringify(gstr3bJson(gstin, month, gstr3b), null, 1)}\n`);
    writeFileSync(join(place, 'gstr3b.csv'), gstr3bCsv(gstr3b));
    return { gstin, folder: place, gstr3b };
  });
  const result = written.map(({ gstr3b, ...each }) => ({
    ...each,
    rows: rowsOf(gstr3b).map(([name, amounts]) => ({ name, ...inRupees(amounts) })),
    negativeRows: negativeRowsOf(gstr3b),
  }));
  printResult(json, { month, returns: result, unassignedInputTax: unassigned && inputTaxInRupees(unassigned) }, [
    ...(written.length === 0 ? [`Nothing was sold by the end of ${month}.`] : []),
    ...(unassigned === null ? [] : [unassignedText(month, unassigned)]),
    ...written.flatMap(({ gstin, folder: place, gstr3b }) => [
      `GSTR-3B of ${gstin} for ${month}`,
      ...tableOf(gstr3b),
      `Written to ${place}`,
      ...negativeRowsOf(gstr3b).map(
        (row) => `${row} is negative: the GST portal takes zero, and the rest lowers a later month.`,
      ),
    ]),
  ]);
}

const inputTaxInRupees = ({ igstPaise, cgstPaise, sgstPaise }: InputTax) => ({
  igst: rupees(igstPaise),
  cgst: rupees(cgstPaise),
  sgst: rupees(sgstPaise),
});

const inRupees = ({ taxablePaise, igstPaise, cgstPaise, sgstPaise }: Gstr3bAmounts) => ({
  taxable: rupees(taxablePaise),
  igst: rupees(igstPaise),
  cgst: rupees(cgstPaise),
  sgst: rupees(sgstPaise),
});

function rowsOf(gstr3b: Gstr3b): [string, Gstr3bAmounts][] {
  const { taxable, zeroRated, nilRated, inputTax } = gstr3b;
  return [
    ['3.1(a) taxable', taxable],
    ['3.1(b) zero-rated', zeroRated],
    ['3.1(c) nil-rated', nilRated],
    ['Tax payable', { taxablePaise: 0, ...outputTaxOf(gstr3b) }],
    ['4(A)(5) input tax', { taxablePaise: 0, ...inputTax }],
  ];
}

const line = (title: string, cells: readonly string[]): string =>
  title.padEnd(20) + cells.map((cell) => cell.padStart(18)).join('');

function tableOf(gstr3b: Gstr3b): string[] {
  return [
    line('', ['Taxable value', 'IGST', 'CGST', 'SGST/UTGST']),
    ...rowsOf(gstr3b).map(([title, { taxablePaise, igstPaise, cgstPaise, sgstPaise }]) =>
      line(title, [taxablePaise, igstPaise, cgstPaise, sgstPaise].map(formatRupees)),
    ),
  ];
}
