import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type GstReturn, netOf } from '#domain/gst-return.ts';
import { faultsOfGstr1 } from '#domain/gst-return-check.ts';
import { gstr1Json } from '#domain/gst-return-json.ts';
import { formatRupees } from '#domain/money.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { readOperatorSettings } from './config.ts';
import { gstr1Files } from './features/documents/gstr1-csv.ts';
import { readGstReturns } from './features/documents/gstr1.ts';
import { withDatabase } from './operator-database.ts';

/**
 * `npm run gstr1 -- 2026-11 [folder]`: writes GSTR-1 of a month, for each GSTIN a JSON file for upload and a folder of CSV tables, and checks
 * the file. Exits with 1 when the check finds a fault.
 */
async function main(): Promise<void> {
  const [month, folder] = parseArgs({ allowPositionals: true }).positionals;
  if (month === undefined) throw new RangeError('Usage: npm run gstr1 -- 2026-11 [FOLDER]');
  loadEnvFile();
  const settings = readOperatorSettings({ env: process.env });
  const returns = await withDatabase(settings, (db) => readGstReturns(db, month));
  if (returns.size === 0) process.stdout.write(`No documents were issued in ${month}.\n`);
  let faults = 0;
  for (const [gstin, gstReturn] of returns) {
    faults += writeReturn(join(folder ?? join(settings.dataDir, 'gstr1', month), gstin), gstin, month, gstReturn);
  }
  if (returns.size > 0 && faults === 0) {
    process.stdout.write(
      `Once it is filed, lock the month: npm run accounts -- lock ${month} --reason "GSTR-1 filed"\n`,
    );
  }
  if (faults > 0) throw new Error(`${faults} faults. Don't upload these files.`);
}

/** Returns the number of faults in the file for upload. */
function writeReturn(target: string, gstin: string, month: string, gstReturn: GstReturn): number {
  mkdirSync(target, { recursive: true });
  process.stdout.write(`GSTR-1 of ${gstin} for ${month}\n`);
  for (const [name, csv] of gstr1Files(gstReturn)) {
    writeFileSync(join(target, `${name}.csv`), csv);
    process.stdout.write(`${name.padEnd(8)} ${String(csv.split('\r\n').length - 2).padStart(6)} rows\n`);
  }
  const net = netOf(gstReturn);
  const amounts = [
    ['Taxable value', net.taxablePaise],
    ['Integrated tax', net.igstPaise],
    ['Central tax', net.cgstPaise],
    ['State/UT tax', net.sgstPaise],
    ['Total', net.totalPaise],
  ] as const;
  for (const [name, paise] of amounts) process.stdout.write(`${name.padEnd(15)}${formatRupees(paise).padStart(18)}\n`);
  const file = JSON.stringify(gstr1Json(gstin, month, gstReturn), null, 1);
  writeFileSync(join(target, 'gstr1.json'), `${file}\n`);
  process.stdout.write(`Written to ${target}\n`);
  const faults = faultsOfGstr1(JSON.parse(file));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length === 0) process.stdout.write('Checked: every column and total is consistent.\n');
  return faults.length;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
