import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Db } from '#database/connect.ts';
import { type Day, isDay } from '#domain/day.ts';
import { formatRupees, rupees } from '#domain/money.ts';
import { assertMonth, firstDayOf, lastDayOf, type Month } from '#domain/month.ts';
import { isSameBalance, type TrialBalance } from '#domain/trial-balance.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { type OperatorSettings, readOperatorSettings } from './config.ts';
import {
  bookFaults,
  monthFiles,
  readTrialBalance,
  selectToday,
  trialBalanceCsv,
} from './features/bookkeeping/bookkeeping.ts';
import { listPeriodLocks, lockMonth, readLockedBalance, unlockMonth } from './features/period-locks/period-locks.ts';
import { withDatabase } from './operator-database.ts';

const usage = `Usage:
  npm run accounts -- trial-balance [--on 2026-10-31] [--json | --csv]
  npm run accounts -- export 2026-10 [FOLDER]
  npm run accounts -- lock 2026-10 --reason "GSTR-1 filed"
  npm run accounts -- unlock 2026-10 --reason "A wrong GSTIN"
  npm run accounts -- locks`;

interface Options {
  on?: string | undefined;
  reason?: string | undefined;
  json?: boolean | undefined;
  csv?: boolean | undefined;
}

/**
 * `npm run accounts -- …`: the trial balance of a day, the files of a month for Tally and spreadsheets, and the locks of months. The books follow
 * from documents, the ledger and settlements; nothing is posted by hand.
 */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      on: { type: 'string' },
      reason: { type: 'string' },
      json: { type: 'boolean' },
      csv: { type: 'boolean' },
    },
  });
  loadEnvFile();
  const settings = readOperatorSettings({ env: process.env });
  const run = commandOf(positionals, values, settings);
  process.exitCode = await withDatabase(settings, run);
}

/** The command of the arguments; it returns the exit code. Throws RangeError before the database is opened. */
function commandOf(
  [name, argument, folder]: readonly string[],
  options: Options,
  settings: OperatorSettings,
): (db: Db) => Promise<number> {
  if (name === 'trial-balance' && argument === undefined) {
    const { on } = options;
    if (on !== undefined && !isDay(on)) throw new RangeError(`${on} is not a day. Write it like 2026-10-31.`);
    return (db) => printTrialBalance(db, on, options);
  }
  if (name === 'locks' && argument === undefined) return printLocks;
  if (argument === undefined) throw new RangeError(usage);
  const month = assertMonth(argument);
  if (name === 'export') {
    return (db) => exportMonth(db, month, folder ?? join(settings.dataDir, 'accounts', month));
  }
  if ((name !== 'lock' && name !== 'unlock') || options.reason === undefined) throw new RangeError(usage);
  const by = { reason: options.reason, operator: userInfo().username };
  return async (db) => {
    if (name === 'lock') await lockMonth(db, month, by, () => readTrialBalance(db, lastDayOf(month)));
    else await unlockMonth(db, month, by);
    process.stdout.write(`${month} is ${name === 'lock' ? 'locked' : 'open'}.\n`);
    return 0;
  };
}

async function printTrialBalance(db: Db, day: Day | undefined, { json, csv }: Options): Promise<number> {
  const today = await selectToday(db, Date.now());
  const on = day ?? today;
  if (on > today) throw new RangeError(`${on} is still to come. Today is ${today}.`);
  const balance = await readTrialBalance(db, on);
  if (json === true) process.stdout.write(`${JSON.stringify(jsonOf(on, balance), null, 1)}\n`);
  else if (csv === true) process.stdout.write(trialBalanceCsv(balance));
  else process.stdout.write(tableOf(on, balance));
  const faults = await bookFaults(db);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
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

async function exportMonth(db: Db, month: Month, target: string): Promise<number> {
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
  return 0;
}

/** Lists the records, and compares each locked month with its trial balance at the lock. Returns 1 when one has changed. */
async function printLocks(db: Db): Promise<number> {
  const records = await listPeriodLocks(db);
  if (records.length === 0) process.stdout.write('No month has been locked.\n');
  for (const { month, action, reason, operator, recordedAt } of records) {
    const did = action === 'LOCK' ? 'locked' : 'unlocked';
    process.stdout.write(`${month} ${did} on ${recordedAt.toISOString()} by ${operator}: ${reason}\n`);
  }
  let changed = 0;
  for (const month of new Set(records.map((record) => record.month))) {
    const atLock = await readLockedBalance(db, month);
    if (atLock === undefined || isSameBalance(atLock, await readTrialBalance(db, lastDayOf(month)))) continue;
    process.stderr.write(`The figures of ${month} have changed since it was locked.\n`);
    changed = 1;
  }
  return changed;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
