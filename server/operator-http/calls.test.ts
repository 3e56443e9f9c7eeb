import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readAccount, signOut } from '#shared/contract/account.ts';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import { operatorRoles, type OperatorRole } from '#shared/contract/operator/roles.ts';
import { readOperatorSession, signOutOperator } from '#shared/contract/operator/session.ts';
import { providerEventTypes } from '#shared/contract/provider-events.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { openClient } from '#shared/database/clients.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { transaction } from '#shared/database/transaction.ts';
import { mayCall } from '#shared/policies/policies.ts';
import { actingAs } from '#server/audit-log/acting-operator.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
const tokens = new Map<OperatorRole, string>();
let customer: string;
let customerId: string;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
  for (const role of operatorRoles) tokens.set(role, await operators.signedIn(`${role}@kaveri.example`, role));
  customer = await world.newCustomer();
  customerId = (await world.ask(readAccount, {}, customer)).user.id;
});
afterAll(() => world.close());

const tokenOf = (role: OperatorRole) => tokens.get(role) ?? '';
const named = Object.values(operatorCalls);
const paths = named.flatMap((call) =>
  'action' in call ? [`calls/${call.name}`, `previews/${call.name}`] : [`calls/${call.name}`],
);
const cause = { actor: 'root', reason: 'A test' };
const recorded = () =>
  world.portal.db.selectFrom('operator_actions').select(['action', 'actor', 'target']).orderBy('position').execute();

test('each role may make exactly the calls that its policy names, and is refused before anything is read', async () => {
  const before = await recorded();
  for (const role of operatorRoles)
    for (const path of paths) {
      const call = named.find(({ name }) => path.endsWith(`/${name}`));
      if (!call) throw new Error(path);
      const { status, body } = await operators.post(path, tokenOf(role), { unknown: true });
      const expected = mayCall(role, call.name)
        ? { status: 400, body: { code: 'invalid_request' } }
        : { status: 403, body: { code: 'forbidden' } };
      expect({ status, body }, `${role} ${path}`).toMatchObject(expected);
    }
  expect(await recorded()).toEqual(before);
});

test('a session tells what its role may do, and nothing else is offered', async () => {
  const { calls: offered, operator } = await world.ask(readOperatorSession, {}, tokenOf('support'));
  expect(operator).toMatchObject({ email: 'support@kaveri.example', role: 'support' });
  expect(offered).toEqual(named.flatMap(({ name }) => (mayCall('support', name) ? [name] : [])));
});

test('a customer’s session reaches no call of operators, and an operator’s none of customers', async () => {
  for (const token of [customer, 'nonsense', `octo_${'x'.repeat(43)}`])
    for (const path of paths)
      expect(await operators.post(path, token, { input: {}, reason: 'A test' }), path).toMatchObject({
        status: 401,
        body: { code: 'unauthorized' },
      });
  for (const call of [readOperatorSession, signOutOperator])
    expect((await world.send(call, {}, customer)).status).toBe(401);
  const ofCustomers = calls.filter(({ auth }) => auth === 'session');
  expect(ofCustomers.length).toBeGreaterThan(40);
  for (const { method, path, name } of ofCustomers) {
    const url = `${world.portalUrl}/backend${path.replaceAll(/:\w+/g, 'x')}`;
    const response = await fetch(url, { method, headers: { authorization: `Bearer ${tokenOf('owner')}` } });
    expect(response.status, name).toBe(401);
    await response.body?.cancel();
  }
});

