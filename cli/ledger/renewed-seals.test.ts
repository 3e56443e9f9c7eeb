import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { activatePlan } from '#contract/marketplace.ts';
import { SoundFiles } from '#catalog/catalog-files.ts';
import { recordFirstCatalog } from '#database/catalog-versions.ts';
import type { Tx } from '#database/connect.ts';
import { addDays, dayOf } from '#domain/day.ts';
import { lastDayOf, monthOf } from '#domain/month.ts';
import { checkedRows } from '#platform/checked-rows.ts';
import { readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import { addCycle, endCycle } from '#server/features/cycles/cycles.ts';
import { finishDocument } from '#server/features/documents/finish.ts';
import { faultsOfCustomers } from '#server/features/ledger/changed-customers.ts';
import { readGuards } from '#server/features/ledger/guards.ts';
import { readLedgerHealth, verifyLedger, verifyWholeLedger } from '#server/features/ledger/ledger.ts';
import { lastSeal, verifyWithin } from '#server/features/ledger/verify-ledger.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import { lockMonth } from '#server/features/period-locks/period-locks.ts';
import { auditedRenewals, furtherRenewals, type Renewal } from './planted-renewals.ts';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';

const terminal = captureTerminal();
let money: Money;
let customers: string[];

beforeAll(async () => {
  money = await startMoney();
  await trade();
  await prepare();
  await sql`select chain_seals(100000)`.execute(money.portal.db);
  customers = (await money.portal.db.selectFrom('customers').select('id').execute()).map(({ id }) => id);
  const faults = await money.faults();
  if (faults.length > 0) throw new Error(`the ledger has faults before anything is planted: ${faults.join('\n')}`);
});
afterAll(() => money.close());

/** A running plan, a refunded one, a deleted activation, and their documents. */
async function trade(): Promise<void> {
  const { portal } = money;
  const customer = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await money.ask(activatePlan, plan, customer.token);
  const pay = async (cycleId: string) => {
    const { orderId } = await createOrder(portal, customer, cycleId);
    await settlePayment(portal, (await money.checkOut(orderId)).paymentId);
  };
  await pay(billingCycleId);
  const later = addDays(dayOf(portal.clock()), 60);
  const upcoming = await addCycle(portal, customer, activationId, 'starter', later);
  await pay(upcoming.billingCycleId);
  await endCycle(portal, customer, activationId, upcoming.billingCycleId);
  await money.work();
  for (const { id } of await portal.db.selectFrom('documents').select('id').execute()) await finishDocument(portal, id);
}

const letter = `'\\x255044462d00'::bytea`;

/** One row of each other table, as the portal writes it. */
async function prepare(): Promise<void> {
  const { db } = money.portal;
  const month = monthOf(addDays(dayOf(Date.now()), -40));
  await lockMonth(db, month, { actor: 'asha', reason: 'Returns are filed' }, () =>
    readTrialBalance(db, lastDayOf(month)),
  );
  const files = SoundFiles.in(money.portal.settings.catalogDir);
  await recordFirstCatalog(db, files, { author: 'test', reason: 'First' });
  const one = `(select id from customers limit 1)`;
  const invoice = `(select id from documents where kind = 'INVOICE' limit 1)`;
  for (const statement of [
    `insert into tax_claims (id, customer_id, kind, about, declared_on, declared_at, letter_name, letter_type, letter_bytes, letter, letter_sha256)
      values ('CLM-X', ${one}, 'EXPORT', 'SG', '2026-11-02', '2026-11-02T12:00:00+05:30', 'letter.pdf', 'application/pdf', 6, ${letter}, sha256(${letter}))`,
    `insert into sez_checks (customer_id, gstin, checked_at, outcome, type_text, answer, answer_sha256)
      values (${one}, '29ZZZCA0001A1Z0', now(), 'OTHER', 'Regular', 'Regular', sha256('Regular'))`,
    `insert into letters_of_undertaking values ('AD270426000001X', '2026-04-01', '2026-09-30')`,
    `insert into settlements values ('setl_X', 100, 'processed', 'UTR1', now(), now())`,
    `insert into settlement_items (entity_id, settlement_id, type, debit_paise, credit_paise, amount_paise, fee_paise, tax_paise, currency, on_hold,
      settled_at, created_at) values ('adj_X', 'setl_X', 'adjustment', 0, 100, 100, 0, 0, 'INR', false, now(), now())`,
    `insert into closed_series select name, '2020-21', now(), 'Full' from document_series_forms order by place desc, name limit 1`,
    `insert into accountants values ('ACN-X', ${one}, 'books@example.com', now(), null, null, null, null)`,
    `insert into activations values ('ACT-X', ${one}, 'invoicing-system', now(), now())`,
    `insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, created_at, revoked_at)
      select 'KEY-X', id, customer_id, 'x', sha256('x'), 'abcd', now(), now() from activations where deleted_at is null limit 1`,
    `insert into e_invoice_waits (document_id, since) values (${invoice}, now())`,
    `insert into amendments select id, customer_id, now(), (now() at time zone 'Asia/Kolkata')::date, content from documents where id = ${invoice}`,
    `insert into event_keys values ('two', ${one}, now())`,
    `insert into mails (id, dedupe_key, customer_id, recipient, subject, body_text, body_html, document_id, created_at)
      values ('MSG-X', 'two', ${one}, 'kaveri@example.com', 'Papers', '', '', ${invoice}, now())`,
    `insert into mail_documents values ('MSG-X', 2, (select min(id) from documents))`,
  ])
    await sql.raw(statement).execute(money.owner.db);
}

/** The owner of the tables, with the seals off like all other triggers, or left on. */
async function plant(tx: Tx, { of, change, what }: Renewal, seals: 'on' | 'off'): Promise<void> {
  const sealed = seals === 'on' ? await sealTriggers(tx, of) : [];
  for (const { table, name } of sealed) await sql.raw(`alter table ${table} enable always trigger ${name}`).execute(tx);
  await sql`set local session_replication_role = replica`.execute(tx);
  for (const statement of change) {
    const { numAffectedRows } = await sql.raw(statement).execute(tx);
    if (numAffectedRows === 0n) throw new Error(`${what}: no effect: ${statement}`);
  }
  await sql`set local session_replication_role = origin`.execute(tx);
  for (const { table, name } of sealed) await sql.raw(`alter table ${table} enable trigger ${name}`).execute(tx);
  await sql`select chain_seals(100000)`.execute(tx);
}

const triggerRow = z.object({ table: z.string(), name: z.string() });

async function sealTriggers(tx: Tx, tables: readonly string[]) {
  const found = await sql`select tgrelid::regclass::text as table, tgname as name from pg_trigger
    where tgfoid = 'seal_record'::regproc and tgrelid::regclass::text = any(${tables})`.execute(tx);
  return checkedRows(triggerRow, found);
}

async function rolledBack<Result>(act: (tx: Tx) => Promise<Result>): Promise<Result> {
  const tx = await money.owner.db.startTransaction().execute();
  try {
    return await act(tx);
  } finally {
    await tx.rollback().execute();
  }
}

const all = [...auditedRenewals, ...furtherRenewals];
const planted = all.flatMap((renewal) =>
  (renewal.onlyUnsealed ? (['off'] as const) : (['on', 'off'] as const)).map((seals) => ({ ...renewal, seals })),
);

test.each(planted)('with the seals $seals both checks notice when $what', async ({ seals, ...renewal }) => {
  const found = await rolledBack(async (tx) => {
    await plant(tx, renewal, seals);
    const { faults } = await verifyWithin(tx);
    const ofMinute = await faultsOfCustomers(tx, customers, 100);
    return { checks: renewal.atNight ? [faults] : [faults, ofMinute], guards: (await readGuards(tx)).faults };
  });
  for (const faults of found.checks) expect(faults.join('\n')).toMatch(renewal.says);
  // He left no trace but the change.
  expect(found.guards).toEqual([]);
});

test('the checks notice any subset of triggers that is off', async () => {
  const { db } = money.portal;
  const triggers = checkedRows(
    triggerRow,
    await sql`select tgrelid::regclass::text as table, tgname as name from pg_trigger join pg_class r on r.oid = tgrelid
      where not tgisinternal and relnamespace = 'public'::regnamespace order by 1, 2`.execute(db),
  );
  expect(triggers.length).toBeGreaterThan(200);
  await fc.assert(
    fc.asyncProperty(fc.subarray(triggers, { minLength: 1, maxLength: 40 }), async (subset) => {
      const { faults } = await rolledBack(async (tx) => {
        for (const { table, name } of subset) await sql.raw(`alter table ${table} disable trigger ${name}`).execute(tx);
        return readGuards(tx);
      });
      expect(faults.toSorted()).toEqual(
        subset.map(({ table, name }) => `trigger ${name} of ${table} is off`).toSorted(),
      );
    }),
    { numRuns: 12 },
  );
});

test.each([
  [
    'all triggers of a table, with its foreign keys',
    'alter table refunds disable trigger all',
    /trigger RI_\w+ of refunds is off/,
  ],
  ['a trigger is gone', 'drop trigger sealed on cycles', /trigger sealed of cycles is missing/],
  [
    'a function does nothing',
    `create or replace function never_change() returns trigger language plpgsql as 'begin return new; end'`,
    /function never_change\(\) is not/,
  ],
  [
    'a trigger was added',
    'create trigger z before insert on record_seals for each row execute function never_change()',
    /trigger z of record_seals is not/,
  ],
  [
    'a constraint is gone',
    'alter table quota_cycles drop constraint quota_cycles_taken_check',
    /table quota_cycles is not/,
  ],
  ['a unique index is gone', 'drop index cycles_one_trial', /index cycles_one_trial is missing/],
  [
    'a view hides rows',
    'create or replace view cycle_payments as select p.* from cycle_payments_of() p',
    /view cycle_payments is not/,
  ],
  ['a rule swallows deletes', 'create rule quiet as on delete to mails do instead nothing', /the rule quiet of mails/],
  ['row security hides rows', 'alter table documents enable row level security', /row security of documents is on/],
  [
    'every new session has its triggers off',
    `do $$ begin execute format('alter database %I set session_replication_role = replica', current_database()); end $$`,
    /triggers are off for sessions of all users/,
  ],
] as const)('the checks notice that %s', async (_, statement, says) => {
  const { faults } = await rolledBack(async (tx) => {
    if (statement.includes('cycle_payments_of')) {
      await sql
        .raw(
          `create function cycle_payments_of() returns setof cycle_payments language sql as 'select * from cycle_payments limit 0'`,
        )
        .execute(tx);
    }
    await sql.raw(statement).execute(tx);
    return readGuards(tx);
  });
  expect(faults.join('\n')).toMatch(says);
});

test('a seal written by hand that repeats what can’t change is noticed', async () => {
  const faults = await rolledBack(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update cycles set monthly_quota = monthly_quota * 2 where status = 'PAID'`.execute(tx);
    await sql`insert into record_seals (kind, record_id, customer_id, content, fixed)
      select 'cycles', c.id, c.customer_id, seal_of_cycles(c), (select fixed from record_seals s where s.kind = 'cycles' and s.record_id = c.id
        order by s.id desc limit 1) from cycles c where c.status = 'PAID'`.execute(tx);
    await sql`select chain_seals(100000)`.execute(tx);
    return (await verifyWithin(tx)).faults;
  });
  expect(faults.join('\n')).toMatch(/cycle \S+ has been changed/);
});

/** Rewrites the whole chain, so that the database agrees with itself. */
async function writeAnew(tx: Tx): Promise<void> {
  await sql`set local session_replication_role = replica`.execute(tx);
  await sql`update record_seals set position = null, hash = null`.execute(tx);
  await sql`update seal_head set position = 0, hash = decode(repeat('00', 32), 'hex')`.execute(tx);
  await sql`select chain_seals(100000)`.execute(tx);
}

test('a chain that was rewritten is noticed by its head, which is kept elsewhere', async () => {
  const knownSeal = await money.portal.db.transaction().execute(lastSeal);
  const found = await rolledBack(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update settlements set amount_paise = 9`.execute(tx);
    await sql`update record_seals s set content = seal_of_settlements(r), fixed = fixed_of_settlements(r) from settlements r
      where s.kind = 'settlements' and s.record_id = r.settlement_id`.execute(tx);
    await writeAnew(tx);
    return { blind: (await verifyWithin(tx)).faults, knowing: (await verifyWithin(tx, { knownSeal })).faults };
  });
  expect(found.blind).toEqual([]);
  expect(found.knowing).toEqual([
    `the chain of seals: seal ${knownSeal.position} has changed since the last verification`,
  ]);
});

