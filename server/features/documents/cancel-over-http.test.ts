import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openClient } from '#shared/database/clients.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { invoicedBuyer, startPortalWithGstn } from './test-e-invoices.ts';

let world: Awaited<ReturnType<typeof startPortalWithGstn>>;
let operators: TestOperators;
beforeAll(async () => {
  world = await startPortalWithGstn();
  operators = testOperators(world.portal);
});
afterAll(() => world.close());

test('the registration of an invoice stays when its operator is removed before the invoice portal is asked', async () => {
  const { portal, owner } = world.portal;
  const { buyer, invoice } = await invoicedBuyer(world.portal, { gstin: '29ZZZCA0001A1Z0' });
  await buyer.download(invoice.id);
  if (!portal.eInvoices) throw new Error('no invoice portal');
  const told = vi.spyOn(portal.eInvoices, 'cancel');
  const token = await operators.signedIn('leaving@kaveri.example', 'finance');
  await operators.prove('leaving@kaveri.example');
  const client = openClient({ connectionString: owner.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from activations where id = $1 for update', [buyer.activationId]);
  const input = { number: invoice.number, because: 'data-entry-mistake' } as const;
  const cancelling = operators.act(token, 'cancelEInvoice', input);
  await vi.waitFor(async () => expect(await countWaiting(owner.db)).toBeGreaterThan(0), { timeout: 60_000 });
  const cause = { actor: 'root', reason: 'Left' };
  await actAsOperator(portal, 'owner', 'removeOperator', { email: 'leaving@kaveri.example' }, cause);
  await client.query('commit');
  await client.end();
  expect(await cancelling).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  const [registered] = await buyer.documents();
  expect(registered).toMatchObject({ number: invoice.number, cancelled: false });
  expect(told).not.toHaveBeenCalled();
});