test('a read and an action answer as their contract says, and the audit log names the person', async () => {
  const found = await operators.read(tokenOf('read-only'), 'findCustomers', { text: customerId });
  expect(found).toMatchObject({ status: 200, body: { customers: [{ id: customerId }] } });
  const blocked = { status: 200, body: { customerId, blockedSince: null } };
  expect(await operators.preview(tokenOf('support'), 'blockCustomer', { customerId })).toMatchObject(blocked);
  expect(await operators.act(tokenOf('support'), 'blockCustomer', { customerId }, { reason: 'Fraud' })).toMatchObject({
    status: 200,
    body: { customerId, blockedReason: 'Fraud' },
  });
  expect((await recorded()).at(-1)).toEqual({
    action: 'customers.block',
    actor: 'support@kaveri.example',
    target: customerId,
  });
  const again = await operators.act(tokenOf('support'), 'blockCustomer', { customerId });
  expect(again).toMatchObject({ status: 409, body: { code: 'nothing_to_change', message: /is blocked already/ } });
  expect(await operators.act(tokenOf('support'), 'unblockCustomer', { customerId })).toMatchObject({ status: 200 });
  const nobody = await operators.act(tokenOf('support'), 'blockCustomer', { customerId: 'CUS-nobody' });
  expect(nobody).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('with one Idempotency-Key an action is done once, also when it is asked for twice at the same time', async () => {
  const token = tokenOf('support');
  const key = 'one-1';
  const block = () => operators.act(token, 'blockCustomer', { customerId }, { key });
  const unblock = () => operators.act(tokenOf('owner'), 'unblockCustomer', { customerId });
  expect((await block()).status).toBe(200);
  await unblock();
  expect(await block()).toMatchObject({ status: 409, body: { code: 'already_done' } });
  const other = await operators.act(tokenOf('owner'), 'blockCustomer', { customerId }, { key });
  expect(other.status).toBe(200);
  await unblock();
  const another = await operators.act(token, 'endSessions', { customerId }, { key });
  expect(another).toMatchObject({ status: 409, body: { code: 'key_reused' } });
  const threads = await Promise.all(
    Array.from({ length: 4 }, () => operators.act(token, 'blockCustomer', { customerId }, { key: 'two-1' })),
  );
  expect(threads.filter(({ status }) => status === 200)).toHaveLength(1);
  await unblock();
  const faulty = await operators.act(token, 'blockCustomer', { customerId }, { key: 'x'.repeat(201) });
  expect(faulty).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
});

/** Waits until a statement waits for a lock. */
const untilSomebodyWaits = () =>
  vi.waitFor(async () => expect(await countWaiting(world.owner.db)).toBeGreaterThan(0), { timeout: 60_000 });

test('an operator who is removed while an action waits does nothing more', async () => {
  const token = await operators.signedIn('leaving@kaveri.example', 'support');
  const client = openClient({ connectionString: world.owner.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from customers where id = $1 for update', [customerId]);
  const waiting = operators.act(token, 'blockCustomer', { customerId });
  await untilSomebodyWaits();
  await actAsOperator(world.portal, 'owner', 'removeOperator', { email: 'leaving@kaveri.example' }, cause);
  await client.query('commit');
  await client.end();
  expect(await waiting).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  expect((await recorded()).at(-1)).toMatchObject({ action: 'operators.remove' });
  expect((await world.send(readOperatorSession, {}, token)).status).toBe(401);
});

test('a role that is taken while an action waits refuses it', async () => {
  const token = await operators.signedIn('moving@kaveri.example', 'support');
  const client = openClient({ connectionString: world.owner.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from customers where id = $1 for update', [customerId]);
  const waiting = operators.act(token, 'blockCustomer', { customerId });
  await untilSomebodyWaits();
  const input = { email: 'moving@kaveri.example', role: 'finance' } as const;
  await actAsOperator(world.portal, 'owner', 'changeOperator', input, cause);
  await client.query('commit');
  await client.end();
  expect(await waiting).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});

test('a removal waits for the action that its operator is in the middle of', async () => {
  await operators.add('busy@kaveri.example', 'support');
  const { db } = world.portal;
  const { id } = await db
    .selectFrom('operators')
    .select('id')
    .where('email', '=', 'busy@kaveri.example')
    .executeTakeFirstOrThrow();
  const acting = {
    requestId: 'one',
    operatorId: id,
    role: 'support' as const,
    tokenId: undefined,
    mayStill: () => true,
    key: undefined,
    at: new Date(),
  };
  const steps = new EventEmitter();
  const begun = once(steps, 'begun');
  const action = actingAs(acting, () =>
    transaction(db, async (tx) => {
      await recordAction(tx, { ...cause, action: 'customers.export', target: customerId, customerId, effect: {} });
      const end = once(steps, 'end');
      steps.emit('begun');
      await end;
    }),
  );
  await begun;
  const removal = actAsOperator(world.portal, 'owner', 'removeOperator', { email: 'busy@kaveri.example' }, cause);
  await untilSomebodyWaits();
  steps.emit('end');
  await Promise.all([action, removal]);
  const entries = await recorded();
  expect(entries.slice(-2)).toMatchObject([{ action: 'customers.export' }, { action: 'operators.remove' }]);
});

test('an action that would move more than its preview said is refused', async () => {
  const { db } = world.portal;
  const { id: operatorId } = await db
    .selectFrom('operators')
    .select('id')
    .where('email', '=', 'owner@kaveri.example')
    .executeTakeFirstOrThrow();
  const refund = (paise: number) => {
    const acting = {
      requestId: `of-${paise}`,
      operatorId,
      role: 'owner' as const,
      tokenId: undefined,
      mayStill: () => true,
      key: undefined,
      at: new Date(),
      money: { customerId, paise: 10_000, limitPaise: 50_000 },
    };
    const entry = { action: 'payments.refund', target: 'pay_none', customerId, effect: {}, paise } as const;
    return actingAs(acting, () => transaction(db, (tx) => recordAction(tx, { ...cause, ...entry })));
  };
  await expect(refund(10_001)).rejects.toThrow('It would now be ₹100.01 instead of ₹100');
  await refund(10_000);
});

test('signing out ends a session of an operator, and the customers’ document of the API does not name these calls', async () => {
  const token = await operators.signedIn('out@kaveri.example', 'owner');
  await world.ask(signOutOperator, {}, token);
  expect((await world.send(readOperatorSession, {}, token)).status).toBe(401);
  expect((await world.send(signOut, {}, token)).status).toBe(401);
  const document = await (await fetch(`${world.portalUrl}/backend/openapi.json`)).text();
  expect(document).not.toContain('/operator/');
  const ours: unknown = await (await fetch(`${world.portalUrl}/backend/operator/openapi.json`)).json();
  expect(ours).toMatchObject({ paths: Object.fromEntries(paths.map((path) => [`/operator/${path}`, {}])) });
  const ids = JSON.stringify(ours).match(/"operationId":"\w+"/g) ?? [];
  expect(ids.length).toBeGreaterThan(paths.length);
  expect(new Set(ids).size).toBe(ids.length);
  const parameters = [{ in: 'header', name: 'idempotency-key', required: false }];
  const described = z.object({ webhooks: z.record(z.string(), z.unknown()) }).parse(ours).webhooks;
  expect(Object.keys(described)).toEqual(providerEventTypes);
  const schema = {
    properties: {
      type: { const: 'payment.captured' },
      data: { required: expect.arrayContaining(['customerId', 'paymentId']) },
    },
  };
  const requestBody = { content: { 'application/json': { schema } } };
  expect(described['payment.captured']).toMatchObject({ post: { requestBody } });
  expect(ours).toMatchObject({ paths: { '/operator/calls/blockCustomer': { post: { parameters } } } });
});
