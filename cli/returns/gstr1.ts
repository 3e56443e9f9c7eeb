import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { dataFolder } from '#cli/data-folder.ts';
import { exportInto } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import { exportGstr1 } from '#shared/contract/operator/bookkeeping.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import type { Month } from '#shared/domain/month.ts';

type Return = OperatorReply<'exportGstr1'>['returns'][number];

/** `octroi gstr1`: for each GSTIN a file for upload and CSV tables in a folder, checked. */
export async function writeGstr1(month: Month, given: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const folder = given ?? dataFolder('gstr1', month);
  const { returns } = await withProgress(`GSTR-1 of ${month}`, () => exportInto(folder, exportGstr1, { month }));
  const faults = returns.flatMap((each) => each.faults);
  const lock = `Once it is filed, lock the month: octroi accounts lock ${month} --reason "GSTR-1 filed"`;
  printResult(json, { month, folder, returns }, [
    ...(returns.length === 0
      ? [`Nothing was sold by the end of ${month}.`]
      : [...returns.flatMap((each) => linesOf(month, each)), `Written to ${folder}`]),
    ...(returns.length > 0 && faults.length === 0 ? [lock] : []),
  ]);
  if (faults.length > 0)
    throw new CommandFailed(
      [...faults, `${faults.length} faults. Don't upload these files.`].join('\n'),
      exitCodes.faults,
    );
}

function linesOf(month: Month, { gstin, tables, net, filledIn, faults }: Return): string[] {
  const amounts = [
    ['Taxable value', net.taxable],
    ['Integrated tax', net.igst],
    ['Central tax', net.cgst],
    ['State/UT tax', net.sgst],
    ['Total', net.total],
  ] as const;
  return [
    `GSTR-1 of ${gstin} for ${month}`,
    ...tables.map(({ table, rows }) => `${table.padEnd(8)} ${String(rows).padStart(6)} rows`),
    ...amounts.map(([name, amount]) => `${name.padEnd(15)}${formatRupees(toPaise(amount)).padStart(18)}`),
    ...(tables.every(({ rows }) => rows === 0) ? ['Nothing to report: file it as a nil return.'] : []),
    ...(filledIn === 0
      ? []
      : [
          `${filledIn} of the documents have an IRN: the GST portal fills them in, two days after they were registered. gstr1.json is without them, as uploading them would delete their IRN; gstr1-all.json has them.`,
        ]),
    ...(faults.length === 0 ? ['Checked: every column and total is consistent.'] : []),
  ];
}
