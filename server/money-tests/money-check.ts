import { sql } from 'kysely';
import { expect } from 'vitest';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import type { Db } from '#shared/database/connect.ts';
import { valueParsers } from '#shared/database/value-parsers.ts';
import { addDays } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { invariants } from '#server/features/ledger/invariants.ts';
import type { Model } from './money-model.ts';

const scoped = [
  'payments',
  'quota_counters',
  'refunds',
  'cycles',
  'payment_orders',
  'order_cycles',
  'cycle_payments',
  'activations',
  'ledger_entries',
  'documents',
  'current_papers',
  'disputes',
  'tds_claims',
  'credit_terms',
  'credit_bills',
];

/** A schema with views of one customer's rows, so that checking every money rule after every step is fast. */
export async function makeScope(db: Db): Promise<void> {
  await sql.raw('create schema scope').execute(db);
  for (const table of scoped) {
    await sql
      .raw(`create view scope.${table} as select * from ${table} where customer_id = current_setting('scope.customer')`)
      .execute(db);
  }
  await sql
    .raw(
      'create view scope.settlement_items as select i.* from settlement_items i join scope.payments p on p.provider_payment_id = i.payment_id',
    )
    .execute(db);
  await sql
    .raw(
      'create view scope.ledger_lines as select l.* from ledger_lines l join scope.ledger_entries e on e.id = l.entry_id',
    )
    .execute(db);
}

const everyRule = Object.values(invariants)
  .map((query) => `select fault from (${query}) f`)
  .join(' union all ');

const cycleColumns = 'id, status, from_date, to_date';

/** Reads everything with one prepared function and one round trip, as it is called after each of thousands of steps. */
const snapshotFunction = `
  create function pg_temp.snapshot(customer text) returns table (faults text[], found json, paise bigint, papers bigint, gone bigint, losses bigint) language plpgsql
    set search_path to scope, public as $snapshot$
  #variable_conflict use_column
  begin
    perform set_config('scope.customer', customer, false);
    return query select
      (select coalesce(array_agg(f.fault), '{}') from (${everyRule}) f),
      (select coalesce(json_agg(c), '[]') from (select ${cycleColumns} from cycles order by id collate "C") c),
      (select coalesce(sum(amount_paise - covers_paise), 0)::bigint from refunds),
      (select coalesce(sum(total_paise), 0)::bigint from documents where kind in ('CREDIT_NOTE', 'REFUND_VOUCHER')),
      (select coalesce(-sum(l.amount_paise), 0)::bigint from ledger_lines l join ledger_entries e on e.id = l.entry_id
        where l.account in ('provider', 'bank') and e.kind in ('REFUND_PAID', 'DISPUTE_LOSS')),
      (select coalesce(sum(amount_paise), 0)::bigint from ledger_lines where account = 'losses');
  end $snapshot$`;

const snapshotSchema = z.object({
  faults: z.array(z.string()),
  found: z.array(z.unknown()),
  paise: z.number(),
  papers: z.number(),
  gone: z.number(),
  losses: z.number(),
});

/** A connection that sees only this schema and plans the many rules once. */
export async function openScope(databaseUrl: string) {
  let client: ReturnType<typeof openClient> | undefined;
  /** Anew where the connection broke, as with a restore. */
  const connected = async () => {
    if (client) return client;
    const opened = openClient({ connectionString: databaseUrl, types: valueParsers }, () => {
      // The end of an earlier one may be heard late.
      if (client === opened) client = undefined;
    });
    client = opened;
    await opened.connect();
    await opened.query('set jit to off');
    await opened.query(snapshotFunction);
    return opened;
  };

  const read = async (customerId: string) => {
    const found = await (
      await connected()
    ).query({
      name: 'snapshot',
      text: 'select * from pg_temp.snapshot($1)',
      values: [customerId],
    });
    return checkedRows(snapshotSchema, found)[0];
  };

  /**
   * After every step: the money rules hold, and the cycles, what is promised back, its documents, what the customer has got, and what of that
   * is a loss match the model.
   */
  const compare = async (model: Model, customerId: string, firstDay: string): Promise<void> => {
    const snapshot = await read(customerId);
    expect(snapshot?.faults).toEqual([]);
    const expected = [...model.cycles, ...model.formerCycles].map((cycle) => ({
      id: cycle.id,
      status: cycle.status,
      from_date: addDays(firstDay, cycle.from),
      to_date: addDays(firstDay, cycle.from + cycle.days),
    }));
    expect(snapshot?.found).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    expect({ paise: snapshot?.paise, papers: snapshot?.papers, losses: snapshot?.losses }).toEqual({
      paise: model.refundPaise,
      papers: model.papersPaise,
      losses: model.lossPaise,
    });
    if (model.isUnheard) expect(snapshot?.gone).toBeLessThanOrEqual(model.gonePaise);
    else expect(snapshot?.gone).toBe(model.gonePaise);
  };
  return {
    compare,
    faultsOf: async (customerId: string) => (await read(customerId))?.faults,
    close: async () => client?.end(),
  };
}
