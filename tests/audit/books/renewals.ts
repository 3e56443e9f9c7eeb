import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { z } from 'zod';
import { paise } from '#tests/audit/sums/arithmetic.ts';
import type { World } from '#tests/audit/world/world.ts';
import type { AccountsBook } from './books.ts';

const monthRow = z.object({ month: z.string() });
const months = `
  select distinct to_char(day, 'YYYY-MM') as month from (
    select issued_on as day from documents
    union all select (posted_at at time zone 'Asia/Kolkata')::date from ledger_entries
    union all select (asked_at at time zone 'Asia/Kolkata')::date from mandate_debits
    union all select (ended_at at time zone 'Asia/Kolkata')::date from mandate_debits
    union all select (happened_at at time zone 'Asia/Kolkata')::date from event_keys where dedupe_key like 'renewal:%'
  ) days where day is not null order by month`;

/** What the month packs of the operator's accountant say: each debit with its result, and the vouchers for Tally. */
export async function readPacks(
  world: World,
): Promise<Pick<AccountsBook, 'renewals' | 'tally'> & { faults: string[] }> {
  const renewals = new Map<string, string>();
  const tally = new Map<string, number>();
  const faults: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'octroi-audit-packs-'));
  try {
    for (const { month } of await world.rows(monthRow, months)) {
      const file = join(folder, `${month}.zip`);
      const { code, output } = await world.octroi('month-pack', month, file);
      if (code !== 0) faults.push(`month-pack ${month}: ${output.trim()}`);
      const files = unzipSync(readFileSync(file));
      const text = (name: string) => Buffer.from(files[name] ?? []).toString();
      // A later month knows more of what an earlier one lists.
      for (const [key, row] of debitsOf(text('renewals.csv'))) renewals.set(key, row);
      for (const [ledger, sum] of sumsOf(text('accounts/tally-vouchers.xml')))
        tally.set(ledger, (tally.get(ledger) ?? 0) + sum);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { renewals: [...renewals.values()].toSorted(), tally, faults };
}

const columns = ['Debit', 'Period from', 'Amount', 'Try', 'Result', 'Refunded'] as const;

/** `2027-01-09 1499 1 PAID`, and what went back, by debit. */
function debitsOf(csv: string): [string, string][] {
  const [head = [], ...rows] = csv
    .replace('\uFEFF', '')
    .trim()
    .split(/\r?\n/)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    );
  const places = columns.map((name) => head.indexOf(name));
  return rows.map((row) => {
    const [debit = '', from, amount, attempt, result, refunded] = places.map((at) => row.at(at) ?? '');
    const what = [from, amount, attempt, result, ...(Number(refunded) > 0 ? [`refunded ${refunded}`] : [])];
    return [debit === '' ? `${from} ${amount}` : debit, what.filter((each) => each !== '').join(' ')];
  });
}

/** What the vouchers add up to by ledger, in paise: Tally has a debit as negative. */
function sumsOf(xml: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [, ledger = '', amount] of xml.matchAll(
    /<LEDGERNAME>([^<]*)<\/LEDGERNAME>(?:(?!<LEDGERNAME>)[\s\S])*?<AMOUNT>([^<]*)<\/AMOUNT>/g,
  ))
    sums.set(ledger, (sums.get(ledger) ?? 0) - paise(Number(amount)));
  return sums;
}
