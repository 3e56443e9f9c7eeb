import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Gstr3b,
  type Gstr3bAmounts,
  gstr3bOf,
  type InputTax,
  negativeRowsOf,
  outputTaxOf,
} from '#domain/gst-return-3b.ts';
import { gstr3bJson } from '#domain/gst-return-3b-json.ts';
import { formatRupees } from '#domain/money.ts';
import { assertMonth } from '#domain/month.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { readOperatorSettings } from './config.ts';
import { gstr3bCsv, readInputTax } from './features/bookkeeping/bookkeeping.ts';
import { readGstReturns } from './features/documents/gstr1.ts';
import { withDatabase } from './operator-database.ts';

/**
 * `npm run gstr3b -- 2026-11 [folder]`: the figures of GSTR-3B of a month for each GSTIN, from the same documents as GSTR-1, as a JSON file for
 * upload and as CSV. The accountant adds what the product doesn't know: purchases and reverse charge.
 */
async function main(): Promise<void> {
  const [argument, folder] = parseArgs({ allowPositionals: true }).positionals;
  if (argument === undefined) throw new RangeError('Usage: npm run gstr3b -- 2026-11 [FOLDER]');
  const month = assertMonth(argument);
  loadEnvFile();
  const settings = readOperatorSettings({ env: process.env });
  const { returns, inputTax } = await withDatabase(settings, async (db) => ({
    returns: await readGstReturns(db, month),
    inputTax: await readInputTax(db, month),
  }));
  if (returns.size === 0) process.stdout.write(`No documents were issued in ${month}.\n`);
  if (returns.size > 1)
    process.stdout.write(`Add the input tax of ${month} to the GSTIN that the payment gateway invoices.\n`);
  for (const [gstin, gstReturn] of returns) {
    const gstr3b = gstr3bOf(gstReturn, returns.size > 1 ? noInputTax : inputTax);
    const target = join(folder ?? join(settings.dataDir, 'gstr3b', month), gstin);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'gstr3b.json'), `${JSON.stringify(gstr3bJson(gstin, month, gstr3b), null, 1)}\n`);
    writeFileSync(join(target, 'gstr3b.csv'), gstr3bCsv(gstr3b));
    process.stdout.write(`GSTR-3B of ${gstin} for ${month}\n${tableOf(gstr3b)}Written to ${target}\n`);
    for (const row of negativeRowsOf(gstr3b)) {
      process.stdout.write(`${row} is negative: the GST portal takes zero, and the rest lowers a later month.\n`);
    }
  }
}

const noInputTax: InputTax = { igstPaise: 0, cgstPaise: 0, sgstPaise: 0 };

const line = ([title, amounts]: [string, Gstr3bAmounts]): string =>
  title.padEnd(20) +
  [amounts.taxablePaise, amounts.igstPaise, amounts.cgstPaise, amounts.sgstPaise]
    .map((paise) => formatRupees(paise).padStart(18))
    .join('');

function tableOf(gstr3b: Gstr3b): string {
  const { taxable, zeroRated, nilRated, inputTax } = gstr3b;
  const rows: [string, Gstr3bAmounts][] = [
    ['3.1(a) taxable', taxable],
    ['3.1(b) zero-rated', zeroRated],
    ['3.1(c) nil-rated', nilRated],
    ['Tax payable', { taxablePaise: 0, ...outputTaxOf(gstr3b) }],
    ['4(A)(5) input tax', { taxablePaise: 0, ...inputTax }],
  ];
  const heads = ['Taxable value', 'IGST', 'CGST', 'SGST/UTGST'].map((head) => head.padStart(18)).join('');
  return `${' '.repeat(20)}${heads}\n${rows.map(line).join('\n')}\n`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
