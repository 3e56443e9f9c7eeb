import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Db } from '#database/connect.ts';
import { type Day, isDay } from '#domain/day.ts';
import { formatRupees, rupees } from '#domain/money.ts';
import { assertMonth, firstDayOf, lastDayOf, type Month } from '#domain/month.ts';
import type { TrialBalance } from '#domain/trial-balance.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { type OperatorSettings, readOperatorSettings } from './config.ts';
import { monthFiles, readTrialBalance, selectToday, trialBalanceCsv } from './features/bookkeeping/bookkeeping.ts';
import { withDatabase } from './operator-database.ts';

const usage = `Usage:
  npm run accounts -- trial-balance [--on 2026-10-31] [--json | --csv]
  npm run accounts -- export 2026-10 [FOLDER]`;

interface Options {
  on?: string | undefined;
  json?: boolean | undefined;
  csv?: boolean | undefined;
}

/**
 * `npm run accounts -- …`: the trial balance of a day, the files of a month for Tally and spreadsheets. The books follow
 * from documents, the ledger and settlements; nothing is posted by hand.
 */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      on: { type: 'string' },
      json: { type: 'boolean' },
      csv: { type: 'boolean' },
    },
  });
  const envFile = projectFolder('.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  const settings = readOperatorSettings({ env: process.env });
  const run = commandOf(positionals, values, settings);
  await withDatabase(settings, run);
}

/** The command of the arguments. Throws RangeError before the database is opened. */
function commandOf(
  [name, argument, folder]: readonly string[],
  options: Options,
  settings: OperatorSettings,
): (db: Db) => Promise<void> {
  if (name === 'trial-balance' && argument === undefined) {
    const { on } = options;
    if (on !== undefined && !isDay(on)) throw new RangeError(`${on} is not a day. Write it like 2026-10-31.`);
    return (db) => printTrialBalance(db, on, options);
  }
  if (name !== 'export' || argument === undefined) throw new RangeError(usage);
  const month = assertMonth(argument);
  return (db) => exportMonth(db, month, folder ?? join(settings.dataDir, 'accounts', month));
}

async function printTrialBalance(db: Db, day: Day | undefined, { json, csv }: Options): Promise<void> {
  const today = await selectToday(db, Date.now());
  const on = day ?? today;
  if (on > today) throw new RangeError(`${on} is still to come. Today is ${today}.`);
  const balance = await readTrialBalance(db, on);
  if (json === true) process.stdout.write(`${JSON.stringify(jsonOf(on, balance), null, 1)}\n`);
  else if (csv === true) process.stdout.write(trialBalanceCsv(balance));
  else process.stdout.write(tableOf(on, balance));
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

function tableOf(on: Day, { rows, debitPaise, creditPaise }: TrialBalance): string {
  return [
    `Trial balance on ${on}`,
    line('', column('Debit'), column('Credit')),
    ...rows.map((row) => line(row.title, amount(row.debitPaise), amount(row.creditPaise))),
    line('Total', column(formatRupees(debitPaise)), column(formatRupees(creditPaise))),
    '',
  ].join('\n');
}

async function exportMonth(db: Db, month: Month, target: string): Promise<void> {
  const files = await monthFiles(db, month, await selectToday(db, Date.now()));
  mkdirSync(target, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(target, name), content);
  process.stdout.write(
    [
      `Accounts of ${month}, from ${firstDayOf(month)} to ${lastDayOf(month)}`,
      ...files.keys(),
      `Written to ${target}`,
      'Import tally-masters.xml into Tally first, then tally-vouchers.xml.',
      '',
    ].join('\n'),
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
