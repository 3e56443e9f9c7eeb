import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { buyPack, endCycle, previewEndCycle, switchPlan } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { formatRupees } from '#shared/domain/money.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { listeningPort, spawnTestGateway, type TestGateway } from '#server/test/gateway.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { readErasureFacts } from '#server/features/privacy/erasure-facts.ts';
import { eraseByOperator } from '#server/features/privacy/operator-erasure.ts';
import { makeGrant, previewGrant } from '#server/features/grants/grants.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { returnUnusedUnits } from './unused-units.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
let gateway: TestGateway;
const api = createServer((_req, res) => void res.end('{}'));
const dataDir = mkdtempSync(join(tmpdir(), 'octroi-held-packs-'));

beforeAll(async () => {
  const packs = '[{ id: more, name: More, units: 1000, price: 99 }]';
  const catalogDir = changedCatalog({
    'tax-lookup-api': {
      onDeactivate: 'refund-unused',
      'plans.growth.rps': '1000',
      'plans.growth.dailyQuota': '10',
      'plans.growth.packs': packs,
      'plans.free.rps': '1000',
      'plans.free.dailyQuota': '10',
      'plans.free.packs': packs,
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

/** Returns the payment. */
async function pay(token: string, id: string): Promise<string> {
  const { paymentId, status } = await portal.buy(token, id);
  expect(status).toBe('success');
  return paymentId;
}

const cause = { actor: 'asha', reason: 'A test' };
const packRefund = 'Unused pack of a plan that ended';

/** A customer with a plan and a pack of it. */
async function withPack(planId = 'growth') {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId } };
  const { activationId, billingCycleId = '', status } = await portal.ask(activatePlan, plan, token);
  const paymentId = status === 'pending' ? await pay(token, billingCycleId) : '';
  const pack = await portal.ask(buyPack, { params: { activationId, packId: 'more' } }, token);
  await pay(token, pack.billingCycleId);
  return { token, activationId, billingCycleId, paymentId, packId: pack.billingCycleId };
}
type Buyer = Awaited<ReturnType<typeof withPack>>;
type Called = Pick<Buyer, 'token' | 'activationId' | 'billingCycleId'> & { packId?: string };

/** Makes calls, after which the gateway holds units of the pack in advance. */
async function makeCalls({ token, activationId, billingCycleId, packId }: Called, calls: number): Promise<void> {
  const body = { keyName: 'a', isTest: false };
  const { apiKey } = await portal.ask(createApiKey, { params: { activationId }, body }, token);
  for (let call = 0; call < calls; call += 1) {
    const response = await request(`${gateway.url}/tax-lookup/v1/ok`, { headers: { 'x-api-key': apiKey } });
    await response.body.dump();
    expect(response.statusCode).toBe(200);
  }
  if (packId === undefined) return;
  const { db } = portal.portal;
  const taken = db.fn<number>('pack_units_taken', ['id']).as('taken');
  const held = db.selectFrom('cycles').select(taken).where('id', '=', billingCycleId);
  expect((await held.executeTakeFirstOrThrow()).taken).toBeGreaterThan(1);
}

/** What was refunded of the pack, in rupees; the books must agree. */
async function refundsOf({ packId }: Buyer): Promise<number[]> {
  const { db } = portal.portal;
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
  const refunds = db.selectFrom('refunds').select('amount_paise').where('reason', '=', packRefund);
  return (await refunds.where('cycle_id', '=', packId).execute()).map(({ amount_paise: paise }) => paise / 100);
}

test.each([
  ['is refunded when calls used none of it', 8, [99]],
  ['is not refunded when a call used it', 11, []],
])('a pack of which a gateway holds units in advance %s', async (_, calls, refunded) => {
  const buyer = await withPack();
  await makeCalls(buyer, calls);
  const { token, activationId, billingCycleId } = buyer;
  const ending = { params: { activationId, billingCycleId } };
  const whole = (await portal.ask(previewEndCycle, ending, token)).refundAmount;
  expect((await portal.ask(endCycle, ending, token)).refundAmount).toBe(whole);
  expect(await refundsOf(buyer)).toEqual(refunded);
});

test.each([
  ['is refunded when calls used none of it', 8, [99]],
  ['is not refunded when a call used it', 11, []],
])('as a paid switch of plans ends its plan, a pack of which a gateway holds units %s', async (_, calls, refunded) => {
  const buyer = await withPack();
  const { token, activationId } = buyer;
  const { billingCycleId = '' } = await portal.ask(switchPlan, { params: { activationId, planId: 'scale' } }, token);
  // Held since the order, so that only the payment can ask for them.
  await makeCalls(buyer, calls);
  await pay(token, billingCycleId);
  expect(await refundsOf(buyer)).toEqual(refunded);
});

test.each([
  [
    'an operator',
    async ({ billingCycleId }: Buyer) => {
      await makeRefund(portal.portal, { of: billingCycleId, reason: 'Asked by phone' }, 'asha');
    },
  ],
  [
    'the provider',
    async ({ paymentId }: Buyer) => {
      await portal.standin('POST', `/standin/payments/${paymentId}/refund`, {});
      await pollList(portal.portal, 'refunds');
    },
  ],
])(
  'as a refund of the whole plan by %s ends it, a pack of which a gateway only holds units is refunded',
  async (_, refund) => {
    const buyer = await withPack();
    await makeCalls(buyer, 8);
    await refund(buyer);
    expect(await refundsOf(buyer)).toEqual([99]);
  },
);

test('a granted plan takes the place of no free one while the customer has a paid pack of it, and of one whose pack is refunded', async () => {
  const { token, billingCycleId, packId } = await withPack('free');
  const { user } = await portal.ask(readAccount, {}, token);
  const order = { customerId: user.id, productId: 'tax-lookup-api', planId: 'growth', days: 30 };
  const { db } = portal.portal;
  const refusal = `the customer paid for its pack ${packId}: octroi refund ${packId} first`;
  await expect(previewGrant(portal.portal, order)).rejects.toThrow(refusal);
  await expect(makeGrant(portal.portal, order, cause)).rejects.toThrow(refusal);
  const statuses = db
    .selectFrom('cycles')
    .select('status')
    .where('id', 'in', [billingCycleId, packId])
    .orderBy('price_paise');
  expect(await statuses.execute()).toEqual([{ status: 'NO_PAYMENT_REQUIRED' }, { status: 'PAID' }]);
  const { to_date: from } = await db
    .selectFrom('cycles')
    .select('to_date')
    .where('id', '=', billingCycleId)
    .executeTakeFirstOrThrow();
  await expect(makeGrant(portal.portal, order, cause)).rejects.toThrow(`--from ${from}`);
  await previewGrant(portal.portal, { ...order, from });
  await makeRefund(portal.portal, { of: packId, reason: 'The plan is granted' }, 'asha');
  expect((await makeGrant(portal.portal, order, cause)).replaces).toMatchObject({ cycleId: billingCycleId });
});

test('an erasure refunds a pack of which a gateway only holds units in advance, says so before, and mails the papers', async () => {
  const buyer = await withPack();
  await makeCalls(buyer, 8);
  const { token, activationId } = buyer;
  const { db, catalog } = portal.portal;
  const { id, email } = (await portal.ask(readAccount, {}, token)).user;
  await returnUnusedUnits(db, { customerId: id }, activationId);
  const { refundPaise } = await readErasureFacts(db, catalog, id, Date.now());
  await eraseByOperator(portal.portal, id, cause, { endPlans: true, withinYear: true });
  expect(await refundsOf(buyer)).toEqual([99]);
  const refunds = await db.selectFrom('refunds').select('amount_paise').where('customer_id', '=', id).execute();
  expect(refunds.reduce((sum, { amount_paise: paise }) => sum + paise, 0)).toBe(refundPaise);
  const notes = db.selectFrom('documents').select('id').where('customer_id', '=', id).where('kind', '=', 'CREDIT_NOTE');
  const mails = await db.selectFrom('mails').selectAll().where('recipient', '=', email).execute();
  expect(mails).toMatchObject([{ body_text: expect.stringContaining(`We refund ${formatRupees(refundPaise)}`) }]);
  const further = await db
    .selectFrom('mail_documents')
    .select('document_id')
    .where('mail_id', '=', mails[0]?.id ?? '')
    .execute();
  const attached = [mails[0]?.document_id, ...further.map(({ document_id: document }) => document)];
  expect(new Set(attached)).toEqual(new Set((await notes.execute()).map(({ id: document }) => document)));
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

test('units that a gateway holds in advance of a plan that refunds what is unused come back, with no pack of it', async () => {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, plan, token);
  await pay(token, billingCycleId);
  await makeCalls({ token, activationId, billingCycleId }, 1);
  const { db } = portal.portal;
  const held = db.selectFrom('leases').select('held').where('cycle_id', '=', billingCycleId).where('held', '>', 0);
  expect(await held.execute()).toHaveLength(1);
  const { id } = (await portal.ask(readAccount, {}, token)).user;
  await returnUnusedUnits(db, { customerId: id }, activationId);
  expect(await held.execute()).toEqual([]);
});
