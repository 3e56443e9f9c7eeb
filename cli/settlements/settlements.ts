import { Command } from 'commander';
import { monthArgument } from '#cli/arguments.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { withProgress } from '#cli/progress.ts';
import { dayOf, startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, type Month, nextMonth } from '#shared/domain/month.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { readSettlementSettings } from '#server/config.ts';
import { compareSettlements, comparedDays } from '#server/features/settlements/compare.ts';
import { readSettlementReport, reportText } from '#server/features/settlements/report.ts';
import { asReader } from '#server/operator-context.ts';

const dayMs = 86_400_000;

/** `octroi settlements`: the payment provider's settlements, and everything in which they differ from the books. */
export function settlementsCommand(): Command {
  return new Command('settlements')
    .description(
      "List Razorpay's settlements of a month with fees and GST, and every difference from the books. Exits with 3 if there is one.",
    )
    .argument('[month]', `such as 2026-11; default: the last ${comparedDays} days`, monthArgument)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  octroi settlements\n  octroi settlements 2026-11 --json')
    .action(listSettlements);
}

async function listSettlements(month: Month | undefined, { json }: { json?: boolean }): Promise<void> {
  loadEnvFile();
  const { settlementDays } = readSettlementSettings({ env: process.env });
  const { report, differences } = await withProgress('Settlements', () =>
    asReader(async (db, clock) => {
      const nowMs = clock();
      const span =
        month === undefined
          ? { fromMs: nowMs - comparedDays * dayMs, toMs: nowMs }
          : { fromMs: startOfDay(firstDayOf(month)), toMs: startOfDay(firstDayOf(nextMonth(month))) };
      return {
        report: await readSettlementReport(db, span),
        differences: await compareSettlements(db, { ...span, nowMs, graceMs: settlementDays * dayMs }),
      };
    }),
  );
  const listed = differences.map(({ atMs, ...each }) => ({ ...each, day: dayOf(atMs) }));
  printResult(json, { ...report, differences: listed }, [reportText(report, differences).trimEnd()]);
  if (differences.length > 0) throw new CommandFailed('The settlements differ from the books.', exitCodes.faults);
}
