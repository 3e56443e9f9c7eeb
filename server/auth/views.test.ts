import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { readAccountant } from '#shared/contract/accountants.ts';
import type { Call } from '#shared/contract/call.ts';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import { operatorRoles } from '#shared/contract/operator/roles.ts';
import { readOperatorSession, signOutOperator } from '#shared/contract/operator/session.ts';
import { endView, readView } from '#shared/contract/operator/view.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { createWebhook, listWebhooks } from '#shared/contract/webhooks.ts';
import { openClient } from '#shared/database/clients.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { transaction } from '#shared/database/transaction.ts';
import { policyOf } from '#shared/policies/policies.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { backendPath, viewPath } from '#server/http/app.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { testViews } from '#server/test/views.ts';
import { createView, viewMs } from './views.ts';

let world: TestPortal;
let operators: TestOperators;
let views: ReturnType<typeof testViews>;
let customerId: string;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
  views = testViews(world, operators);
  customerId = await views.customerOf(await world.newCustomer());
});
afterAll(() => world.close());

let email: string;
let session: string;
beforeEach(async () => {
  ({ email, session } = await views.signIn());
});

const cause = { actor: 'root', reason: 'A test' };
const see = (id = customerId) => views.see(session, id);
const send: typeof views.send = (...sent) => views.send(...sent);
const pathOf = ({ path }: Call) => backendPath + path.replaceAll(/:\w+/g, 'x');
const readState = (token: string) => send(viewPath + readView.path, token);
const readsAccount = (token: string) => send(`${viewPath}/account`, token);
const change = (role: 'finance' | 'owner') =>
  actAsOperator(world.portal, 'owner', 'changeOperator', { email, role }, cause);
const unknown = { status: 401, body: { code: 'unauthorized' } };

