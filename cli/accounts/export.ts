import { printResult } from '#cli/command-result.ts';
import { dataFolder } from '#cli/data-folder.ts';
import { exportInto } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import { exportBooks } from '#shared/contract/operator/bookkeeping.ts';
import type { BookPeriod } from '#shared/domain/book-period.ts';

/** `octroi accounts export`: the files of a month or financial year for Tally and spreadsheets. */
export async function exportPeriod(
  { name: period, isYear }: BookPeriod,
  given: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const folder = given ?? dataFolder('accounts', period);
  const { from, to, files } = await withProgress(`Accounts of ${period}`, () =>
    exportInto(folder, exportBooks, { period }),
  );
  printResult(json, { period, from, to, folder, files }, [
    `Accounts of ${period}, from ${from} to ${to}`,
    ...files,
    `Written to ${folder}`,
    'Import tally-masters.xml into Tally first, then tally-vouchers.xml.',
    ...(isYear ? ['Its masters open the year: import them into a company whose books begin with it.'] : []),
  ]);
}
