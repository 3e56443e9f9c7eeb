import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Profile, readAccount } from '#shared/contract/account.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { transaction } from '#shared/database/transaction.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { readProfile, saveProfile } from '#server/features/account/account.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => void (portal = await startTestPortal({ jobs: false })));
afterAll(() => portal.close());

const cause = { actor: 'asha', reason: 'A letter of the customer' };
const gstin = '29ZZZCA0001A1Z0';
const legalName = 'Kaveri Trading LLP';
const correctName = (customerId: string) =>
  actAsOperator(portal.portal, 'owner', 'changeDetails', { customerId, legalName }, cause);
const correctGstin = (customerId: string) =>
  actAsOperator(portal.portal, 'owner', 'changeGstin', { customerId, gstin }, cause);

test.each<[string, Partial<Profile>, string, (customerId: string) => Promise<unknown>, Partial<Profile>]>([
  ['State', placeIn('27'), 'name', correctName, { legalName }],
  ['GSTIN', { gstin }, 'name', correctName, { legalName }],
  ['address', { address: '2 MG Road' }, 'GSTIN', correctGstin, { gstin }],
])('the %s that a customer saves, %j, stays when an operator corrects the %s meanwhile', async (...row) => {
  const [, saved, , correct, correction] = row;
  const { db } = portal.portal;
  const token = await portal.newCustomer();
  const customerId = (await portal.ask(readAccount, {}, token)).user.id;
  const { correcting } = await transaction(db, async (tx) => {
    await saveProfile({ ...portal.portal, db: tx }, { customerId }, { ...sampleProfile, ...saved });
    const correcting = correct(customerId);
    await expect.poll(() => countWaiting(db), { timeout: 60_000 }).toBe(1);
    return { correcting };
  });
  await correcting;
  expect(await readProfile({ customerId }, db)).toMatchObject({ ...sampleProfile, ...saved, ...correction });
});
