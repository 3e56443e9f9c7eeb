import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AccessChange } from '#shared/database/access.ts';
import type { Db } from '#shared/database/connect.ts';
import { personalTables } from '#shared/database/table-facts.ts';
import { endActivation } from '#server/features/activations/activations.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { type Items, unrecorded } from '#server/rounds/steps.ts';
import { hasProducts, inProducts, ofCustomer } from './customer-rows.ts';
import { productTables } from './product-tables.ts';

/** Rows per statement: few enough not to block others. */
const batchSize = 1000;
const dayMs = 86_400_000;
/** Journals of gateways and jobs may bring something of an erased customer for this long. */
const lateDays = 40;
/** The mail that says that the account is erased, and later ones to the provider, go when they were sent, and after this long in any case. */
const lateMailDays = 7;

/**
 * Takes away everything that names a customer (DPDP Act 2023, section 12(3)) but what the law requires: ends activations and keys, empties the
 * account, and deletes the rest by the rules of `tableFacts`. Requires the locks of the customer and of the activations. What `eraseRest`
 * deletes follows after the commit.
 */
export async function eraseCustomer(context: Issuer, owner: Owner, change: AccessChange, at: Date): Promise<void> {
  const { tx } = change;
  const activations = await tx
    .selectFrom('activations')
    .select(['id', 'deleted_at'])
    .where('customer_id', '=', owner.customerId)
    .orderBy('id')
    .execute();
  for (const { id, deleted_at: deletedAt } of activations) {
    if (deletedAt === null) await endActivation(context, owner, change, id);
    change.announce(id);
  }
  // Webhooks before their deliveries, as storing a delivery's result locks them.
  await tx
    .selectFrom('webhooks')
    .select('id')
    .where('customer_id', '=', owner.customerId)
    .orderBy('id')
    .forUpdate()
    .execute();
  // The account first: the database deletes and changes the rest only for a customer who is erased.
  for (const { table, rule } of personalTables) {
    if (rule.erasure.does !== 'blank') continue;
    const columns = Object.entries(rule.erasure.columns).map(
      ([column, value]) => sql`${sql.ref(column)} = ${sql.raw(value)}`,
    );
    if (table === 'customers') columns.push(sql`erased_at = ${at}`);
    await sql`update ${sql.table(table)} as t set ${sql.join(columns)} where ${ofCustomer(rule, owner)}`.execute(tx);
  }
  for (const { table, rule } of personalTables.toReversed()) {
    if (rule.erasure.does !== 'delete' || rule.erasure.later) continue;
    const { only = 'true' } = rule.erasure;
    await sql`delete from ${sql.table(table)} as t where ${ofCustomer(rule, owner)} and (${sql.raw(only)})`.execute(tx);
  }
}

/** Deletes what may be very long: the request log, addresses of callers, and what products stored. Safe to repeat; returns how many rows. */
export async function eraseRest(db: Db, owner: Owner, stopping?: AbortSignal): Promise<number> {
  const tables: [string, RawBuilder<SqlBool>][] = personalTables.flatMap(({ table, rule }) =>
    rule.erasure.does === 'delete' && rule.erasure.later ? [[table, ofCustomer(rule, owner)]] : [],
  );
  if (await hasProducts(db))
    for (const table of Object.keys(productTables)) tables.push([`products.${table}`, inProducts(owner)]);
  let deleted = 0;
  for (const [table, condition] of tables) {
    for (let last = batchSize; last >= batchSize; deleted += last) {
      if (stopping?.aborted) return deleted;
      // Rows of several partitions have the same ctid, so the condition applies twice.
      const result = await sql`delete from ${sql.table(table)} as t
        where t.ctid = any(array(select t.ctid from ${sql.table(table)} t where ${condition} limit ${batchSize})) and ${condition}`.execute(
        db,
      );
      last = Number(result.numAffectedRows ?? 0);
    }
  }
  return deleted;
}

/** Deletes the calls of a customer that are not in the database. */
export async function eraseLogged({ db, requestLog }: Pick<Portal, 'db' | 'requestLog'>, owner: Owner): Promise<void> {
  if (!requestLog.isApart && requestLog.moveDays === undefined) return;
  const own = await db.selectFrom('activations').select('id').where('customer_id', '=', owner.customerId).execute();
  await requestLog.erase(own.map(({ id }) => id));
}

/**
 * What came after an erasure, or was left when it was interrupted: in the batches of `eraseRest`, Razorpay's messages about late payments, and
 * mails that were sent since. Keys of events stay, as the provider is told of each once, and name nobody.
 */
export async function sweepErased(
  { db, requestLog }: Pick<Portal, 'db' | 'requestLog'>,
  now: Date,
  { each, stopping }: Items = unrecorded,
): Promise<number> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs);
  const customers = await db.selectFrom('customers').select('id').where('erased_at', '>', daysAgo(lateDays)).execute();
  let deleted = 0;
  for (const { id } of customers)
    await each(id, async () => {
      deleted += await eraseRest(db, { customerId: id }, stopping);
      await eraseLogged({ db, requestLog }, { customerId: id });
    });
  if (stopping?.aborted) return deleted;
  // Whenever the erasure was: a dispute may follow after months.
  const messages = await sql`delete from webhook_inbox where processed_at is not null
    and body #>> '{payload,payment,entity,order_id}' in (select o.provider_order_id from payment_orders o
      join customers c on c.id = o.customer_id and c.erased_at is not null)`.execute(db);
  const mails = await sql`delete from mails where (sent_at is not null or created_at < ${daysAgo(lateMailDays)})
    and customer_id in (select id from customers where erased_at is not null)`.execute(db);
  return deleted + Number(messages.numAffectedRows ?? 0) + Number(mails.numAffectedRows ?? 0);
}
