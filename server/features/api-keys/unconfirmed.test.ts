import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteActivation } from '#shared/contract/activations.ts';
import { createApiKey, revokeApiKey, rotateApiKey, updateApiKey } from '#shared/contract/api-keys.ts';
import { endCycle } from '#shared/contract/cycles.ts';
import { activatePlan, activateProduct } from '#shared/contract/marketplace.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const health = async (): Promise<unknown> => (await fetch(`${portal.portalUrl}/backend/health`)).json();

/** A customer with an activation and a key. */
async function newKey() {
  const token = await portal.newCustomer();
  const made = await portal.ask(activateProduct, { params: { id: 'tax-lookup-api' } }, token);
  const { activationId, billingCycleId = '' } = made;
  const { id: keyId } = await portal.ask(createApiKey, { params: made, body: { keyName: 'main' } }, token);
  return { token, activationId, billingCycleId, keyId };
}

/** Pays for a plan; returns how the browser reports the payment. */
async function payUnreported() {
  const token = await portal.newCustomer();
  const { billingCycleId: id = '' } = await portal.ask(
    activatePlan,
    { params: { id: 'tax-lookup-api', planId: 'growth' } },
    token,
  );
  const { orderId } = await portal.ask(createOrder, { params: { id } }, token);
  const body = await portal.checkOut(orderId);
  return () => portal.ask(verifyPayment, { body }, token);
}

test('a change of access that a running gateway does not confirm returns effectiveBy and raises an alarm', async () => {
  const { db } = portal.portal;
  const first = await newKey();
  const second = await newKey();
  const third = await newKey();
  const fourth = await newKey();
  const fifth = await newKey();
  const report = await payUnreported();
  expect(await portal.ask(revokeApiKey, { params: first }, first.token)).toEqual({
    status: 'success',
    effectiveBy: null,
  });
  expect(await health()).toMatchObject({ accessChanges: { unconfirmed: 0 } });

  await sql`insert into journals (id, position) values ('deaf-gateway', 0)`.execute(db);
  await sql`insert into gateways (journal_id, started_at, lease_until)
    values ('deaf-gateway', clock_timestamp(), clock_timestamp() + interval '1 hour')`.execute(db);
  const before = Date.now();
  const replies = await Promise.all([
    portal.ask(revokeApiKey, { params: second }, second.token),
    portal.ask(updateApiKey, { params: third, body: { dailyCap: 5, expiresAt: null, allowedIps: [] } }, third.token),
    portal.ask(rotateApiKey, { params: fourth, body: { overlapHours: 0 } }, fourth.token),
    portal.ask(endCycle, { params: fifth }, fifth.token),
    portal.ask(deleteActivation, { params: first }, first.token),
    report(),
  ]);
  for (const { effectiveBy } of replies) {
    // Two seconds until gateways are notified plus a lease of three, counted from the commit.
    expect(Date.parse(effectiveBy ?? '') - before).toBeGreaterThanOrEqual(5000);
    expect(Date.parse(effectiveBy ?? '') - Date.now()).toBeLessThanOrEqual(5000);
  }
  const alarms = portal.logLines.filter((line) => line.includes('has not confirmed a change of access'));
  expect(alarms).toHaveLength(replies.length);
  for (const line of alarms) {
    expect(line).toContain('deaf-gateway');
    expect(line).toContain('"level":"error"');
  }
  expect(await health()).toMatchObject({ accessChanges: { unconfirmed: replies.length } });
  // Settled or revoked already, by the webhook or another tab: the reply still says when it takes effect, and raises no second alarm.
  expect((await report()).effectiveBy).not.toBeNull();
  expect((await portal.ask(revokeApiKey, { params: second }, second.token)).effectiveBy).not.toBeNull();
  expect(await health()).toMatchObject({ accessChanges: { unconfirmed: replies.length } });
});
