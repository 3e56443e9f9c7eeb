import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printResult } from '#cli/command-result.ts';
import { dataFolder } from '#cli/data-folder.ts';
import { withProgress } from '#cli/progress.ts';
import type { BookPeriod } from '#shared/domain/book-period.ts';
import { makeWritableFolder } from '#shared/platform/make-folder.ts';
import { periodFiles, selectToday } from '#server/features/bookkeeping/bookkeeping.ts';
import { asReader } from '#server/operator-context.ts';

/** `octroi accounts export`: the files of a month or financial year for Tally and spreadsheets. */
export async function exportPeriod(
  period: BookPeriod,
  given: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const { name: span, from, to, isYear } = period;
  const folder = given ?? dataFolder('accounts', span);
  makeWritableFolder(folder);
  const files = await withProgress(`Accounts of ${span}`, () =>
    asReader(async (db, clock) => periodFiles(db, period, await selectToday(db, clock))),
  );
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  printResult(json, { [isYear ? 'year' : 'month']: span, folder, files: [...files.keys()] }, [
    `Accounts of ${span}, from ${from} to ${to}`,
    ...files.keys(),
    `Written to ${folder}`,
    'Import tally-masters.xml into Tally first, then tally-vouchers.xml.',
    ...(isYear ? ['Its masters open the year: import them into a company whose books begin with it.'] : []),
  ]);
}
