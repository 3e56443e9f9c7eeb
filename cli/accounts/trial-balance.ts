import { CommandFailed, exitCodes, printCsv, printResult } from '#cli/command-result.ts';
import { withProgress } from '#cli/progress.ts';
import type { Day } from '#shared/domain/day.ts';
import { formatRupees, rupees } from '#shared/domain/money.ts';
import type { TrialBalance } from '#shared/domain/trial-balance.ts';
import {
  bookFaults,
  readTrialBalance,
  selectToday,
  trialBalanceCsv,
} from '#server/features/bookkeeping/bookkeeping.ts';
import { asReader } from '#server/operator-context.ts';

/** `octroi accounts trial-balance`: as a table, CSV or JSON. */
export async function printTrialBalance(options: { on?: Day; csv?: boolean; json?: boolean }): Promise<void> {
  const { on, balance, faults } = await withProgress('The trial balance', () =>
    asReader(async (db, clock) => {
      const today = await selectToday(db, clock);
      const wanted = options.on ?? today;
      if (wanted > today) throw new CommandFailed(`${wanted} is still to come. Today is ${today}.`, exitCodes.usage);
      return { on: wanted, balance: await readTrialBalance(db, wanted), faults: await bookFaults(db) };
    }),
  );
  const result = jsonOf(on, balance);
  if (options.csv === true) printCsv(options.json, result, trialBalanceCsv(balance));
  else printResult(options.json, result, tableOf(on, balance));
  if (faults.length > 0) throw new CommandFailed(faults.join('\n'), exitCodes.faults);
}

function jsonOf(on: Day, { rows, debitPaise, creditPaise }: TrialBalance): object {
  return {
    on,
    rows: rows.map(({ account, title, group, ...row }) => {
      return { account, title, group, debit: rupees(row.debitPaise), credit: rupees(row.creditPaise) };
    }),
    debit: rupees(debitPaise),
    credit: rupees(creditPaise),
  };
}

const column = (text: string): string => text.padStart(20);
const amount = (paise: number): string => column(paise === 0 ? '' : formatRupees(paise));
const line = (title: string, debit: string, credit: string): string => `${title.padEnd(26)}${debit}${credit}`.trimEnd();

function tableOf(on: Day, { rows, debitPaise, creditPaise }: TrialBalance): string[] {
  return [
    `Trial balance on ${on}`,
    line('', column('Debit'), column('Credit')),
    ...rows.map((row) => line(row.title, amount(row.debitPaise), amount(row.creditPaise))),
    line('Total', column(formatRupees(debitPaise)), column(formatRupees(creditPaise))),
  ];
}
