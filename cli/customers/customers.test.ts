import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { nextId, writeBatch } from '#server/features/request-log/test-log.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal();
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

/** The bank's number of a payment, in Razorpay's message about it. */
async function utrOf(paymentId: string): Promise<string> {
  const messages = await portal.portal.db.selectFrom('webhook_inbox').select('body').execute();
  const payments = messages.map(({ body }) => Object(body).payload.payment?.entity);
  return z.string().parse(payments.find((payment) => payment?.id === paymentId)?.acquirer_data.rrn);
}

test('a customer is found by an order, a UTR, a document, a refund, a pasted key, its beginning, a phone however grouped, and a request, which is shown', async () => {
  const token = await portal.newCustomer({ ...sampleProfile, legalName: 'Kosi Papers', phone: '+91 98450 12345' });
  const params = { id: 'tax-lookup-api', planId: 'growth' };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, { params }, token);
  const { paymentId } = await portal.buy(token, billingCycleId);
  const body = { keyName: 'a', isTest: false };
  const key = await portal.ask(createApiKey, { params: { activationId }, body }, token);
  const { documents } = await portal.ask(listDocuments, {}, token);
  const { db, clock } = portal.portal;
  const order = await db
    .selectFrom('payment_orders')
    .select(['id', 'provider_order_id'])
    .where('cycle_id', '=', billingCycleId)
    .executeTakeFirstOrThrow();
  const { email } = await db
    .selectFrom('customers')
    .innerJoin('activations', 'activations.customer_id', 'customers.id')
    .select('customers.email')
    .where('activations.id', '=', activationId)
    .executeTakeFirstOrThrow();
  const requestId = nextId();
  await writeBatch(portal, [{ requestId, at: clock(), status: 429, reason: 'refused' }], activationId, key.id);
  const utr = await vi.waitFor(() => utrOf(paymentId), { timeout: 60_000 });
  const sought = [
    paymentId,
    utr,
    `UTR: ${utr}`,
    order.id,
    order.provider_order_id ?? '',
    documents[0]?.number ?? '',
    key.apiKey,
    key.apiKey.slice(0, 16),
    '98450 12345',
    '+91-98450-12345',
    '12345',
    // As it is pasted from a mail.
    `Asha Rao <${email}>`,
    `\u200b${order.id}\u00a0`,
    order.id.toLowerCase(),
    `Invoice ${documents[0]?.number ?? ''}.`,
    `(${(documents[0]?.number ?? '').toLowerCase()})`,
  ];
  for (const text of sought) {
    terminal.out = '';
    expect(await run(['customers', 'find', text])).toBe(exitCodes.done);
    expect(terminal.out).toMatch(/^CUS-\S+ {2}Kosi Papers {2}<\S+>\n$/);
  }
  terminal.out = '';
  expect(await run(['customers', 'find', requestId])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(/Kosi Papers/);
  expect(terminal.out).toMatch(/ IST {2}GET \S+ {2}429, not counted: the gateway refused the call/);
  expect(terminal.out).toContain(`${activationId}, key ${key.id}`);
  expect(await run(['customers', 'find', nextId()])).toBe(exitCodes.failed);
});

test('a customer is found by name, payment, key or activation, and shown with plans, keys, payments and actions', async () => {
  const token = await portal.newCustomer({ ...sampleProfile, legalName: 'Godavari Mills' });
  await portal.newCustomer();
  const params = { id: 'tax-lookup-api', planId: 'growth' };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, { params }, token);
  const { paymentId } = await portal.buy(token, billingCycleId);
  const key = await portal.ask(
    createApiKey,
    { params: { activationId }, body: { keyName: 'a', isTest: false } },
    token,
  );
  for (const sought of ['godavari', paymentId, key.id, activationId, billingCycleId]) {
    terminal.out = '';
    expect(await run(['customers', 'find', sought])).toBe(exitCodes.done);
    expect(terminal.out).toMatch(/^CUS-\S+ {2}Godavari Mills {2}<\S+@example\.com>\n$/);
  }
  const [id = ''] = terminal.out.split(' ', 1);
  expect(await run(['keys', 'revoke', key.id, '--reason', 'It leaked', '--actor', 'asha', '--yes'])).toBe(
    exitCodes.done,
  );
  terminal.out = '';
  expect(await run(['customers', 'show', id])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(
    new RegExp(`${activationId} {2}tax-lookup-api {2}Growth until \\S+ \\(PAID, ${billingCycleId}\\) {2}0 keys in use`),
  );
  expect(terminal.out).toContain(`${paymentId}  `);
  expect(terminal.out).toMatch(/asha {2}keys\.revoke {2}KEY-\S+ {2}It leaked/);
  terminal.out = '';
  expect(await run(['actions', '--customer', id, '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ actions: [{ position: 1, actor: 'asha', action: 'keys.revoke' }] });
  expect(await run(['actions', '--customer', 'CUS-nobody', '--json'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no customer CUS-nobody');
  terminal.errors = '';
  expect(await run(['customers', 'find', '%%%'])).toBe(exitCodes.failed);
  expect(await run(['customers', 'find', 'ab'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('at least three characters');
  expect(await run(['customers', 'show', 'CUS-nobody'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no customer CUS-nobody');
});
