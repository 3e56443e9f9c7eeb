import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient } from '#shared/database/clients.ts';
import { applyMigrations, readChanges } from '#shared/database/migrate.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { readAccount } from '#shared/contract/account.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { stopSeries } from './stop-series.ts';

let world: TestPortal;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
});
afterAll(() => world.close());

test('a restore stops the live series of every customer and names those of this year, also where only an activation has counted', async () => {
  const { databaseUrl } = world.owner;
  // An installation without the APIs has no series.
  expect(await stopSeries(databaseUrl, '2026-11-23')).toMatchObject({ count: 0, names: [] });
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    // As the version before has them.
    const changes = readChanges(projectFolder('products', 'migrations'));
    await applyMigrations(client, changes.slice(0, 5), 'products');
    const newCustomer = async () => {
      const token = await world.newCustomer();
      return { token, ...(await world.ask(readAccount, {}, token)).user };
    };
    const [one, other] = [await newCustomer(), await newCustomer()];
    const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
    const { activationId } = await world.ask(activatePlan, plan, other.token);
    await client.query(
      `insert into products.series (caller, series, document_type, financial_year, last_sequence)
       values ($1, 'TPX', 'INV', '2026-27', 2), ($1, 'TPX', 'INV', '2025-26', 9), ($2, 'TPX', 'INV', '2026-27', 2), ($3, 'ABC', 'INV', '2026-27', 1)`,
      [one.id, `${one.id}/test`, activationId],
    );
    const { names } = await stopSeries(databaseUrl, '2026-11-23');
    expect(names).toEqual([`${one.email} TPX/2026-27`, `${other.email} ABC/2026-27`].toSorted());
    const going = await client.query('select caller from products.series where not is_stopped');
    expect(going.rows).toEqual([{ caller: `${one.id}/test` }]);
    // A customer without a series may have begun one since the backup, of the next year too.
    const callers = await client.query('select caller, last_financial_year from products.restored_callers');
    expect(callers.rows).toEqual(
      expect.arrayContaining(
        [one.id, other.id, activationId].map((caller) => ({ caller, last_financial_year: '2027-28' })),
      ),
    );
  } finally {
    await client.end();
  }
});
