import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorRoles } from '#shared/contract/operator/roles.ts';
import { providerEventTypes } from '#shared/contract/provider-events.ts';
import { maxWebhooks } from '#shared/contract/webhooks.ts';
import { transaction } from '#shared/database/transaction.ts';
import { readAsOperator } from '#server/operator-calls.ts';
import { createOutbound } from '#server/outbound/outbound.ts';
import { testOperators } from '#server/test/operators.ts';
import type { TestPortal } from '#server/test/portal.ts';
import { deliverWebhook } from './deliver.ts';
import { insertEvent, queueDelivery } from './queue.ts';
import { provider } from './store.ts';
import { actOn, providerEvents, subscribeProvider } from './test-provider.ts';
import { verifiedSignatures } from './test-receiver.ts';
import { startDeliveringPortal, subscribeTo } from './test-subscription.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startDeliveringPortal();
  // No held response may time out in a slow test.
  portal.portal.outbound = createOutbound({ toLoopback: true, timeoutMs: 120_000 });
});
afterAll(() => portal.close());

const tried = (at: { deliveryOf: (id: string) => Promise<{ tries: number }> }, id: string, tries: number) =>
  expect.poll(async () => (await at.deliveryOf(id)).tries, { timeout: 60_000 }).toBe(tries);

test('an event of any customer arrives, signed with the secret that was shown once, and its delivery can be read', async () => {
  const { receiver, endpointId, secret } = await subscribeProvider(portal, ['customer.created']);
  await portal.newCustomer();
  const arrived = await receiver.next(({ type }) => type === 'customer.created');
  expect(verifiedSignatures(arrived, secret)).toEqual([true]);
  expect(JSON.parse(arrived.body)).toMatchObject({ data: { customerId: expect.stringMatching(/^CUS-/) } });
  const read = () => readAsOperator(portal.portal, 'read-only', 'listDeliveries', { endpointId });
  await expect
    .poll(async () => (await read()).deliveries, { timeout: 60_000 })
    .toMatchObject([
      { eventId: arrived.headers['webhook-id'], type: 'customer.created', status: 'DELIVERED', responseStatus: 200 },
    ]);
  expect(JSON.stringify(await readAsOperator(portal.portal, 'owner', 'listEndpoints', {}))).not.toContain(
    secret.slice(6),
  );
  const audit = await portal.portal.db.selectFrom('operator_actions').select(['action', 'effect']).execute();
  expect(audit.map(({ action }) => action)).toContain('endpoints.create');
  expect(JSON.stringify(audit)).not.toContain(secret.slice(6));
});

test('a failed delivery is tried again with the same id; after three days the webhook is off and waits for an operator, who switches it on and resends', async () => {
  const one = await subscribeProvider(portal, ['customer.blocked']);
  const waiting = async () => {
    const asked = { kind: 'ENDPOINT', limit: 1000 } as const;
    const { kinds } = await readAsOperator(portal.portal, 'read-only', 'listWaiting', asked);
    return kinds.flatMap((found) => found.waiting).filter(({ id }) => id === one.endpointId);
  };
  expect(await waiting()).toEqual([]);
  one.receiver.respond(500, 'closed');
  const id = await one.sendTest();
  await tried(one, id, 1);
  expect(await waiting()).toEqual([]);
  const failingFor = (hours: number) =>
    sql`update webhooks set failing_since = now() - make_interval(hours => ${hours}) where id = ${one.endpointId}`.execute(
      portal.portal.db,
    );
  await failingFor(2);
  expect(await waiting()).toMatchObject([{ about: expect.stringContaining('fails'), customerId: null }]);
  await deliverWebhook(portal.portal, { deliveryId: id, tries: 1 });
  // A job that runs again sends nothing.
  await deliverWebhook(portal.portal, { deliveryId: id, tries: 1 });
  const { received } = one.receiver;
  expect(received).toHaveLength(2);
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  await failingFor(72);
  await deliverWebhook(portal.portal, { deliveryId: id, tries: 2 });
  expect(await one.now()).toMatchObject({ disabledReason: 'FAILING' });
  expect(await waiting()).toMatchObject([{ about: expect.stringContaining('is off') }]);
  await expect(actOn(portal, 'resendDelivery', { deliveryId: id })).rejects.toThrow('is switched off');
  one.receiver.respond(200);
  await actOn(portal, 'changeEndpoint', { endpointId: one.endpointId, enabled: true });
  expect(await waiting()).toEqual([]);
  await actOn(portal, 'resendDelivery', { deliveryId: id });
  await expect.poll(async () => (await one.deliveryOf(id)).status, { timeout: 60_000 }).toBe('DELIVERED');
  expect((await one.deliveryOf(id)).attempts.map(({ attempt }) => attempt)).toEqual([4, 3, 2, 1]);
});

