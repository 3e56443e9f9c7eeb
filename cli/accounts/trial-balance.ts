import { CommandFailed, exitCodes, printCsv, printResult } from '#cli/command-result.ts';
import { ask } from '#cli/operator.ts';
import { withProgress } from '#cli/progress.ts';
import { readTrialBalance } from '#shared/contract/operator/bookkeeping.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Day } from '#shared/domain/day.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import { trialBalanceCsv } from '#server/features/bookkeeping/bookkeeping.ts';

type Balance = OperatorReply<'readTrialBalance'>;

/** `octroi accounts trial-balance`: as a table, CSV or JSON. */
export async function printTrialBalance(options: { on?: Day; csv?: boolean; json?: boolean }): Promise<void> {
  const balance = await withProgress('The trial balance', () => ask(readTrialBalance, { on: options.on }));
  if (options.csv === true) printCsv(options.json, balance, trialBalanceCsv(balance));
  else printResult(options.json, balance, tableOf(balance));
  if (balance.faults.length > 0) throw new CommandFailed(balance.faults.join('\n'), exitCodes.faults);
}

const column = (text: string): string => text.padStart(20);
const amount = (rupees: number): string => column(rupees === 0 ? '' : formatRupees(toPaise(rupees)));
const line = (title: string, debit: string, credit: string): string => `${title.padEnd(26)}${debit}${credit}`.trimEnd();

function tableOf({ on, rows, debit, credit }: Balance): string[] {
  return [
    `Trial balance on ${on}`,
    line('', column('Debit'), column('Credit')),
    ...rows.map((row) => line(row.title, amount(row.debit), amount(row.credit))),
    line('Total', column(formatRupees(toPaise(debit))), column(formatRupees(toPaise(credit)))),
  ];
}
