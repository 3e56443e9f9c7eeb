import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { dayOf } from '#shared/domain/day.ts';
import { monthBefore, monthOf } from '#shared/domain/month.ts';
import { createMetrics } from '#shared/platform/metrics.ts';
import { mailMonths } from './features/accountants/accountants.ts';
import { newBuyer } from './features/documents/test-buyer.ts';
import { announceStartsAndEnds } from './features/timed-events/timed-events.ts';
import { readHealth } from './health.ts';
import { measurePortal } from './metrics/portal-metrics.ts';
import { listFailedWork } from './rounds/failed-work.ts';
import { itemsOf } from './rounds/test-items.ts';
import { runCleanUp, runRounds } from './start-rounds.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

const dayMs = 86_400_000;
let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const runAt = (afterMs: number) => {
  const machineClock = () => Date.now() + afterMs;
  return runRounds({ ...portal.portal, machineClock });
};
const endings = async () =>
  (
    await portal.portal.db
      .selectFrom('event_keys')
      .select('customer_id')
      .where('dedupe_key', 'like', 'ends:%')
      .orderBy('customer_id')
      .execute()
  ).map(({ customer_id: customerId }) => customerId);

/** No event of this customer can be written. */
async function breakEventsOf(customerId: string): Promise<() => Promise<unknown>> {
  const { db } = portal.owner;
  await sql`create function no_event() returns trigger language plpgsql as $$ begin raise exception 'no event today'; end $$`.execute(
    db,
  );
  await sql`create trigger no_event before insert on event_keys for each row when (new.customer_id = ${sql.lit(customerId)})
    execute function no_event()`.execute(db);
  return () => sql`drop trigger no_event on event_keys; drop function no_event`.execute(db);
}

test('what fails for one customer keeps no other waiting, is listed, and is done once its cause is gone', async () => {
  const customers: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const buyer = await newBuyer(portal);
    const cycleId = await buyer.buy(0);
    const { customer_id: customerId } = await portal.portal.db
      .selectFrom('cycles')
      .select('customer_id')
      .where('id', '=', cycleId)
      .executeTakeFirstOrThrow();
    customers.push(customerId);
  }
  const [broken = '', ...others] = customers;
  portal.moveClock(25 * dayMs);
  const mend = await breakEventsOf(broken);
  await runAt(0);
  expect(await endings()).toEqual(others.toSorted());
  expect(await listFailedWork(portal.portal.db)).toMatchObject([
    { step: 'reminders of ending plans', item: broken, failures: 1, error: 'no event today' },
  ]);

  const health = await readHealth(portal.portal);
  expect(health.timedWork?.failing).toMatchObject([{ step: 'reminders of ending plans', count: 1 }]);
  expect(JSON.stringify(health.timedWork)).not.toContain(broken);
  const metrics = createMetrics();
  const pool = { totalCount: 1, idleCount: 0, waitingCount: 0 };
  measurePortal(metrics, {
    portal: portal.portal,
    pool,
    readHealth: () => readHealth(portal.portal),
    readWaiting: async () => [],
  });
  expect(await metrics.metrics()).toMatch(/^octroi_failed_timed_work 1/m);

  // The day has had its round, and nothing of this customer changes: the failure alone brings it back.
  await mend();
  await runAt(0);
  expect(await endings()).toEqual(others.toSorted());
  await runAt(61_000);
  expect(await endings()).toEqual(customers.toSorted());
  expect(await listFailedWork(portal.portal.db)).toEqual([]);
});

test('a step that fails as a whole keeps no other step waiting, and looks at every customer when it is tried again', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  portal.moveClock(25 * dayMs);
  const { db } = portal.owner;
  await sql`alter table quota_crossings rename to quota_crossings_away`.execute(db);
  await runAt(0);
  await sql`alter table quota_crossings_away rename to quota_crossings`.execute(db);
  expect(await endings()).toHaveLength(4);
  expect(await listFailedWork(portal.portal.db)).toMatchObject([{ step: 'quota reminders', item: '' }]);
  await runAt(61_000);
  expect(await listFailedWork(portal.portal.db)).toEqual([]);
});

test('papers for accountants, and starts of plans, are written customer by customer and not otherwise', async () => {
  const { db } = portal.portal;
  const buyer = await newBuyer(portal);
  await portal.ask(createWebhook, { body: { url: 'https://1.1.1.1/hook', events: ['cycle.activated'] } }, buyer.token);
  const cycleId = await buyer.buy(1);
  const { customer_id: customerId } = await db
    .selectFrom('cycles')
    .select('customer_id')
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  const month = monthBefore(monthBefore(monthOf(dayOf(portal.portal.clock()))));
  await sql`insert into accountants (id, customer_id, email, asked_at) values ('ACN-1', ${customerId}, 'ca@books.example', now())`.execute(
    db,
  );
  await sql`update accountants set confirmed_at = now(), next_month = ${month}`.execute(db);
  portal.moveClock(dayMs);
  const today = dayOf(portal.portal.clock());
  const own = { ...portal.portal, settings: { ...portal.portal.settings, accountantEmail: 'own@books.example' } };
  expect(await itemsOf(db, (items) => mailMonths(own, items))).toEqual(['ACN-1', 'ACCOUNTANT_EMAIL']);
  const starts = await itemsOf(db, (items) => announceStartsAndEnds(own, today, { customers: 'all', items }));
  expect(starts).toEqual([customerId]);
});

test('a table that can’t be cleaned up keeps no other from it', async () => {
  const { db } = portal.owner;
  const old = new Date(Date.now() - 400 * dayMs);
  await sql`insert into sign_in_nonces values (sha256('old'), ${old})`.execute(db);
  await sql`alter table key_clients rename to key_clients_away`.execute(db);
  await runCleanUp(portal.portal);
  await sql`alter table key_clients_away rename to key_clients`.execute(db);
  const failed = await listFailedWork(portal.portal.db);
  expect(failed.map(({ step, item }) => `${step} ${item}`)).toEqual(['old rows key_clients']);
  expect(
    await db
      .selectFrom('sign_in_nonces')
      .selectAll()
      .where('nonce_hash', '=', sql<Buffer>`sha256('old')`)
      .execute(),
  ).toEqual([]);
});
