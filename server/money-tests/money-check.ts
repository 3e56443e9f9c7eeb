import { sql } from 'kysely';
import { Client } from 'pg';
import { expect } from 'vitest';
import type { Db } from '#database/connect.ts';
import { valueParsers } from '#database/value-parsers.ts';
import { addDays } from '#domain/day.ts';
import { invariants } from '#server/features/ledger/invariants.ts';
import type { Model } from './money-model.ts';

const scoped = [
  'payments',
  'refunds',
  'cycles',
  'payment_orders',
  'activations',
  'ledger_entries',
  'documents',
  'current_papers',
];

/** A schema that shows one customer's rows only: every rule on money is then quick to check after every step. */
export async function makeScope(db: Db): Promise<void> {
  await sql.raw('create schema scope').execute(db);
  for (const table of scoped) {
    await sql
      .raw(`create view scope.${table} as select * from ${table} where customer_id = current_setting('scope.customer')`)
      .execute(db);
  }
  await sql
    .raw(
      'create view scope.ledger_lines as select l.* from ledger_lines l join scope.ledger_entries e on e.id = l.entry_id',
    )
    .execute(db);
}

const everyRule = Object.values(invariants)
  .map((query) => `select fault from (${query}) f`)
  .join(' union all ');

/** A connection that sees the scope only, and plans the many rules once. */
export async function openScope(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl, types: valueParsers });
  await client.connect();
  await client.query('set search_path to scope, public; set jit to off');

  /** After every step: the rules on money hold, the cycles are as the model has them, and so is the sum of what goes back. */
  const compare = async (model: Model, customerId: string, firstDay: string): Promise<void> => {
    await client.query({ name: 'look', text: `select set_config('scope.customer', $1, false)`, values: [customerId] });
    const faults = await client.query<{ fault: string }>({ name: 'rules', text: everyRule });
    const cycles = await client.query<{ id: string }>({ name: 'cycles', text: cyclesText });
    const refunds = await client.query<{ paise: number }>({ name: 'refunds', text: refundsText });
    expect(faults.rows.map(({ fault }) => fault)).toEqual([]);
    const expected = [...model.cycles, ...model.formerCycles].map((cycle) => ({
      id: cycle.id,
      status: cycle.status,
      from_date: addDays(firstDay, cycle.from),
      to_date: addDays(firstDay, cycle.from + cycle.days),
    }));
    expect(cycles.rows).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    expect(refunds.rows[0]?.paise).toBe(model.refundPaise);
  };
  return { compare, close: () => client.end() };
}

const cyclesText = 'select id, status, from_date, to_date from cycles order by id collate "C"';
const refundsText = 'select coalesce(sum(amount_paise), 0)::bigint as paise from refunds';
