import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activatePlan } from '#contract/marketplace.ts';
import { startTestPortal, type TestPortal } from './test-portal.ts';

/** What no page sends and any program may: answered as a fault of the request, never as one of ours. */

let portal: TestPortal;
let token: string;
let activationId: string;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  token = await portal.newCustomer();
  const params = { id: 'tax-lookup-api', planId: 'growth' };
  ({ activationId } = await portal.ask(activatePlan, { params }, token));
});
afterAll(() => portal.close());

async function ask(path: string, body?: object) {
  const response = await fetch(`${portal.portalUrl}/backend${path.replace('ACT', activationId)}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

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
  [404, '/billing/usage/..%2f..'],
])('%i for %s', async (status, path) => {
  expect((await ask(path)).status).toBe(status);
});

test('a plan begins in a century that the calendar knows', async () => {
  const answer = await ask('/billing/ACT/plan/growth/activate', { startDate: '9999-12-31' });
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('from 2000 to 2199') });
});

test('a text with a NUL is refused, not taken for a fault of ours', async () => {
  const answer = await ask('/support/messages', { subject: 'He\0lp', message: 'Please \0 help me' });
  expect([400, 404]).toContain(answer.status);
});

test('a file that fails before its first byte is a problem that can be read', async () => {
  const { db } = portal.portal;
  await sql`alter table request_batches rename to request_batches_away`.execute(db);
  const answer = await ask(`${log}/csv`);
  await sql`alter table request_batches_away rename to request_batches`.execute(db);
  expect(answer.status).toBe(500);
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'internal' });
});
