import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatRupees } from '#domain/money.ts';
import { netOf } from '#domain/gst-return.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { readOperatorSettings } from './config.ts';
import { gstr1Files } from './features/documents/gstr1-csv.ts';
import { readGstReturn } from './features/documents/gstr1.ts';
import { withDatabase } from './operator-database.ts';

/** `npm run gstr1 -- 2026-11 [folder]`: writes the GSTR-1 tables of a month as CSV files. */
async function main(): Promise<void> {
  const [month, folder] = parseArgs({ allowPositionals: true }).positionals;
  if (month === undefined) throw new RangeError('Usage: npm run gstr1 -- 2026-11 [FOLDER]');
  const envFile = projectFolder('.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const settings = readOperatorSettings({ env: process.env });
  const gstReturn = await withDatabase(settings, (db) => readGstReturn(db, month));
  const target = folder ?? join(settings.dataDir, 'gstr1', month);
  mkdirSync(target, { recursive: true });
  const net = netOf(gstReturn);
  for (const [name, csv] of gstr1Files(gstReturn)) {
    writeFileSync(join(target, `${name}.csv`), csv);
    process.stdout.write(`${name.padEnd(6)} ${String(csv.split('\r\n').length - 2).padStart(6)} rows\n`);
  }
  const amounts = [
    ['Taxable value', net.taxablePaise],
    ['Integrated tax', net.igstPaise],
    ['Central tax', net.cgstPaise],
    ['State/UT tax', net.sgstPaise],
    ['Total', net.totalPaise],
  ] as const;
  for (const [name, paise] of amounts) process.stdout.write(`${name.padEnd(15)}${formatRupees(paise).padStart(18)}\n`);
  process.stdout.write(`Written to ${target}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
