import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { readAccount } from '#contract/account.ts';
import { createApiKey } from '#contract/api-keys.ts';
import { buyPack, endCycle, previewEndCycle } from '#contract/cycles.ts';
import { activatePlan } from '#contract/marketplace.ts';
import { createOrder, verifyPayment } from '#contract/payments.ts';
import { verifyWithin } from '#server/features/ledger/verify-ledger.ts';
import { listeningPort, spawnTestGateway, type TestGateway } from '#server/test-gateway.ts';
import { eraseByOperator } from '#server/operator/erasure.ts';
import { makeGrant } from '#server/operator/grants.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';

let portal: TestPortal;
let gateway: TestGateway;
const api = createServer((_req, res) => void res.end('{}'));
const dataDir = mkdtempSync(join(tmpdir(), 'octroi-held-packs-'));

beforeAll(async () => {
  const catalogDir = changedCatalog({
    'tax-lookup-api': {
      onDeactivate: 'refund-unused',
      'plans.growth.rps': '1000',
      'plans.growth.dailyQuota': '10',
      'plans.growth.packs': '[{ id: more, name: More, units: 1000, price: 99 }]',
    },
  });
  portal = await startTestPortal({ jobs: false, catalogDir });
  await portal.behave({ webhooks: { enabled: false } });
  gateway = await spawnTestGateway({
    DATABASE_URL: portal.portal.settings.databaseUrl,
    DATA_DIR: dataDir,
    CATALOG_DIR: catalogDir,
    UPSTREAM_TAX_LOOKUP_API: `http://127.0.0.1:${await listeningPort(api)}`,
  });
});
afterAll(async () => {
  await gateway.stop();
  api.closeAllConnections();
  await once(api.close(), 'close');
  await portal.close();
  rmSync(dataDir, { recursive: true });
});

async function pay(token: string, id: string): Promise<void> {
  const { orderId } = await portal.ask(createOrder, { params: { id } }, token);
  const paid = await portal.pay(orderId);
  const [paymentId, signature] = [String(paid['razorpay_payment_id']), String(paid['razorpay_signature'])];
  await portal.ask(verifyPayment, { body: { orderId, paymentId, signature } }, token);
}

const cause = { actor: 'asha', reason: 'A test' };

/** A customer after some calls, with a plan and a pack of it. The gateway holds units of the pack. */
async function withHeldPack(calls: number) {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, plan, token);
  await pay(token, billingCycleId);
  const pack = await portal.ask(buyPack, { params: { activationId, packId: 'more' } }, token);
  await pay(token, pack.billingCycleId);
  const body = { keyName: 'a', isTest: false };
  const { apiKey } = await portal.ask(createApiKey, { params: { activationId }, body }, token);
  for (let call = 0; call < calls; call += 1) {
    const response = await request(`${gateway.url}/tax-lookup/v1/ok`, { headers: { 'x-api-key': apiKey } });
    await response.body.dump();
    expect(response.statusCode).toBe(200);
  }
  const { db } = portal.portal;
  const taken = db.fn<number>('pack_units_taken', ['id']).as('taken');
  const held = db.selectFrom('cycles').select(taken).where('id', '=', billingCycleId);
  expect((await held.executeTakeFirstOrThrow()).taken).toBeGreaterThan(1);
  return { token, activationId, billingCycleId, pack };
}

test.each([
  ['is refunded when calls used none of it', 8, 99],
  ['is not refunded when a call used it', 11, 0],
])('a pack of which a gateway holds units in advance %s', async (_, calls, refundAmount) => {
  const { token, activationId, billingCycleId, pack } = await withHeldPack(calls);
  const { db } = portal.portal;
  const ending = { params: { activationId, billingCycleId } };
  const whole = (await portal.ask(previewEndCycle, ending, token)).refundAmount;
  expect((await portal.ask(endCycle, ending, token)).refundAmount).toBe(whole);
  const refunds = db
    .selectFrom('refunds')
    .select('amount_paise')
    .where('reason', '=', 'Unused pack of a plan that ended');
  const refunded = await refunds.where('cycle_id', '=', pack.billingCycleId).execute();
  expect(refunded).toEqual(refundAmount === 0 ? [] : [{ amount_paise: refundAmount * 100 }]);
  expect(await db.transaction().execute(async (tx) => (await verifyWithin(tx)).faults)).toEqual([]);
});

test('an erasure refunds a pack of which a gateway only holds units in advance', async () => {
  const { token, pack } = await withHeldPack(8);
  const { id } = (await portal.ask(readAccount, {}, token)).user;
  await eraseByOperator(portal.portal, id, cause, { endPlans: true, withinYear: true });
  const { db } = portal.portal;
  const refunds = db.selectFrom('refunds').select('amount_paise').where('cycle_id', '=', pack.billingCycleId);
  expect(await refunds.execute()).toEqual([{ amount_paise: 9900 }]);
  expect(await db.transaction().execute(async (tx) => (await verifyWithin(tx)).faults)).toEqual([]);
});

test('a paid pack of a granted plan is lost by an erasure only when the operator says so', async () => {
  const token = await portal.newCustomer();
  const { id: customerId } = (await portal.ask(readAccount, {}, token)).user;
  const order = { customerId, productId: 'tax-lookup-api', planId: 'growth', days: 30 };
  const { activationId, cycleId } = await makeGrant(portal.portal, order, cause);
  if (activationId === null) throw new Error('nothing was activated');
  const pack = await portal.ask(buyPack, { params: { activationId, packId: 'more' } }, token);
  await pay(token, pack.billingCycleId);
  const erase = (endPlans: boolean) =>
    eraseByOperator(portal.portal, customerId, cause, { endPlans, withinYear: true });
  await expect(erase(false)).rejects.toThrow(`More (${pack.billingCycleId})`);
  await erase(true);
  const ended = portal.portal.db
    .selectFrom('cycles')
    .select('status')
    .where('id', 'in', [cycleId, pack.billingCycleId]);
  expect(await ended.execute()).toEqual([{ status: 'DEACTIVATED' }, { status: 'DEACTIVATED' }]);
});
