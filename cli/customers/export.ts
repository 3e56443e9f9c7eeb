import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import { writeWholeFile } from '#cli/whole-file.ts';
import type { Db } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { asReader, asReaderOfPdfs } from '#server/operator-context.ts';
import { readCustomer } from '#server/features/customers/customers.ts';
import { exportForOperator } from '#server/features/privacy/operator-export.ts';

/** `octroi customers export`. */
export function addExportCommand(customers: Command): void {
  withActionOptions(customers.command('export <customer> [file]'))
    .description(
      'Write everything that is kept about a customer into one ZIP: each table as JSON, the request log as CSV, documents as PDF. By default <customer>.zip in the present folder.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi customers export CUS-7K2M9QX4TB01 kaveri.zip --reason "Asked by letter"',
    )
    .action(exportTo);
}

async function exportTo(customerId: string, given: string | undefined, options: ActionOptions): Promise<void> {
  const file = given ?? `${customerId}.zip`;
  const effectIn = async (db: Db, clock: Clock): Promise<string[]> => {
    const { name, email } = await readCustomer(db, customerId, dayOf(clock()));
    return [
      `${customerId}  ${name} <${email}>`,
      `Everything that is kept about the customer is written to ${file}, which only you can read.`,
      'Nothing is changed. The customer reads under Account that it was exported, and your reason.',
    ];
  };
  if (options.dryRun === true)
    return printResult(options.json, { written: false, customer: customerId, file }, await asReader(effectIn));
  await writeWholeFile(file, (write) =>
    asReaderOfPdfs(async (source) => {
      showEffect(await effectIn(source.db, source.clock), options);
      await confirm('Export this customer?', options);
      const cause = causeOf(options);
      const zip = await exportForOperator(source, customerId, cause, (part) => {
        if (options.json !== true) process.stderr.write(`${part}\n`);
      });
      await write(zip);
    }),
  );
  const { size } = await stat(file);
  printResult(options.json, { written: true, customer: customerId, file, bytes: size }, [
    `Written to ${file}: ${size} bytes.`,
  ]);
}
