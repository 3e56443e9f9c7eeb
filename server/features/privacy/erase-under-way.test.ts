import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countWaiting } from '#database/test-database.ts';
import { createSignInNonce, readAccount, signIn, updateMails } from '#contract/account.ts';
import { activatePlan } from '#contract/marketplace.ts';
import { askErasure } from '#contract/privacy.ts';
import { createSupportThread } from '#contract/support.ts';
import { createWebhook } from '#contract/webhooks.ts';
import { eraseByOperator, listErasureRequests } from '#server/operator/erasure.ts';
import { makeGrant } from '#server/operator/grants.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';

const cause = { actor: 'asha', reason: 'Asked by the customer' };
const anyway = { endPlans: true, withinYear: true };
let portal: TestPortal;
beforeAll(async () => void (portal = await startTestPortal({ jobs: false })));
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
  const { db } = portal.portal;
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
  expect(await db.selectFrom('customers').select('id').where('google_sub', '=', 'half').execute()).toEqual([]);
});