test('command and health report all of it, each by its record', async () => {
  const { portal } = money;
  vi.stubEnv('DATABASE_URL', portal.settings.databaseUrl);
  await verifyLedger(portal);
  await verifyWholeLedger(portal);
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: true, holds: true });
  expect(await run(['verify-ledger'])).toBe(exitCodes.done);
  const [, seal = ''] = /seals, the last one is (\d+:[0-9a-f]{64})/.exec(terminal.out) ?? [];
  expect(await run(['verify-ledger', '--known-seal', seal])).toBe(exitCodes.done);
  expect(await run(['verify-ledger', '--known-seal', seal.replace(/:.{4}/, ':0000')])).toBe(exitCodes.faults);
  // A row that is deleted can't be changed as well.
  const kept = all.filter(({ change }) => !change.some((statement) => statement.startsWith('delete')));
  const deleted = all.filter((renewal) => !kept.includes(renewal));
  for (const renewal of [...kept, ...deleted])
    await money.owner.db.transaction().execute((tx) => plant(tx, renewal, 'on'));
  await money.owner.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update record_seals set content = sha256('other') where kind = 'sez_checks' and content is not null`.execute(
      tx,
    );
    await writeAnew(tx);
  });
  terminal.out = '';
  expect(await run(['verify-ledger', '--known-seal', seal])).toBe(exitCodes.faults);
  await verifyLedger(portal);
  await verifyWholeLedger(portal);
  const { whole_faults: ofHealth } = await portal.db
    .selectFrom('ledger_checks')
    .select('whole_faults')
    .executeTakeFirstOrThrow();
  const noticed = all.filter(({ onlyUnsealed }) => !onlyUnsealed);
  expect(noticed.filter(({ says }) => !says.test(terminal.out)).map(({ what }) => what)).toEqual([]);
  expect(noticed.filter(({ says }) => !ofHealth.some((fault) => says.test(fault))).map(({ what }) => what)).toEqual([]);
  expect(terminal.out).toContain('has changed since the last verification');
  expect(ofHealth.join('\n')).toContain('the chain of seals: seal');
  expect(await readLedgerHealth(portal)).toMatchObject({ ok: false, holds: false });
});
