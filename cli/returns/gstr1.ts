import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { dataFolder } from '#cli/data-folder.ts';
import { withProgress } from '#cli/progress.ts';
import { type GstReturn, netOf } from '#shared/domain/gst-return.ts';
import { faultsOfGstr1 } from '#shared/domain/gst-return-check.ts';
import { gstr1JsonFiles } from '#shared/domain/gst-return-json.ts';
import { formatRupees, rupees } from '#shared/domain/money.ts';
import type { Month } from '#shared/domain/month.ts';
import { makeFolder, makeWritableFolder } from '#shared/platform/make-folder.ts';
import { gstr1Files, readGstReturns } from '#server/features/documents/documents.ts';
import { asReader } from '#server/operator-context.ts';

/** `octroi gstr1`: for each GSTIN a file for upload and a folder of CSV tables, checked. */
export async function writeGstr1(
  month: Month,
  folder: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const target = folder ?? dataFolder('gstr1', month);
  makeWritableFolder(target);
  const returns = await withProgress(`GSTR-1 of ${month}`, () => asReader((db) => readGstReturns(db, month)));
  const written = [...returns].map(([gstin, gstReturn]) => writeReturn(join(target, gstin), gstin, month, gstReturn));
  const faults = written.flatMap((each) => each.faults);
  const lock = `Once it is filed, lock the month: octroi accounts lock ${month} --reason "GSTR-1 filed"`;
  printResult(json, { month, returns: written }, [
    ...(written.length === 0 ? [`Nothing was sold by the end of ${month}.`] : written.flatMap(linesOf)),
    ...(written.length > 0 && faults.length === 0 ? [lock] : []),
  ]);
  if (faults.length > 0)
    throw new CommandFailed(
      [...faults, `${faults.length} faults. Don't upload these files.`].join('\n'),
      exitCodes.faults,
    );
}

function writeReturn(folder: string, gstin: string, month: Month, gstReturn: GstReturn) {
  makeFolder(folder);
  const rows: Record<string, number> = {};
  for (const [name, csv] of gstr1Files(gstReturn)) {
    writeFileSync(join(folder, `${name}.csv`), csv);
    // Less the heads, and what follows the last line.
    rows[name] = csv.split('\r\n').length - 2;
  }
  const { upload, all, filledIn } = gstr1JsonFiles(gstin, month, gstReturn);
  for (const { name, content } of [upload, all])
    writeFileSync(join(folder, name), `${JSON.stringify(content, null, 1)}\n`);
  const { taxablePaise, igstPaise, cgstPaise, sgstPaise, totalPaise } = netOf(gstReturn);
  const net = {
    taxable: rupees(taxablePaise),
    igst: rupees(igstPaise),
    cgst: rupees(cgstPaise),
    sgst: rupees(sgstPaise),
    total: rupees(totalPaise),
  };
  return { gstin, month, folder, rows, net, filledIn, faults: faultsOfGstr1(JSON.parse(JSON.stringify(all.content))) };
}

function linesOf({ gstin, month, folder, rows, net, filledIn, faults }: ReturnType<typeof writeReturn>): string[] {
  const amounts = [
    ['Taxable value', net.taxable],
    ['Integrated tax', net.igst],
    ['Central tax', net.cgst],
    ['State/UT tax', net.sgst],
    ['Total', net.total],
  ] as const;
  return [
    `GSTR-1 of ${gstin} for ${month}`,
    ...Object.entries(rows).map(([name, count]) => `${name.padEnd(8)} ${String(count).padStart(6)} rows`),
    ...amounts.map(([name, amount]) => `${name.padEnd(15)}${formatRupees(Math.round(amount * 100)).padStart(18)}`),
    ...(Object.values(rows).every((count) => count === 0) ? ['Nothing to report: file it as a nil return.'] : []),
    `Written to ${folder}`,
    ...(filledIn === 0
      ? []
      : [
          `${filledIn} of the documents have an IRN: the GST portal fills them in, two days after they were registered. gstr1.json is without them, as uploading them would delete their IRN; gstr1-all.json has them.`,
        ]),
    ...(faults.length === 0 ? ['Checked: every column and total is consistent.'] : []),
  ];
}
