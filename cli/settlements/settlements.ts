import { Command } from 'commander';
import { monthArgument } from '#cli/arguments.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { ask, commandFor } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { differenceTexts, listSettlements } from '#shared/contract/operator/settlements.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import type { Month } from '#shared/domain/month.ts';
import { comparedDays } from '#server/features/settlements/compare.ts';

/** `octroi settlements`: the payment provider's settlements, and everything in which they differ from the books. */
export function settlementsCommand(): Command {
  return commandFor(listSettlements, new Command('settlements'))
    .description(
      "List Razorpay's settlements of a month with fees and GST, and every difference from the books. Exits with 3 if there is one.",
    )
    .argument('[month]', `such as 2026-11; default: the last ${comparedDays} days`, monthArgument)
    .addHelpText('after', '\nExamples:\n  octroi settlements\n  octroi settlements 2026-11 --json')
    .action(printSettlements);
}

async function printSettlements(month: Month | undefined, { json }: { json?: boolean }): Promise<void> {
  const found = await withProgress('Settlements', () => ask(listSettlements, { month, items: json === true }));
  printResult(json, found, linesOf(found));
  if (found.differences.length > 0) throw new CommandFailed('The settlements differ from the books.', exitCodes.faults);
}

const money = (rupees: number): string => formatRupees(toPaise(rupees));

/** A table of settlements and a list of differences. */
function linesOf({ readUntil, settlements, differences }: OperatorReply<'listSettlements'>): string[] {
  const head = ['Day', 'Settlement', 'UTR', 'Status', 'Payments', 'Refunds', 'Other', 'Fees', 'GST on fees', 'Settled'];
  const rows = settlements.map(({ day, settlementId, utr, status, ...amounts }) => {
    const { payments, refunds, other, fees, gstOnFees, settled } = amounts;
    return [day, settlementId, utr ?? '', status, ...[payments, refunds, other, fees, gstOnFees, settled].map(money)];
  });
  const differenceHead = ['Day', 'Difference', 'Of', 'Settlement', 'Expected', 'Found'];
  const differing = differences.map(({ day, kind, id, settlementId, expected, found }) => [
    day,
    differenceTexts[kind].what,
    id,
    settlementId ?? '',
    money(expected),
    money(found),
  ]);
  return [
    `Settlements, read until ${readUntil ?? 'never'}`,
    ...(rows.length === 0 ? ['None.'] : table([head, ...rows], 4)),
    '',
    differing.length === 0 ? 'No differences.' : `${differing.length} differences`,
    ...(differing.length === 0 ? [] : table([differenceHead, ...differing], 4)),
  ];
}

/** Columns of equal width; those from `firstAmount` on are aligned to the right. */
function table(rows: readonly string[][], firstAmount: number): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const cellOf = (cell: string, at: number) =>
    at < firstAmount ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0);
  return rows.map((row) => row.map(cellOf).join('  ').trimEnd());
}