test('many events for a silent program of the provider hold up no customer’s webhook', async () => {
  const customer = await subscribeTo(portal);
  const one = await subscribeProvider(portal, ['customer.created']);
  one.receiver.hold();
  for (let count = 0; count < 12; count += 1) await portal.newCustomer(null);
  await expect.poll(() => one.receiver.received.length, { timeout: 60_000 }).toBe(1);
  await customer.sendTest();
  await customer.receiver.next(({ type }) => type === 'webhook.test');
  expect(one.receiver.received).toHaveLength(1);
  one.receiver.releaseAll();
  await expect.poll(() => one.receiver.received.length, { timeout: 60_000 }).toBe(12);
});

test('a silent program of the provider holds up neither events nor tests for another one', async () => {
  const silent = await subscribeProvider(portal, ['customer.created']);
  silent.receiver.hold();
  for (let count = 0; count < 12; count += 1) await portal.newCustomer(null);
  await expect(silent.sendTest()).rejects.toThrow('are due already');
  const other = await subscribeProvider(portal, ['customer.created']);
  await portal.newCustomer(null);
  await other.receiver.next(({ type }) => type === 'customer.created');
  await other.sendTest();
  await other.receiver.next(({ type }) => type === 'webhook.test');
  expect(silent.receiver.received).toHaveLength(1);
  silent.receiver.releaseAll();
  await expect.poll(() => silent.receiver.received.length, { timeout: 60_000 }).toBe(13);
});

test('silent programs of customers that hold every worker of theirs hold up no event for the provider', async () => {
  const one = await subscribeProvider(portal, ['customer.created']);
  // Eight workers, of which a customer takes two.
  for (let count = 0; count < 4; count += 1) {
    const customer = await subscribeTo(portal);
    customer.receiver.hold();
    for (let each = 0; each < 3; each += 1) await customer.sendTest();
    await expect.poll(() => customer.receiver.received.length, { timeout: 60_000 }).toBe(2);
  }
  one.receiver.received.length = 0;
  await portal.newCustomer(null);
  await one.receiver.next(({ type }) => type === 'customer.created');
});

test('a webhook that is off, or did not ask for an event, gets none', async () => {
  const one = await subscribeProvider(portal, ['customer.created']);
  const other = await subscribeProvider(portal, ['customer.blocked']);
  await actOn(portal, 'changeEndpoint', { endpointId: one.endpointId, enabled: false });
  expect(await one.now()).toMatchObject({ disabledReason: 'OWNER' });
  const before = (await providerEvents(portal)).length;
  await portal.newCustomer(null);
  expect(await providerEvents(portal)).toHaveLength(before);
  expect([...one.receiver.received, ...other.receiver.received]).toEqual([]);
});

