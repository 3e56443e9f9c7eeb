import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Call, defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { contentsOf } from './test/contents.ts';
import {
  absent,
  type Input,
  type Owned,
  ownEverything,
  ownershipCases,
  ownershipFault,
  namesOwned,
  validInput,
} from './test/owned.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

let portal: TestPortal;
let token: string;
let strangerToken: string;
let own: Owned;
let ownOther: Owned;
let foreign: Owned;
beforeAll(async () => {
  // No background jobs, so that only the call under test changes anything.
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
  token = await portal.newCustomer();
  own = await ownEverything(portal, token, 'tax-lookup-api');
  ownOther = await ownEverything(portal, token, 'invoicing-system');
  strangerToken = await portal.newCustomer();
  foreign = await ownEverything(portal, strangerToken, 'tax-lookup-api');
});
afterAll(() => portal.close());

const contents = () => contentsOf(portal.portal.db);

async function send(call: Call, input: Input, as = token, body = JSON.stringify(input.body)) {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params[name] ?? ''));
  const response = await fetch(`${portal.portalUrl}/backend${path}?${new URLSearchParams(input.query).toString()}`, {
    method: call.method,
    headers: { authorization: `Bearer ${as}`, ...(call.body ? { 'content-type': 'application/json' } : {}) },
    ...(call.body ? { body } : {}),
  });
  return { status: response.status, text: await response.text(), type: response.headers.get('content-type') };
}

const readKey = defineCall({
  name: 'readKey',
  summary: 'A key',
  method: 'GET',
  path: '/activations/:activationId/keys/:keyId',
  auth: 'session',
  params: z.object({ activationId: ids.activation, keyId: ids.key }),
  query: z.object({ documentId: ids.document.optional() }),
  reply: z.object({}),
  refusals: ['not_found'],
});

const cases = ownershipCases(calls);

const hasRoute = ({ method, path }: Call) => portal.app.hasRoute({ method, url: `/backend${path}` });

test('every call of the contract has a route', () => {
  expect(calls.filter((call) => !hasRoute(call)).map(({ name }) => name)).toEqual([]);
  expect(hasRoute(readKey)).toBe(false);
});

test('the requests of these tests are valid except for the foreign id', () => {
  const inputs = calls.map((call) => ({ call, input: validInput(call, own) }));
  for (const { call, inputOf } of cases) inputs.push({ call, input: inputOf(own, foreign) });
  for (const { call, input } of inputs) {
    for (const part of ['params', 'query', 'body'] as const)
      expect(call[part]?.safeParse(input[part]).error, `${call.name}: ${part}`).toBeUndefined();
  }
});

test.each(calls.filter(({ auth }) => auth === 'session'))('$name requires a session', async (call) => {
  const tokens = ['', 'nonsense', 'x'.repeat(43), `gstk_live_${'0'.repeat(30)}2C8GjS`];
  for (const unknown of tokens) {
    const response = await send(call, validInput(call, own), unknown);
    expect(response.status).toBe(401);
    expect(response.type).toContain('application/problem+json');
    expect(JSON.parse(response.text)).toMatchObject({ code: 'unauthorized', message: 'Unauthorized access' });
  }
});

test.each(calls.filter(({ body }) => body))('$name refuses unknown fields', async (call) => {
  const before = await contents();
  const input = validInput(call, own);
  const fields = ['status', 'price', 'customerId', 'role', '__proto__', 'constructor'];
  for (const field of fields.filter((each) => !Object.hasOwn(call.body?.shape ?? {}, each))) {
    // Parsed, because `__proto__` in a literal would not become a field.
    const added: object = JSON.parse(`{${JSON.stringify(field)}:"PAID"}`);
    const body = JSON.stringify(input.body).replace(/^\{/, `${JSON.stringify(added).slice(0, -1)},`);
    expect((await send(call, input, token, body)).status, field).toBe(400);
  }
  expect(await contents()).toEqual(before);
});

// Where a signed link is the permission, the session doesn't matter.
const isByLink = (call: Call) => call.query !== undefined && 'signature' in call.query.shape;
const lists = calls.filter((call) => call.method === 'GET' && !namesOwned(call) && !isByLink(call));

test.each(lists)('$name shows a stranger nothing of another customer', async (call) => {
  const input = validInput(call, own);
  const mine = await send(call, input, strangerToken);
  expect(mine.status).toBe(200);
  for (const id of Object.values(own)) expect(mine.text).not.toContain(id);
});

describe('responds to another customer’s id as to an absent id, and changes nothing', () => {
  test.each(cases)('$title', async (one) => {
    const before = await contents();
    const missing = await send(one.call, one.inputOf(own, absent));
    expect(ownershipFault(one, await send(one.call, one.inputOf(own, foreign)), missing)).toBeUndefined();
    expect(await contents()).toEqual(before);
  });
});

describe('ids of two activations or webhooks of the caller are not found together', () => {
  test.each(cases.filter(({ isMixed }) => isMixed))('$title', async (one) => {
    const before = await contents();
    const missing = await send(one.call, one.inputOf(own, absent));
    expect(ownershipFault(one, await send(one.call, one.inputOf(own, ownOther)), missing)).toBeUndefined();
    expect(await contents()).toEqual(before);
  });
});

test('a call is tried with every mixture of own and foreign ids', () => {
  const found = ownershipCases([readKey]);
  expect(found.map(({ title }) => title)).toContain(
    'readKey of an own activation and a foreign key and an own document',
  );
  expect(found).toHaveLength(7);
  expect(found.filter(({ isFilter }) => isFilter)).toHaveLength(1);
});

test.each([
  ['a foreign id that works', { status: 200, text: '{}' }, { status: 404, text: '' }],
  ['a foreign id that is confirmed to exist', { status: 403, text: '' }, { status: 404, text: '' }],
  ['an absent id that works', { status: 200, text: '{}' }, { status: 200, text: '{}' }],
  ['another text', { status: 404, text: 'not yours' }, { status: 404, text: 'not found' }],
])('finds a planted fault: %s', (_, foreign, missing) => {
  const [one] = ownershipCases([readKey]);
  if (!one) throw new Error('no case');
  expect(ownershipFault(one, foreign, missing)).toBeDefined();
  expect(ownershipFault(one, { status: 404, text: '' }, { status: 404, text: '' })).toBeUndefined();
});

test('the checksum covers every table, including tables added later', async () => {
  const { db } = portal.owner;
  await sql`create table things (id text); grant select on things to octroi_run`.execute(db);
  const before = await contents();
  await sql`insert into things values ('planted')`.execute(db);
  expect(await contents()).not.toEqual(before);
  await sql`drop table things`.execute(db);
});

test('the log contains no token, key, signature or secret', async () => {
  const secrets = [token, strangerToken, 'rzp_sandbox_secret_0000', 'whsec_local_1', 'gstk_live_'];
  const written = portal.logLines.join('');
  expect(written).toContain('request completed');
  for (const secret of secrets) expect(written).not.toContain(secret);
});
