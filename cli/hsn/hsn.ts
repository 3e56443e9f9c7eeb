import { Command } from 'commander';
import { CommandFailed, printResult } from '#cli/command-result.ts';
import { withProgress } from '#cli/progress.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { readProductsSettings } from '#products/config.ts';
import { ImportFault, importOfficialList, reportOf } from '#products/tax-lookup/official-import.ts';
import { writeOfficialList } from '#products/tax-lookup/official-list.ts';

/** `octroi hsn …`: the official list of HSN and SAC codes. */
export function hsnCommands(): Command {
  const hsn = new Command('hsn').description('The official list of HSN and SAC codes, for the tax lookup.');
  hsn
    .command('import <file>')
    .description("Load the GST portal's spreadsheet into the data folder, and report what was repaired in it.")
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  octroi hsn import HSN_SAC.xlsx')
    .action(importList);
  return hsn;
}

async function importList(file: string, { json }: { json?: boolean }): Promise<void> {
  loadEnvFile();
  const { dataDir } = readProductsSettings({ env: process.env });
  const importedAt = new Date(systemClock()).toISOString();
  const { list, repairs } = await withProgress(`Reading ${file}`, () =>
    importOfficialList(file, importedAt).catch((error: unknown) => {
      throw error instanceof ImportFault ? new CommandFailed(error.message) : error;
    }),
  );
  const stored = writeOfficialList(dataDir, list);
  printResult(json, { file: stored, codes: list.descriptions.size, repairs }, [
    ...reportOf(list, repairs),
    `Stored in ${stored}. Restart the products to use it.`,
  ]);
}
