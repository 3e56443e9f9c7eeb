import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { maxEndedKeys } from '#shared/domain/api-key.ts';
import type { Day } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { LogAway } from '#shared/request-log/log.ts';
import type { Owner, Portal } from '#server/portal.ts';

export interface ApiKeyRow {
  id: string;
  name: string;
  hint: string;
  created_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
  test: boolean;
  expires_at: Date | null;
  allowed_ips: string[];
  daily_cap: number | null;
  replaced_by: string | null;
}

/** The keys of an activation that are not revoked, and the `maxEndedKeys` that were revoked last; newest first. */
export function selectApiKeys(owner: Owner, db: Db, activationId: string): Promise<ApiKeyRow[]> {
  const own = db
    .selectFrom('api_keys')
    .select('id')
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId);
  const ended = own.where('revoked_at', 'is not', null).orderBy('revoked_at', 'desc').limit(maxEndedKeys);
  return db
    .selectFrom('api_keys')
    .select((select) => [
      'id',
      'name',
      'hint',
      'created_at',
      'revoked_at',
      'test',
      'expires_at',
      'allowed_ips',
      'daily_cap',
      'replaced_by',
      select
        .selectFrom('usage_counts')
        .select((used) => used.fn.max('last_at').as('last_at'))
        // The index on usage_counts starts with the activation; without this line every customer's usage would be read for each key.
        .whereRef('usage_counts.activation_id', '=', 'api_keys.activation_id')
        .whereRef('usage_counts.key_id', '=', 'api_keys.id')
        .as('last_used_at'),
    ])
    .where(
      'id',
      'in',
      own.where('revoked_at', 'is', null).unionAll((select) => select.parens(ended)),
    )
    .orderBy('created_at', 'desc')
    .execute();
}

/** Calls of a day by key, of these keys, that reached the product. */
export async function selectCallsOfDay(
  owner: Owner,
  db: Db,
  keyIds: readonly string[],
  day: Day,
): Promise<Map<string, number>> {
  const result = await sql`
    select k.id, sum(u.calls) as calls
    from api_keys k
    join usage_counts u on u.activation_id = k.activation_id and u.key_id = k.id and u.day = ${day}
    where k.id = any(${keyIds}) and k.customer_id = ${owner.customerId}
    group by k.id`.execute(db);
  const rows = checkedRows(z.object({ id: z.string(), calls: z.number() }), result);
  return new Map(rows.map(({ id, calls }) => [id, calls]));
}

/** The last call and the calls of a day with each of these test keys: they are logged, not counted. */
export async function readTests({ requestLog, log }: Pick<Portal, 'requestLog' | 'log'>, keyIds: string[], day: Day) {
  const none = { last: new Map<string, Date>(), ofDay: new Map<string, number>() };
  if (keyIds.length === 0) return none;
  try {
    return { last: await requestLog.lastTests(keyIds), ofDay: await requestLog.testsOn(keyIds, day) };
  } catch (error) {
    if (!(error instanceof LogAway)) throw error;
    // The keys themselves are not in the log.
    log.warn({ err: error }, 'the calls of test keys could not be read');
    return none;
  }
}

/** From where each of these keys was used last. */
export async function selectLastClients(
  owner: Owner,
  db: Db,
  keyIds: readonly string[],
): Promise<Map<string, { address: string; client: string; at: string }>> {
  const result = await sql`
    select k.id, host(c.address) as address, c.client, c.last_at as at
    from api_keys k
    join lateral (select * from key_clients where key_id = k.id order by last_at desc limit 1) c on true
    where k.id = any(${keyIds}) and k.customer_id = ${owner.customerId}`.execute(db);
  const rows = checkedRows(z.object({ id: z.string(), address: z.string(), client: z.string(), at: z.date() }), result);
  return new Map(rows.map(({ id, at, ...from }) => [id, { ...from, at: at.toISOString() }]));
}
