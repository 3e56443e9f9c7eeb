import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printResult } from '#cli/command-result.ts';
import { dataFolder } from '#cli/data-folder.ts';
import { withProgress } from '#cli/progress.ts';
import { firstDayOf, lastDayOf, type Month } from '#domain/month.ts';
import { systemClock } from '#platform/clock.ts';
import { makeWritableFolder } from '#platform/make-folder.ts';
import { monthFiles, selectToday } from '#server/features/bookkeeping/bookkeeping.ts';
import { asReader } from '#server/operator-context.ts';

/** `octroi accounts export`: the files of a month for Tally and spreadsheets. */
export async function exportMonth(
  month: Month,
  given: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const folder = given ?? dataFolder('accounts', month);
  makeWritableFolder(folder);
  const files = await withProgress(`Accounts of ${month}`, () =>
    asReader(async (db) => monthFiles(db, month, await selectToday(db, systemClock()))),
  );
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  printResult(json, { month, folder, files: [...files.keys()] }, [
    `Accounts of ${month}, from ${firstDayOf(month)} to ${lastDayOf(month)}`,
    ...files.keys(),
    `Written to ${folder}`,
    'Import tally-masters.xml into Tally first, then tally-vouchers.xml.',
  ]);
}