test('the database keeps events of customers and of the provider apart', async () => {
  const one = await subscribeProvider(portal);
  const { params } = await subscribeTo(portal);
  const { db } = portal.portal;
  const { customerId } = await db
    .selectFrom('webhooks')
    .select('customer_id as customerId')
    .where('id', '=', params.webhookId)
    .executeTakeFirstOrThrow();
  const cross = (eventOf: typeof provider, deliveryOf: typeof provider, webhookId: string) =>
    transaction(db, async (tx) => {
      const eventId = await insertEvent(portal.portal, eventOf, tx, 'webhook.test', {});
      return queueDelivery(portal.portal, deliveryOf, tx, webhookId, eventId);
    });
  await expect(cross(provider, provider, params.webhookId)).rejects.toThrow('not of the owner of its webhook');
  await expect(cross({ customerId }, { customerId }, one.endpointId)).rejects.toThrow(
    'not of the owner of its webhook',
  );
  await expect(cross({ customerId }, provider, one.endpointId)).rejects.toThrow('not of the owner of its event');
});

test('an address that is not on the public internet, an unknown event and an eleventh webhook are refused', async () => {
  const events = ['customer.created'];
  const add = (url: string) => actOn(portal, 'createEndpoint', { url, events });
  await expect(add('https://169.254.169.254/latest')).rejects.toThrow('not on the public internet');
  await expect(add('http://1.1.1.1/hook')).rejects.toThrow('must begin with https://');
  const unknown = actOn(portal, 'createEndpoint', { url: 'https://1.1.1.1/hook', events: ['webhook.test'] });
  await expect(unknown).rejects.toMatchObject({ code: 'invalid_request' });
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => add('https://1.1.1.1/hook?token=s3cret')));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxWebhooks);
  const { endpoints } = await readAsOperator(portal.portal, 'read-only', 'listEndpoints', {});
  for (const { id, url } of endpoints) {
    expect(url).toBe('https://1.1.1.1/hook?…');
    await actOn(portal, 'removeEndpoint', { endpointId: id ?? '' });
  }
});

test('the address of a webhook that is switched on again is checked again', async () => {
  const { endpointId } = await subscribeProvider(portal, ['customer.created']);
  await actOn(portal, 'changeEndpoint', { endpointId, enabled: false });
  const { outbound } = portal.portal;
  // What the address leads to may have changed.
  portal.portal.outbound = createOutbound({ toLoopback: false, timeoutMs: 120_000 });
  try {
    const on = actOn(portal, 'changeEndpoint', { endpointId, enabled: true });
    await expect(on).rejects.toThrow('Events can’t be sent to this address');
    await actOn(portal, 'changeEndpoint', { endpointId, events: ['customer.blocked'] });
  } finally {
    portal.portal.outbound = outbound;
  }
  expect(await actOn(portal, 'changeEndpoint', { endpointId, enabled: true })).toMatchObject({ disabledReason: null });
});

test('after its secret was replaced the old one signs too during the overlap', async () => {
  const one = await subscribeProvider(portal);
  const { endpointId } = one;
  const { secret } = await actOn(portal, 'rollEndpointSecret', { endpointId, overlapHours: 24 });
  await tried(one, await one.sendTest(), 1);
  const [sent] = one.receiver.received;
  expect(sent && verifiedSignatures(sent, secret ?? '')).toEqual([true, false]);
  expect(sent && verifiedSignatures(sent, one.secret)).toEqual([false, true]);
});

test('only owners with a passkey decide where events go; a token never does', async () => {
  const operators = testOperators(portal);
  const input = { url: 'https://1.1.1.1/hook', events: [...providerEventTypes] };
  for (const role of operatorRoles) {
    const email = `${role}@kaveri.example`;
    const token = await operators.signedIn(email, role);
    const code = role === 'owner' ? 'passkey_required' : 'forbidden';
    expect((await operators.act(token, 'createEndpoint', input)).body, role).toMatchObject({ code });
    if (role !== 'owner') continue;
    await operators.prove(email);
    const scopes = { name: 'CRM', scopes: ['createEndpoint'], days: 1 };
    expect((await operators.act(token, 'createToken', scopes)).body).toMatchObject({
      message: 'Only people may do this: createEndpoint.',
    });
    const { body } = await operators.act(token, 'createEndpoint', input);
    expect(body).toMatchObject({ id: expect.stringMatching(/^WHK-/), secret: expect.stringMatching(/^whsec_/) });
  }
});
