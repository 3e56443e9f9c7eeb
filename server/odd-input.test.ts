import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { withinTextBounds } from '#shared/platform/text-bounds.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

/** Input that no page sends but any program may: the response must be a 4xx, never a 500. */

let portal: TestPortal;
let token: string;
let activationId: string;
beforeAll(async () => {
  // Includes the routes that only exist in development.
  portal = await startTestPortal({ jobs: false, env: { STANDINS: 'yes' } });
  token = await portal.newCustomer();
  const params = { id: 'tax-lookup-api', planId: 'growth' };
  ({ activationId } = await portal.ask(activatePlan, { params }, token));
});
afterAll(() => portal.close());

async function ask(path: string, body?: object, method = body === undefined ? 'GET' : 'POST') {
  const response = await fetch(`${portal.portalUrl}/backend${path.replace('ACT', activationId)}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const asMethod = (text: string) => methods.find((method) => method === text) ?? 'GET';

const log = '/devportal/services/ACT/requests';

test.each([
  [400, `${log}?to=9999-12-31`],
  [400, `${log}?from=0001-01-01`],
  [400, `${log}/csv?to=9999-12-31`],
  [400, `${log}?status=9xx`],
  [400, `${log}?keyId=${'x'.repeat(81)}`],
  [400, `${log}?limit=1000000`],
  [400, `${log}?keyId=KEY-1&keyId=KEY-2`],
  [400, `${log}?keyId=KEY%00`],
  [400, '/billing/usage/%00'],
  [200, `${log}?after=${encodeURIComponent('+275760-09-13T00:00:00.000Z req_x')}`],
  [200, `${log}?after=${encodeURIComponent('2026-11-21T00:00:00.000Z \0')}`],
  [400, '/usage/report?from=9999-01-01&to=9999-12-31'],
  ...['0000-01', '0001-01', '1969-12', '9999-12'].map((month): [number, string] => [400, `/billing/packs/${month}`]),
  [404, '/billing/packs/2199-12'],
  [404, '/billing/usage/..%2f..'],
])('%i for %s', async (status, path) => {
  expect((await ask(path)).status).toBe(status);
});

test('a start date outside the supported centuries is refused', async () => {
  const response = await ask('/billing/ACT/plan/growth/activate', { startDate: '9999-12-31' });
  expect(response).toMatchObject({ status: 400, text: expect.stringContaining('from 2000 to 2199') });
});

test('text with a NUL character is refused, not a server error', async () => {
  const response = await ask('/support/threads', { subject: 'He\0lp', message: 'Please \0 help me' });
  expect([400, 404]).toContain(response.status);
});

test('a file that fails before its first byte gives a readable problem response', async () => {
  const { db } = portal.owner;
  await sql`alter table request_log rename to request_log_away`.execute(db);
  const response = await ask(`${log}/csv`);
  await sql`alter table request_log_away rename to request_log`.execute(db);
  expect(response.status).toBe(500);
  expect(JSON.parse(response.text)).toMatchObject({ code: 'internal' });
});

test('a text far above its length is refused for its length alone, and such requests count towards the limit of the call', async () => {
  const email = `a@${'.'.repeat(60_000)}@`;
  for (let request = 0; request < 10; request += 1) {
    const { status, text } = await ask('/billing/accountant', { email }, 'PUT');
    expect([status, JSON.parse(text).errors]).toMatchObject([
      400,
      [{ pointer: '/email', message: expect.stringContaining('Too big') }],
    ]);
  }
  expect(await ask('/billing/accountant', { email }, 'PUT')).toMatchObject({ status: 429 });
});

test('no call reads a text of sixty thousand characters but an uploaded file', () => {
  const fields = Object.values(calls).flatMap(({ name, body }: Call) =>
    body === undefined ? [] : Object.keys(body.shape).map((field) => ({ body, field, of: `${name}.${field}` })),
  );
  const reading = fields.filter(
    ({ body, field }) => withinTextBounds(body).safeParse({ [field]: '.'.repeat(60_000) }).success,
  );
  expect(fields.length).toBeGreaterThan(30);
  expect(reading.map(({ of }) => of)).toEqual(['declareTaxClaim.letter', 'declareTds.certificate']);
});

interface Route {
  path: string;
  methods: string[];
}

/** Every route of the server, from Fastify's own listing, so that new routes are covered automatically. */
function registeredRoutes(): Route[] {
  const routes: Route[] = [];
  const above: string[] = [];
  for (const line of portal.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, segment, methods] = /^([│├└─\s]*)(\S+)(?: \(([A-Z, ]+)\))?$/u.exec(line) ?? [];
    if (indent === undefined || segment === undefined) continue;
    above.length = indent.length / 4 - 1;
    above.push(segment);
    if (methods !== undefined) routes.push({ path: above.join(''), methods: methods.split(', ') });
  }
  return routes;
}

const parameter = /:\w+(\|:\w+)*/g;
const longIds = ['A'.repeat(81), 'A'.repeat(90), 'A'.repeat(101), 'A'.repeat(5000)];
const oddIds = [
  'x',
  '%00',
  '%',
  '%ff',
  '%F0%9F%98%80',
  '..%2f..',
  '__proto__',
  "'%22;--",
  '%0d%0a',
  '9999-99-99',
  ...longIds,
];

test('no id in a path makes a route fail: over-long and malformed ids are refused or not found', async () => {
  const routes = registeredRoutes().filter(({ path }) => path.includes('/:'));
  // The listing is complete: it contains routes of every kind. Parameters at the same position are listed as :one|:other.
  const paths = routes.map(({ path }) => path.replaceAll(parameter, ':'));
  for (const known of [
    '/billing/invoice/:/file',
    '/billing/register/:/:/:/file',
    '/outbox/:/paper',
    '/devportal/services/:/usage/live',
  ]) {
    expect(paths).toContain(`/backend${known}`);
  }
  const failed: string[] = [];
  const attempt = async (name: string, path: string, odd: string): Promise<void> => {
    const method = asMethod(name);
    const url = path.replaceAll(parameter, odd);
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode } = await portal.app.inject({
      method,
      url,
      headers,
      ...(method === 'GET' ? {} : { payload: {} }),
    });
    if (statusCode >= 500 || statusCode < 400) failed.push(`${statusCode} ${method} ${url.slice(0, 120)}`);
  };
  for (const { path, methods: names } of routes) {
    for (const name of names.filter((each) => each !== 'HEAD')) {
      await Promise.all(oddIds.map((odd) => attempt(name, path, odd)));
    }
  }
  expect(failed).toEqual([]);
});

test.each([
  '/billing/invoice/ID/file',
  '/billing/documents/ID/file/current',
  '/billing/register/ID/2026-01-01/2026-01-31/file',
  '/billing/register/x/y/z/file',
  '/outbox/ID',
  '/outbox/ID/paper',
  '/devportal/services/ID/requests/csv',
  '/devportal/services/ID/requests/live',
  '/devportal/services/ID/usage/live',
])('an id of 90 characters is not found: %s', async (path) => {
  expect(await ask(path.replace('ID', 'A'.repeat(90)))).toMatchObject({
    status: 404,
    text: expect.stringContaining('not_found'),
  });
});
