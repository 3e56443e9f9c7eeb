import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ActionName, operatorCalls, type OperatorInput } from '#shared/contract/operator/calls.ts';
import {
  addPasskey,
  beginPasskey,
  beginProof,
  provePasskey,
  readOperatorSession,
  removePasskey,
} from '#shared/contract/operator/session.ts';
import { openClient } from '#shared/database/clients.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { policyOf } from '#shared/policies/policies.ts';
import { testAuthenticator } from '#server/test/authenticator.ts';
import { testOperators, type TestOperators } from '#server/test/operators.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let operators: TestOperators;
beforeAll(async () => {
  // Passkeys belong to a name, not to an address.
  world = await startTestPortal({ jobs: false });
  operators = testOperators(world);
  await operators.add('root@kaveri.example', 'owner');
});
afterAll(() => world.close());

const refused = { status: 409, body: { code: 'refused' } };
const passkeyRequired = { status: 403, body: { code: 'passkey_required' } };

let people = 0;
async function newOperator() {
  people += 1;
  const email = `person-${people}@kaveri.example`;
  return { email, token: await operators.signedIn(email, 'owner'), authenticator: testAuthenticator(world.portalUrl) };
}

type Person = Awaited<ReturnType<typeof newOperator>>;

async function register({ token, authenticator }: Person, fault = {}) {
  const options = await world.ask(beginPasskey, {}, token);
  const body = { name: 'Laptop', credential: authenticator.create(options, fault) };
  return world.send(addPasskey, { body }, token);
}

async function prove({ token, authenticator }: Person, fault = {}) {
  const options = await world.ask(beginProof, {}, token);
  return world.send(provePasskey, { body: { credential: authenticator.get(options, fault) } }, token);
}

const sessionOf = ({ token }: Person) => world.ask(readOperatorSession, {}, token);

/** As if the passkey had confirmed long ago. */
const minutesPass = (minutes: number) =>
  world.portal.db
    .updateTable('operator_sessions')
    .set({ proven_at: new Date(Date.now() - minutes * 60_000) })
    .where('proven_at', 'is not', null)
    .execute();

const revoke = ({ token }: Person) => operators.act(token, 'revokeKey', { key: 'KEY-none' });
const notFound = { status: 404, body: { code: 'not_found' } };

test('a passkey opens what needs one for 15 minutes, in the session in which it confirmed', async () => {
  const asha = await newOperator();
  expect(await revoke(asha)).toMatchObject(passkeyRequired);
  expect(await world.send(beginProof, {}, asha.token)).toMatchObject(refused);
  expect(await register(asha)).toMatchObject({ status: 200, body: { name: 'Laptop', lastUsedAt: null } });
  expect(await revoke(asha)).toMatchObject(notFound);
  await minutesPass(16);
  expect(await revoke(asha)).toMatchObject(passkeyRequired);
  expect((await sessionOf(asha)).provenUntil).toBeNull();
  expect((await prove(asha)).status).toBe(200);
  expect(await revoke(asha)).toMatchObject(notFound);
  const { provenUntil, passkeys } = await sessionOf(asha);
  expect(Date.parse(provenUntil ?? '') - Date.now()).toBeGreaterThan(14 * 60_000);
  expect(passkeys).toMatchObject([{ name: 'Laptop', lastUsedAt: expect.any(String) }]);
  await minutesPass(14);
  expect(await revoke(asha)).toMatchObject(notFound);
  const again = await operators.signIn(asha.email);
  const other = { ...asha, token: String(Object(again.body).accessToken) };
  expect(await revoke(other)).toMatchObject(passkeyRequired);
});

test.each([
  ['another page', { origin: 'https://evil.example' }],
  ['another site’s passkey', { rpId: 'evil.example' }],
  ['another challenge', { challenge: 'AAAA' }],
  ['nobody who unlocked the authenticator', { withoutUser: true }],
])('a passkey is neither added nor confirms with %s', async (_what, fault) => {
  const person = await newOperator();
  expect(await register(person, fault)).toMatchObject(refused);
  expect((await sessionOf(person)).passkeys).toEqual([]);
  expect((await register(person)).status).toBe(200);
  await minutesPass(16);
  expect(await prove(person, fault)).toMatchObject(refused);
  expect((await sessionOf(person)).provenUntil).toBeNull();
});

