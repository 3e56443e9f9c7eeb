import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { lockActivation } from './ownership.ts';

let portal: TestPortal;
beforeAll(async () => void (portal = await startTestPortal({ jobs: false })));
afterAll(() => portal.close());

test('gateways take units of an activation while the portal changes it', async () => {
  const token = await portal.newCustomer();
  const { db } = portal.portal;
  const made = await portal.ask(activateProduct, { params: { id: 'tax-lookup-api' } }, token);
  const { activationId, billingCycleId: cycleId } = made;
  const of = db.selectFrom('activations').select('customer_id as customerId').where('id', '=', activationId);
  const owner = await of.executeTakeFirstOrThrow();
  await sql`insert into journals (id, position) values ('a gateway', 0)`.execute(db);
  const taken = await transaction(db, async (tx) => {
    expect(await lockActivation(owner, tx, activationId)).toMatchObject({ id: activationId });
    return sql`select granted from take_quota('a gateway', ${activationId}, ${cycleId}, ${dayOf(portal.portal.clock())}::date,
      '', 2, 2, 'none')`.execute(db);
  });
  expect(taken.rows).toEqual([{ granted: 2 }]);
});
