import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { connect } from '#shared/database/connect.ts';
import { migrate } from '#shared/database/migrate.ts';
import { customersSql } from '#shared/database/test-customers.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';

let database: TestDatabase;
const terminal = captureTerminal();
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());
beforeEach(() => {
  // It adds a year of rows past the triggers.
  vi.stubEnv('DATABASE_URL', database.owner.databaseUrl);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Every index, constraint and trigger, as it is made, and whether it is in force. */
async function rulesOfTables(): Promise<string[]> {
  const { rows } = await database.pool.query<{ rule: string }>(`
    select pg_get_indexdef(indexrelid) || indisvalid::text as rule from pg_index where indrelid::regclass::text !~ '^pg_'
    union all select conrelid::regclass::text || conname || pg_get_constraintdef(oid) || convalidated::text from pg_constraint
    union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    order by 1`);
  return rows.map(({ rule }) => rule);
}

test('sample customers have paid cycles, documents and daily usage, and every rule of the ledger holds', async () => {
  await migrate(database.owner.databaseUrl);
  const before = await rulesOfTables();
  // Neither a product nor a plan that is shipped, and another rate of tax.
  vi.stubEnv('CATALOG_DIR', changedCatalog({ 'parcel-tracker': { position: '1', gstRatePercent: '12' } }));
  expect(await run(['seed', '--customers', '20', '--callers-among', '5', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ customers: 20, cycles: 240, product: 'parcel-tracker' });
  const count = async (table: string) => {
    const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    return rows[0]?.count;
  };
  expect(await count(`cycles where status = 'PAID'`)).toBe(240);
  expect(await count('documents')).toBe(480);
  expect(await count('(select distinct activation_id from usage_counts) callers')).toBe(4);
  expect(await count('request_log')).toBe(120);
  expect(await rulesOfTables()).toEqual(before);
  const { db, close } = connect(database.databaseUrl, { applicationName: 'octroi test' });
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
  await close();
});

test('a database with customers is refused', async () => {
  await database.pool.query(
    customersSql(`values ('CUS-real', 'a@b.example', 'A', 'A', 'A', '', now()) on conflict do nothing`),
  );
  expect(await run(['seed', '--customers', '1'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('This database has customers');
});

test('a product or a plan that is not sold for money is a wrong command line', async () => {
  for (const words of [
    ['--product', 'weather'],
    ['--plan', 'weekly'],
  ]) {
    terminal.errors = '';
    expect(await run(['seed', ...words])).toBe(exitCodes.usage);
    expect(terminal.errors).toContain('There is no such product with such a paid plan');
  }
});

test('production is refused', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  expect(await run(['seed'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('refused in production');
});
