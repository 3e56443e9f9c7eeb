import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countWaiting } from '#shared/database/test-database.ts';
import { createSignInNonce, readAccount, signIn, updateMails } from '#shared/contract/account.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { askErasure } from '#shared/contract/privacy.ts';
import { createSupportThread } from '#shared/contract/support.ts';
import { declareTaxClaim } from '#shared/contract/tax-claims.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { dayOf } from '#shared/domain/day.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { eraseByOperator, listErasureRequests } from '#server/features/privacy/operator-erasure.ts';
import { makeGrant } from '#server/features/grants/grants.ts';
import { sampleLetter, sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';

const cause = { actor: 'asha', reason: 'Asked by the customer' };
const anyway = { endPlans: true, withinYear: true };
let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

async function newCustomer() {
  const token = await portal.newCustomer();
  return { token, ...(await portal.ask(readAccount, {}, token)).user };
}

/** Locks a row as another transaction would, until the function that it returns is called. */
async function hold(table: 'customers' | 'activations', id: string): Promise<() => Promise<void>> {
  const tx = await portal.portal.db.startTransaction().execute();
  await tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute();
  return () => tx.commit().execute();
}

/** Waits until so many connections wait for a lock. */
async function waiting(count: number): Promise<void> {
  await expect.poll(() => countWaiting(portal.portal.db)).toBe(count);
}

test('calls that are under way when their customer is erased are refused like the next one', async () => {
  const { token, id } = await newCustomer();
  const release = await hold('customers', id);
  const erasing = eraseByOperator(portal.portal, id, cause, anyway);
  await waiting(1);
  const calls = [
    portal.send(updateMails, { body: { mailsOff: ['quota.reached'] } }, token),
    portal.send(createWebhook, { body: { url: 'https://1.1.1.1/', events: ['cycle.ended'] } }, token),
    portal.send(
      createSupportThread,
      { body: { subject: 'Help', message: 'Please help me', activationId: null } },
      token,
    ),
    portal.send(askErasure, {}, token),
  ];
  await waiting(1 + calls.length);
  await release();
  await erasing;
  const erased = await Promise.all(calls);
  expect(erased.map(({ status, body }) => ({ status, body }))).toEqual(
    erased.map(() => ({ status: 401, body: expect.objectContaining({ code: 'unauthorized' }) })),
  );
});

test('a claim of deducted tax that is under way when its customer is erased is refused, and not stored', async () => {
  const { db } = portal.portal;
  const buyer = await newBuyer(portal, { gstin: '29ZZZCA0001A1Z0' });
  const billingCycleId = await buyer.buy(0);
  const { id } = (await portal.ask(readAccount, {}, buyer.token)).user;
  const release = await hold('customers', id);
  const erasing = eraseByOperator(portal.portal, id, cause, anyway);
  await waiting(1);
  const quarter = quarterOf(dayOf(portal.portal.clock()));
  const body = { tan: 'MUMA12345B', amount: 100, quarter, name: 'form-16a.pdf', certificate: sampleLetter };
  const declaring = portal.send(declareTds, { params: { billingCycleId }, body }, buyer.token);
  await waiting(2);
  await release();
  await erasing;
  expect((await declaring).status).toBe(401);
  expect(await db.selectFrom('tds_claims').select('id').where('customer_id', '=', id).execute()).toEqual([]);
});

test('what the GST portal says of a customer who was erased while it was asked is refused, and not stored', async () => {
  const { db } = portal.portal;
  const token = await portal.newCustomer({ ...sampleProfile, ...placeIn('27'), gstin: '27ZZZFA0003C2ZR', sez: true });
  const { id } = (await portal.ask(readAccount, {}, token)).user;
  portal.portal.taxpayers = {
    find: async (gstin) => {
      await eraseByOperator(portal.portal, id, cause, anyway);
      return {
        found: { type: 'SEZ Unit', status: 'Active' },
        text: JSON.stringify({ gstin, dty: 'SEZ Unit', sts: 'Active' }),
      };
    },
  };
  try {
    const declared = await portal.send(declareTaxClaim, { body: { name: 'letter.pdf', letter: sampleLetter } }, token);
    expect(declared.status).toBe(401);
  } finally {
    portal.portal.taxpayers = undefined;
  }
  expect(await db.selectFrom('sez_checks').select('gstin').where('customer_id', '=', id).execute()).toEqual([]);
});

test('a request that the portal took at a later time than that of the operator’s machine is carried out', async () => {
  const { token, id } = await newCustomer();
  await portal.ask(askErasure, {}, token);
  const behind = { ...portal.portal, clock: () => Date.now() - 90_000 };
  await eraseByOperator(behind, id, cause, anyway);
  expect((await listErasureRequests(portal.portal.db)).map(({ customerId }) => customerId)).not.toContain(id);
});

test('a grant locks in the order of an erasure: it holds nothing of the customer while it waits for the activation', async () => {
  const { token, id } = await newCustomer();
  const { activationId } = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, token);
  const order = { customerId: id, productId: 'tax-lookup-api', planId: 'growth', days: 5 };
  const release = await hold('activations', activationId);
  const granting = makeGrant(portal.portal, order, cause);
  await waiting(1);
  const own = portal.portal.db.selectFrom('customers').select('id').where('id', '=', id);
  expect(await own.forUpdate().noWait().execute()).toEqual([{ id }]);
  await release();
  const granted = await granting;
  expect(granted.activationId).toBe(activationId);
  // Two at once activate the product once; the second finds the days covered.
  const other = await newCustomer();
  const both = [1, 2].map(() => makeGrant(portal.portal, { ...order, customerId: other.id }, cause));
  const done = await Promise.allSettled(both);
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a customer is made together with the first session, or not at all', async () => {
  const { db } = portal.owner;
  const { nonce } = await portal.ask(createSignInNonce, {});
  const claims = { sub: 'half', email: 'half@example.com', email_verified: true, name: 'Half' };
  const googleIdToken = await portal.idToken({ claims, nonce });
  await sql`create function no_session() returns trigger language plpgsql as $$ begin raise exception 'none today'; end $$`.execute(
    db,
  );
  await sql`create trigger no_session before insert on sessions for each row execute function no_session()`.execute(db);
  try {
    expect((await portal.send(signIn, { body: { googleIdToken } })).status).toBe(500);
  } finally {
    await sql`drop trigger no_session on sessions`.execute(db);
  }
  expect(await db.selectFrom('customers').select('id').where('email', '=', 'half@example.com').execute()).toEqual([]);
});
