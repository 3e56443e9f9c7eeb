import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { assertMonth } from '#domain/month.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { readOperatorSettings } from './config.ts';
import { selectToday } from './features/bookkeeping/bookkeeping.ts';
import { readProviderPack } from './features/month-pack/provider-pack.ts';
import { withDatabase } from './operator-database.ts';

/** `npm run month-pack -- 2026-11 [file.zip]`: the month of the provider as one ZIP, for the accountant. */
async function main(): Promise<void> {
  const [argument, file] = parseArgs({ allowPositionals: true }).positionals;
  if (argument === undefined) throw new RangeError('Usage: npm run month-pack -- 2026-11 [FILE.zip]');
  const month = assertMonth(argument);
  loadEnvFile();
  const settings = readOperatorSettings({ env: process.env });
  const target = file ?? join(settings.dataDir, 'month-packs', `${month}.zip`);
  mkdirSync(dirname(target), { recursive: true });
  await withDatabase(settings, async (db) => {
    const { zip, documents, missing } = await readProviderPack(db, month, await selectToday(db, Date.now()));
    await pipeline(zip, createWriteStream(target));
    process.stdout.write(`${documents} PDFs and the files of ${month} are in ${target}\n`);
    if (missing.length > 0) process.stdout.write(`Without a PDF: ${missing.join(', ')}\n`);
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
