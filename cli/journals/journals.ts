import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import { checkUnused, type CountedLeft, readJournalId, settleJournal } from '#gateway/settle-journal.ts';
import { connect } from '#shared/database/connect.ts';
import { listLeftJournals } from '#shared/database/left-journals.ts';
import type { Tables } from '#shared/database/tables.ts';
import { transactionOn } from '#shared/database/transaction.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { createLog } from '#shared/platform/log.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { readOperatorSettings } from '#server/config.ts';
import { requireSameKind } from '#server/installation.ts';
import { asReader } from '#server/operator-context.ts';
import { withExistingUrl } from '#server/operator-database.ts';

function withUrl<Result>(work: (databaseUrl: string) => Promise<Result>): Promise<Result> {
  loadEnvFile();
  const settings = readOperatorSettings({ env: process.env });
  return withExistingUrl(settings, async (databaseUrl) => {
    const { db, close } = connect(databaseUrl, { applicationName: 'octroi operator', maxConnections: 1 });
    await withCleanUp(() => requireSameKind(db, settings), close);
    return work(databaseUrl);
  });
}

/** `octroi journals list` */
export async function listJournals({ json }: { json?: boolean }): Promise<void> {
  const journals = await asReader(listLeftJournals);
  const lines = journals.map(({ id, held }) => `${id} (the file "id" in its folder) holds a quota of ${held} calls`);
  printResult(json, { journals }, journals.length === 0 ? ['No stopped gateway holds any quota.'] : lines);
}

/** `octroi journals settle` */
export async function settle(folder: string, options: ActionOptions): Promise<void> {
  const id = readJournalId(folder);
  const about = `The calls in ${folder} (journal ${id}) will be counted, and its units released.`;
  if (options.dryRun === true) {
    await checkUnused(folder);
    printResult(options.json, { settled: false, id }, [about, 'Nothing was changed.']);
    return;
  }
  showEffect([about], options);
  await confirm('Settle it?', options);
  // Standard output is the result's.
  const log = createLog('operator', { level: 'error', destination: process.stderr });
  let counted: CountedLeft = { calls: 0, uncounted: [] };
  await withProgress(`Journal ${id}`, () =>
    withUrl((databaseUrl) =>
      settleJournal(databaseUrl, folder, log, (client, work) =>
        transactionOn<Tables, void>(client, async (tx) => {
          counted = await work();
          await recordAction(tx, {
            ...causeOf(options),
            action: 'journals.settle',
            target: id,
            customerId: null,
            effect: { folder, ...counted },
          });
        }),
      ),
    ),
  );
  const { calls, uncounted } = counted;
  printResult(options.json, { settled: true, id, ...counted }, [
    `The calls in ${folder} are counted (${formatNumber(calls)} now) and its quota is released.`,
    ...uncounted.map(
      (each) =>
        `Not counted: ${each.activation} on ${each.cycle}, calls: ${formatNumber(each.calls)}, units: ${formatNumber(each.units)}, ${each.fault ?? `${each.firstDay} to ${each.lastDay}`}`,
    ),
  ]);
  if (uncounted.length > 0)
    throw new CommandFailed(
      uncounted.every(({ fault }) => fault === null)
        ? 'The database does not have the plans of some calls: it was restored from a backup that is older.'
        : 'The database rejects some calls.',
      exitCodes.faults,
    );
}
