import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { waitingKinds } from '#shared/contract/operator/waiting.ts';
import { createResponseMetrics } from '#shared/platform/measure-responses.ts';
import { createMetrics } from '#shared/platform/metrics.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { buildApp } from './app.ts';
import { createOrder } from './features/payments/create-order.ts';
import { settlePayment } from './features/payments/settle.ts';
import { listWaiting } from './features/waiting/waiting.ts';
import { readHealth } from './health.ts';
import { type Money, startMoney } from './money-tests/test-money.ts';
import { measurePortal } from './metrics/portal-metrics.ts';
import { readAsOperator } from './operator-calls.ts';

let money: Money;
const metrics = createMetrics();
beforeAll(async () => {
  money = await startMoney();
  const { portal } = money;
  measurePortal(metrics, {
    portal,
    pool: { totalCount: 3, idleCount: 1, waitingCount: 0 },
    readHealth: () => readHealth(portal),
    readWaiting: () => listWaiting(portal.db, portal.machineClock(), { limit: 0 }),
  });
});
afterAll(() => money.close());

/** The value of the sample that starts with these words. */
function valueIn(page: string, sample: string): number | undefined {
  const line = page.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length).split(' ', 2)[1]);
}

test('the ledger is read to the paisa and nothing of it twice, also by readings at the same time', async () => {
  await metrics.metrics();
  const customer = await money.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { billingCycleId } = await money.ask(activatePlan, plan, customer.token);
  const { orderId, amount } = await createOrder(money.portal, customer, billingCycleId ?? '');
  await settlePayment(money.portal, (await money.checkOut(orderId)).paymentId);
  await Promise.all([metrics.metrics(), metrics.metrics()]);
  const page = await metrics.metrics();
  expect(valueIn(page, 'octroi_ledger_paise_total{account="provider",side="debit"}')).toBe(amount * 100);
  expect(valueIn(page, 'octroi_ledger_paise_total{account="cycles",side="credit"}')).toBe(amount * 100);
});

test('health, jobs and the pool have numbers, and a part that is unknown has none', async () => {
  const page = await metrics.metrics();
  expect(valueIn(page, 'octroi_unsettled_payments')).toBe(0);
  expect(valueIn(page, 'octroi_document_numbers_enough')).toBe(1);
  expect(valueIn(page, 'octroi_database_connections{state="used"}')).toBe(2);
  expect(valueIn(page, 'octroi_waiting_jobs{kind="send-mail"}')).toBeGreaterThanOrEqual(0);
  // Documents are not signed here, so no certificate can end.
  expect(page).toContain('# TYPE octroi_signing_certificate_days gauge');
  expect(valueIn(page, 'octroi_signing_certificate_days')).toBeUndefined();
});

test('what waits for operators is counted by kind', async () => {
  expect(valueIn(await metrics.metrics(), 'octroi_waiting_items{kind="MANDATE"}')).toBe(0);
  const { kinds } = await readAsOperator(money.portal, 'owner', 'listWaiting', { limit: 100 });
  const page = await metrics.metrics();
  const counted = waitingKinds.map((kind) => [kind, valueIn(page, `octroi_waiting_items{kind="${kind}"}`)]);
  expect(Object.fromEntries(counted)).toMatchObject(Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])));
  expect(counted.filter(([, count]) => count !== 0)).toHaveLength(kinds.length);
});

test('a portal without a health report is not healthy, and says so', async () => {
  const own = createMetrics();
  const pool = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  measurePortal(own, {
    portal: money.portal,
    pool,
    readHealth: () => Promise.reject(new Error('the database is away')),
    readWaiting: async () => [],
  });
  expect(await own.getSingleMetricAsString('octroi_healthy')).toMatch(/^octroi_healthy 0$/m);
  await expect(own.getSingleMetricAsString('octroi_unsettled_payments')).rejects.toThrow('the database is away');
});

test('each check of the doctor that complains has a number, by place, and so has the time since', async () => {
  const { db } = money.portal;
  const complaints = JSON.stringify({ backups: 'fault', disk: 'warning' });
  await db.insertInto('doctor_runs').values({ place: 'here', examined_at: new Date(), complaints }).execute();
  const page = await metrics.metrics();
  expect(valueIn(page, 'octroi_doctor_complaints{place="here",check="backups",level="fault"}')).toBe(1);
  expect(valueIn(page, 'octroi_doctor_age_seconds{place="here"}')).toBeLessThan(600);
  await db.updateTable('doctor_runs').set({ complaints: '{}' }).execute();
  expect(await metrics.metrics()).not.toContain('check="backups"');
});

test('a webhook of Razorpay with a refused signature has the labels that its alert looks for', async () => {
  const own = createMetrics();
  const app = await buildApp(money.portal, { metrics: own });
  onTestFinished(() => app.close());
  const headers = { 'content-type': 'application/json', 'x-razorpay-signature': '0'.repeat(64) };
  await app.inject({ method: 'POST', url: '/backend/webhooks/razorpay', headers, payload: '{}' });
  const alerts = readFileSync(projectFolder('ship', 'deploy', 'prometheus', 'alerts.yaml'), 'utf8');
  const sought = /octroi_http_request_duration_seconds_count\{(.*razorpay.*)\}/.exec(alerts)?.[1];
  expect(await own.metrics()).toContain(`${sought}} 1`);
});

test('responses are measured by route, not by path, with the request id as an exemplar', async () => {
  const own = createMetrics();
  const app = Fastify({ genReqId: () => 'request-1' });
  createResponseMetrics(own)(app, 'portal');
  app.get('/activations/:id', async () => 'ok');
  await app.inject({ url: '/activations/ACT-secret' });
  await app.inject({ url: '/no/such/page' });
  const page = await own.metrics();
  expect(page).toContain(
    'octroi_http_request_duration_seconds_count{server="portal",method="GET",route="/activations/:id",status="200"} 1',
  );
  expect(page).toContain('route="none",status="404"');
  expect(page).toContain('# {request_id="request-1"}');
  expect(page).not.toContain('ACT-secret');
});
