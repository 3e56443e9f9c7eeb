import { parseArgs } from 'node:util';
import { systemClock } from '#platform/clock.ts';
import { ConfigFaults } from '#platform/read-config.ts';
import { readProductsSettings } from '#products/config.ts';
import { ImportFault, importOfficialList, reportOf } from '#products/tax-lookup/official-import.ts';
import { writeOfficialList } from '#products/tax-lookup/official-list.ts';

/** Imports the official list of HSN and SAC codes: `npm run import-hsn -- FILE`. */
async function main(): Promise<void> {
  const [file] = parseArgs({ allowPositionals: true }).positionals;
  if (file === undefined) throw new ImportFault('Name the file: npm run import-hsn -- HSN_SAC.xlsx');
  const { dataDir } = readProductsSettings({ env: process.env });
  const { list, repairs } = await importOfficialList(file, new Date(systemClock()).toISOString());
  const path = writeOfficialList(dataDir, list);
  process.stdout.write(
    `${[...reportOf(list, repairs), `Stored in ${path}. Restart the products to use it.`].join('\n')}\n`,
  );
}

main().catch((error: unknown) => {
  const foreseenCode =
    error instanceof Error && 'code' in error && /^(ENOENT|ERR_PARSE_ARGS_.*)$/.test(String(error.code));
  const foreseen = error instanceof ImportFault || error instanceof ConfigFaults || foreseenCode;
  process.stderr.write(`${error instanceof Error ? (foreseen ? error.message : error.stack) : String(error)}\n`);
  process.exit(1);
});
