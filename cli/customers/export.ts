import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { writeWholeFile } from '#cli/whole-file.ts';
import { systemClock } from '#platform/clock.ts';
import { exportCustomer } from '#server/features/privacy/privacy.ts';
import { asReaderOfPdfs } from '#server/operator-context.ts';
import { readCustomer } from '#server/operator/customers.ts';

/** `octroi customers export`. */
export function addExportCommand(customers: Command): void {
  customers
    .command('export <customer> [file]')
    .description(
      'Write everything that is kept about a customer into one ZIP: each table as JSON, the request log as CSV, documents as PDF. By default <customer>.zip in the present folder.',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  octroi customers export CUS-7K2M9QX4TB01 kaveri.zip')
    .action(exportTo);
}

async function exportTo(customerId: string, given: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const file = given ?? `${customerId}.zip`;
  await writeWholeFile(file, (write) =>
    asReaderOfPdfs(async (source) => {
      await readCustomer(source.db, customerId);
      const zip = await exportCustomer({ ...source, clock: systemClock }, { customerId }, (part) => {
        if (json !== true) process.stderr.write(`${part}\n`);
      });
      await write(zip);
    }),
  );
  const { size } = await stat(file);
  printResult(json, { customer: customerId, file, bytes: size }, [`Written to ${file}: ${size} bytes.`]);
}