test('another key, somebody else’s passkey, a copy of one, and an answer that was given before confirm nothing', async () => {
  const [asha, meena] = [await newOperator(), await newOperator()];
  await register(asha);
  await register(meena);
  await minutesPass(16);
  expect(await prove(asha, { key: asha.authenticator.newKey() })).toMatchObject(refused);
  expect(await prove({ ...asha, authenticator: meena.authenticator })).toMatchObject(refused);
  const options = await world.ask(beginProof, {}, asha.token);
  const body = { credential: asha.authenticator.get(options, { counter: 100 }) };
  expect((await world.send(provePasskey, { body }, asha.token)).status).toBe(200);
  await minutesPass(16);
  expect(await world.send(provePasskey, { body }, asha.token)).toMatchObject(refused);
  expect(await prove(asha, { counter: 100 })).toMatchObject(refused);
  expect(await prove(asha, { counter: 7 })).toMatchObject(refused);
  expect((await sessionOf(asha)).provenUntil).toBeNull();
});

test('a first passkey needs a fresh sign-in, and another one a proof with one that is there', async () => {
  const person = await newOperator();
  const old = await newOperator();
  await world.owner.pool
    .query(`update operator_sessions set created_at = now() - interval '16 minutes' where operator_id =
    (select id from operators where email = '${old.email}')`);
  expect(await world.send(beginPasskey, {}, old.token)).toMatchObject({
    status: 409,
    body: { message: 'Sign in again: a first passkey is added within 15 minutes after that.' },
  });
  await register(person);
  await minutesPass(16);
  expect(await world.send(beginPasskey, {}, person.token)).toMatchObject(passkeyRequired);
  const first = (await sessionOf(person)).passkeys[0]?.id ?? '';
  const params = { passkeyId: first };
  expect(await world.send(removePasskey, { params }, person.token)).toMatchObject(passkeyRequired);
  await prove(person);
  const second = { ...person, authenticator: testAuthenticator(world.portalUrl) };
  expect((await register(second)).status).toBe(200);
  expect(await register(second)).toMatchObject(refused);
  expect((await world.send(removePasskey, { params }, person.token)).status).toBe(200);
  expect((await world.send(removePasskey, { params }, person.token)).status).toBe(404);
  expect((await sessionOf(person)).passkeys).toHaveLength(1);
  const { actions } = Object((await operators.read(person.token, 'listActions', { limit: 3 })).body);
  expect(actions).toMatchObject([
    { action: 'passkeys.remove', actor: person.email },
    { action: 'passkeys.add', actor: person.email },
    { action: 'passkeys.add', actor: person.email },
  ]);
});

