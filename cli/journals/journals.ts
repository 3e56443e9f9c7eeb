import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import { listUnsettled, readJournalId, settleJournal } from '#gateway/settle-journal.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { createLog } from '#platform/log.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { readOperatorSettings } from '#server/config.ts';
import { asReader } from '#server/operator-context.ts';
import { withExistingUrl } from '#server/operator-database.ts';

function withUrl<Result>(work: (databaseUrl: string) => Promise<Result>): Promise<Result> {
  loadEnvFile();
  return withExistingUrl(readOperatorSettings({ env: process.env }), work);
}

/** `octroi journals list` */
export async function listJournals({ json }: { json?: boolean }): Promise<void> {
  const journals = await withUrl(listUnsettled);
  const lines = journals.map(({ id, held }) => `${id} (the file "id" in its folder) holds a quota of ${held} calls`);
  printResult(json, { journals }, journals.length === 0 ? ['No stopped gateway holds any quota.'] : lines);
}

/** `octroi journals settle` */
export async function settle(folder: string, options: ActionOptions): Promise<void> {
  const id = readJournalId(folder);
  const about = `The calls in ${folder} (journal ${id}) are counted, and its units released.`;
  if (options.dryRun === true) {
    printResult(options.json, { settled: false, id }, [about, 'Nothing was changed.']);
    return;
  }
  if (options.yes !== true && options.json !== true) process.stderr.write(`${about}\n`);
  await confirm('Settle it?', options);
  const log = createLog('operator', { level: 'error' });
  await withProgress(`Journal ${id}`, () => withUrl((databaseUrl) => settleJournal(databaseUrl, folder, log)));
  // Counting takes many transactions, so the record comes after them; settling again changes nothing.
  await asReader((db) =>
    db.transaction().execute((tx) =>
      recordAction(tx, {
        ...causeOf(options),
        action: 'journals.settle',
        target: id,
        customerId: null,
        effect: { folder },
      }),
    ),
  );
  printResult(options.json, { settled: true, id }, [`All calls in ${folder} are counted and its quota is released.`]);
}