describe('a view', () => {
  test('is reported to the customer: who, when and why', async () => {
    const token = await world.newCustomer();
    const id = await views.customerOf(token);
    await see(id);
    const { providerActions } = await world.ask(readAccount, {}, token);
    expect(providerActions[0]).toMatchObject({ action: 'customers.see', reason: 'Invoice unclear', by: email });
    const listed = await operators.read(session, 'readCustomer', { customerId: id });
    expect(listed.body).toMatchObject({ actions: [{ action: 'customers.see', actor: email, target: id }] });
  });

  test('says whose portal it is, by whom, and until when', async () => {
    const state = readView.reply.parse((await readState(await see())).body);
    expect(state).toMatchObject({ customer: 'Person 1', operator: email });
    expect(Date.parse(state.until) - Date.now()).toBeLessThanOrEqual(viewMs);
  });

  test('shows of the address of a webhook nothing that may be a token; its customer sees all of it', async () => {
    const token = await world.newCustomer();
    const url = 'https://1.1.1.1/services/T024BE7LD/octroi/aB3dE5fG7hJ9?token=SECRETQ';
    await world.ask(createWebhook, { body: { url, events: ['quota.reached'] } }, token);
    const seen = await send(`${viewPath}${listWebhooks.path}`, await see(await views.customerOf(token)));
    expect(seen).toMatchObject({ status: 200, body: { webhooks: [{ url: 'https://1.1.1.1/services/…/octroi/…?…' }] } });
    expect(await world.ask(listWebhooks, {}, token)).toMatchObject({ webhooks: [{ url }] });
  });

  test('of roles that the policy names, and of people alone', async () => {
    for (const role of operatorRoles) {
      const token = await operators.signedIn(`${role}-sees@kaveri.example`, role);
      const { status } = await operators.act(token, 'seeAsCustomer', { customerId });
      expect(status, role).toBe(policyOf('seeAsCustomer').roles.includes(role) ? 200 : 403);
    }
    const alone = actAsOperator(world.portal, 'owner', 'seeAsCustomer', { customerId }, cause);
    await expect(alone).rejects.toThrow('Only a person can do this');
  });

  test('reaches no call of operators and none of customers', async () => {
    const token = await see();
    for (const { name, ...call } of Object.values(operatorCalls))
      for (const path of 'action' in call ? [`calls/${name}`, `previews/${name}`] : [`calls/${name}`])
        expect(await operators.post(path, token, { input: {}, reason: 'A test' }), path).toMatchObject(unknown);
    for (const call of [readOperatorSession, signOutOperator])
      expect((await world.send(call, {}, token)).status).toBe(401);
    for (const call of calls.filter(({ auth }) => auth === 'session'))
      expect(await send(pathOf(call), token, call.method), call.name).toMatchObject(unknown);
    expect((await readState(token)).status).toBe(200);
  });

  const ends: Record<string, (token: string) => Promise<unknown>> = {
    'by its page': (token) => send(viewPath + endView.path, token, 'DELETE'),
    'by the sign-out of the operator': () => send(backendPath + signOutOperator.path, session, 'DELETE'),
    'when the operator is removed': () => actAsOperator(world.portal, 'owner', 'removeOperator', { email }, cause),
    'when the operator gets another role': () => change('finance'),
    'when the session of the operator was not used for too long': () =>
      world.owner.db
        .updateTable('operator_sessions')
        .set({ last_used_at: new Date(Date.now() - 31 * 60_000) })
        .where('token_hash', '=', sha256(session))
        .execute(),
    'after 30 minutes': () =>
      sql`update operator_views set created_at = created_at - interval '30 minutes', expires_at = expires_at - interval '30 minutes'`.execute(
        world.owner.db,
      ),
  };

  test.each(Object.entries(ends))('ends %s', async (_how, end) => {
    const token = await see();
    expect((await readsAccount(token)).status).toBe(200);
    await end(token);
    expect(await readsAccount(token)).toMatchObject(unknown);
    expect(await readState(token)).toMatchObject(unknown);
  });

  test('goes on with another role that may see', async () => {
    const token = await see();
    await change('owner');
    expect((await readsAccount(token)).status).toBe(200);
  });

  test('ends with the erasure of its customer, and goes on during a block', async () => {
    const id = await views.customerOf(await world.newCustomer());
    const token = await see(id);
    await actAsOperator(world.portal, 'owner', 'blockCustomer', { customerId: id }, cause);
    expect(await readsAccount(token)).toMatchObject({ status: 200, body: { blocked: { reason: 'A test' } } });
    const erasure = { customerId: id, endPlans: false, withinYear: true };
    await actAsOperator(world.portal, 'owner', 'eraseCustomer', erasure, cause);
    expect(await readsAccount(token)).toMatchObject(unknown);
    const again = await operators.act(session, 'seeAsCustomer', { customerId: id });
    expect(again).toMatchObject({ status: 409, body: { code: 'refused' } });
  });

  test('a reply that was under way when the operator was removed is not sent', async () => {
    const token = await see();
    const client = openClient({ connectionString: world.owner.databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin; lock table accountants in access exclusive mode');
    const reading = send(viewPath + readAccountant.path, token);
    await expect.poll(() => countWaiting(world.owner.db), { timeout: 60_000 }).toBe(1);
    await actAsOperator(world.portal, 'owner', 'removeOperator', { email }, cause);
    await client.query('rollback');
    expect(await reading).toMatchObject(unknown);
  });

  test('the database keeps none without its entry in the audit log, and none for longer', async () => {
    const made = () => transaction(world.portal.db, (tx) => createView(tx, customerId, sha256(session), new Date()));
    await expect(made()).rejects.toThrow('is not in the audit log');
    const now = new Date();
    const long = { token_hash: sha256('x'), session_hash: sha256(session), customer_id: customerId, created_at: now };
    const kept = world.portal.db
      .insertInto('operator_views')
      .values({ ...long, expires_at: new Date(now.getTime() + viewMs + 1) })
      .execute();
    await expect(kept).rejects.toThrow('operator_views_check');
  });
});

test('with the switch off, the call is refused and not offered, and no view is served', async () => {
  const off = await startTestPortal({ jobs: false, env: { OPERATOR_SEE_AS: 'false' } });
  onTestFinished(() => off.close());
  const team = testOperators(off);
  const token = await team.signedIn('owner@kaveri.example', 'owner');
  const id = (await off.ask(readAccount, {}, await off.newCustomer())).user.id;
  for (const asked of [team.act, team.preview])
    expect(await asked(token, 'seeAsCustomer', { customerId: id })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', message: 'The settings of this portal forbid it.' },
    });
  expect((await off.ask(readOperatorSession, {}, token)).calls).not.toContain('seeAsCustomer');
  expect((await fetch(`${off.portalUrl}${viewPath}/account`)).status).toBe(404);
});
