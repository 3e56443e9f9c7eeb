import { printResult } from '#cli/command-result.ts';
import { dataFolder } from '#cli/data-folder.ts';
import { exportInto } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import { exportGstr3b } from '#shared/contract/operator/bookkeeping.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import type { Month } from '#shared/domain/month.ts';
import { inputTaxText } from '#server/features/bookkeeping/bookkeeping.ts';

type Return = OperatorReply<'exportGstr3b'>['returns'][number];

/** `octroi gstr3b`: the figures of a month for each GSTIN. */
export async function writeGstr3b(
  month: Month,
  given: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const folder = given ?? dataFolder('gstr3b', month);
  const { returns, gstOnFees } = await withProgress(`GSTR-3B of ${month}`, () =>
    exportInto(folder, exportGstr3b, { month }),
  );
  printResult(json, { month, folder, returns, gstOnFees }, [
    ...(returns.length === 0 ? [`Nothing was sold by the end of ${month}.`] : []),
    ...(gstOnFees === null ? [] : [inputTaxText(month, gstOnFees)]),
    ...returns.flatMap((each) => [
      `GSTR-3B of ${each.gstin} for ${month}`,
      ...tableOf(each),
      ...each.negativeRows.map(
        (row) => `${row} is negative: the GST portal takes zero, and the rest lowers a later month.`,
      ),
    ]),
    ...(returns.length === 0 ? [] : [`Written to ${folder}`]),
  ]);
}

const line = (title: string, cells: readonly string[]): string =>
  title.padEnd(20) + cells.map((cell) => cell.padStart(18)).join('');

function tableOf({ rows }: Return): string[] {
  return [
    line('', ['Taxable value', 'IGST', 'CGST', 'SGST/UTGST']),
    ...rows.map(({ name, taxable, igst, cgst, sgst }) =>
      line(
        name,
        [taxable, igst, cgst, sgst].map((amount) => formatRupees(toPaise(amount))),
      ),
    ),
  ];
}