/** Holds what `statement` locks until `end`. */
async function holding(statement: string) {
  const client = openClient({ connectionString: world.owner.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}
const untilWaiting = (count: number) =>
  vi.waitFor(async () => expect(await countWaiting(world.owner.db)).toBe(count), { timeout: 60_000 });

test('removing a passkey ends the other sessions, and a proof with it that is under way', async () => {
  const person = await newOperator();
  await register(person);
  const { accessToken } = Object((await operators.signIn(person.email)).body);
  const other = { ...person, token: String(accessToken) };
  expect((await prove(other)).status).toBe(200);
  const passkeyId = (await sessionOf(person)).passkeys[0]?.id ?? '';
  expect((await world.send(removePasskey, { params: { passkeyId } }, person.token)).status).toBe(200);
  expect((await world.send(readOperatorSession, {}, other.token)).status).toBe(401);
  expect((await sessionOf(person)).passkeys).toEqual([]);
  const lost = await newOperator();
  await register(lost);
  await minutesPass(16);
  const end = await holding(`delete from operator_passkeys where operator_id =
    (select id from operators where email = '${lost.email}')`);
  const proving = prove(lost);
  await untilWaiting(1);
  await end();
  expect(await proving).toMatchObject(refused);
  expect((await sessionOf(lost)).provenUntil).toBeNull();
});

test('of two first passkeys at the same time one is added', async () => {
  const person = await newOperator();
  const { accessToken } = Object((await operators.signIn(person.email)).body);
  const other = { ...person, token: String(accessToken), authenticator: testAuthenticator(world.portalUrl) };
  const end = await holding(`select from operators where email = '${person.email}' for update`);
  const adding = [register(person), register(other)];
  await untilWaiting(2);
  await end();
  expect((await Promise.all(adding)).map(({ status }) => String(status)).toSorted()).toEqual(['200', '403']);
});

test('whatever moves money, keys or roles needs a passkey, and its preview does not', async () => {
  const person = await newOperator();
  const inputs: { [Name in ActionName]?: OperatorInput<Name> } = {
    revokeKey: { key: 'KEY-none' },
    correctInvoice: { number: 'none' },
    transferOwnership: { customerId: 'CUS-none', email: 'x@kaveri.example' },
    eraseCustomer: { customerId: 'CUS-none', endPlans: false, withinYear: false },
    refundPayment: { of: 'pay_none' },
    recordTransfer: { refundId: 'RFD-none', utr: 'KKBK0001234567', on: '2026-01-01' },
    turnRefund: { refundId: 'RFD-none' },
    settleTransfer: { paymentId: 'pay_none' },
    refundTransfer: { paymentId: 'pay_none' },
    recordReceivedTransfer: { of: 'ORD-none', amount: 1499, utr: 'KKBK0001234567', on: '2026-01-01' },
    acceptTds: { claimId: 'TDS-none' },
    addOperator: { email: 'x@kaveri.example', role: 'owner' },
    changeOperator: { email: 'none@kaveri.example', role: 'owner' },
    removeOperator: { email: 'none@kaveri.example' },
    createToken: { name: 'CRM', scopes: ['findCustomers'], days: 30 },
    approve: { approvalId: 'APR-none' },
    cancelEInvoice: { number: 'none', because: 'duplicate' },
    applyCatalog: { comparedWith: null, whole: true, files: [] },
    revertCatalog: { version: 999, comparedWith: null },
    addOperatorDomain: { domain: 'kaveri.example', role: 'support' },
    removeOperatorDomain: { domain: 'other.example' },
    lockMonth: { month: '2020-01' },
    unlockMonth: { month: '2020-01' },
    createEndpoint: { url: 'https://10.0.0.1/hook', events: ['customer.created'] },
    changeEndpoint: { endpointId: 'none', enabled: false },
    rollEndpointSecret: { endpointId: 'none', overlapHours: 0 },
    removeEndpoint: { endpointId: 'none' },
    grantPlan: { customerId: 'CUS-none', productId: 'invoicing-system', planId: 'growth', days: 1 },
    extendCycle: { cycleId: 'CYC-none', days: 1 },
    writeOffBill: { cycleId: 'CYC-none' },
    setCreditTerms: { customerId: 'CUS-none', limit: 1000, days: 30, stopAfterDays: 15 },
    setQuota: { cycleId: 'CYC-none', units: 1 },
    overrideCallsPerSecond: { activationId: 'ACT-none', callsPerSecond: 1 },
  };
  const sensitive = Object.values(operatorCalls).flatMap(({ name }) => (policyOf(name).sensitive ? [name] : []));
  expect(Object.keys(inputs).toSorted()).toEqual(sensitive.toSorted());
  for (const [name, input] of Object.entries(inputs)) {
    const body = { input, reason: 'A test' };
    expect(await operators.post(`calls/${name}`, person.token, body), name).toMatchObject(passkeyRequired);
    const preview = await operators.post(`previews/${name}`, person.token, body);
    expect(preview.body, name).not.toMatchObject({ code: 'passkey_required' });
    expect(preview.status, name).not.toBe(500);
  }
});
