import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { connect, type Tx } from '#shared/database/connect.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { sampleLetters } from '#server/features/documents/test-buyer.ts';
import { faultsOfCustomers } from '#server/features/ledger/changed-customers.ts';
import { readGuards } from '#server/features/ledger/guards.ts';
import { readLedgerHealth, verifyLedger, verifyWholeLedger } from '#server/features/ledger/ledger.ts';
import { lastSeal, verifyLedgerOf, verifyWithin } from '#server/features/ledger/verify-ledger.ts';
import { plantedInGuards } from './planted-guards.ts';
import { lastingRenewals } from './planted-lasting.ts';
import { auditedRenewals, furtherRenewals, type Renewal } from './planted-renewals.ts';
import { teamRenewals } from './planted-team.ts';
import { tradeToPlantIn } from './test-planted-trade.ts';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';

const terminal = captureTerminal();
let money: Money;
let customers: string[];

beforeAll(async () => {
  money = await startMoney({ env: { LETTERS_OF_UNDERTAKING: sampleLetters(), OPERATOR_APPROVAL_RUPEES: '1' } });
  await tradeToPlantIn(money);
  await sql`select chain_seals(100000)`.execute(money.portal.db);
  customers = (await money.portal.db.selectFrom('customers').select('id').execute()).map(({ id }) => id);
  const faults = await money.faults();
  if (faults.length > 0) throw new Error(`the ledger has faults before anything is planted: ${faults.join('\n')}`);
});
afterAll(() => money.close());

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

const all = [...auditedRenewals, ...furtherRenewals, ...lastingRenewals, ...teamRenewals];
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

test.each(plantedInGuards)('the checks notice that %s', async (_, statement, says) => {
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

test('limits, logs and the planning of statements may be set for a database', async () => {
  const { faults } = await rolledBack(async (tx) => {
    for (const setting of [
      'statement_timeout = 9000',
      `timezone = 'Asia/Kolkata'`,
      `log_statement = 'none'`,
      'jit = off',
    ])
      await sql`do ${sql.raw(`$$ begin execute format('alter database %I set ${setting.replaceAll("'", "''")}', current_database()); end $$`)}`.execute(
        tx,
      );
    return readGuards(tx);
  });
  expect(faults).toEqual([]);
});

test('a schema in front of ours blinds no check', async () => {
  const { pool } = money.owner;
  const { databaseUrl } = money.portal.settings;
  const database = new URL(databaseUrl).pathname.slice(1);
  const setGstin = (gstin: string) =>
    pool.query(`begin; set local session_replication_role = replica;
      update documents set content = jsonb_set(content, '{supplier,gstin}', '"${gstin}"') where id = (select min(id) from documents); commit`);
  const { content } = await money.portal.db
    .selectFrom('documents')
    .select('content')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  await pool.query(`create schema evil; grant usage on schema evil to public;
    create function evil.seal_of_documents(r public.documents) returns bytea language sql stable as
      $$ select content from public.record_seals where kind = 'documents' and record_id = r.id order by id desc limit 1 $$;
    create function evil.fixed_of_documents(r public.documents) returns bytea language sql stable as
      $$ select fixed from public.record_seals where kind = 'documents' and record_id = r.id order by id desc limit 1 $$;
    alter database ${database} set search_path = evil, public`);
  await setGstin('29ZZZCA0001A1Z0');
  const later = connect(databaseUrl, { applicationName: 'octroi test' });
  try {
    const { faults } = await verifyLedgerOf(later.db);
    expect(faults.join('\n')).toMatch(/document \S+ has been changed/);
    expect(faults.join('\n')).toContain('sessions of all users begin with search_path=evil, public');
  } finally {
    await later.close();
    await pool.query(`alter database ${database} reset search_path; drop schema evil cascade`);
    await setGstin(content.supplier.gstin);
  }
  expect(await money.faults()).toEqual([]);
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
