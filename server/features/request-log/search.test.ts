import { afterAll, beforeAll, expect, test } from 'vitest';
import { listRequestAlerts, requestCsvPath } from '#shared/contract/request-log.ts';
import { dayOf } from '#shared/domain/day.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { nextId, withLog, writeBatch } from './test-log.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const secondMs = 1000;
const dayMs = 86_400_000;
const rate = 'quota-exceeded;rule=second;limit=10;plan=Growth';

/** A log with one call of each kind. */
async function sampleLog() {
  const { log, read, ...more } = await withLog(portal);
  const ids = {
    found: await log(200, 'answered', 0),
    rate: await log(429, 'refused', secondMs, undefined, { problem: rate }),
    revoked: await log(401, 'refused', 2 * secondMs, undefined, {
      problem: 'key-invalid',
      path: '/tax-lookup/v1/hsn/8471',
    }),
    invalid: await log(422, 'judged', 3 * secondMs, undefined, { problem: 'request-invalid;in=query;field=on' }),
    old: await log(429, 'refused', 9 * dayMs, undefined, { problem: rate }),
  };
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const search = async (q: string) => (await read({ q })).requests.map(({ requestId }) => names.get(requestId));
  return { log, read, ids, search, ...more };
}

test('a failed call has its problem code, and the rule and numbers at that moment', async () => {
  const { read } = await sampleLog();
  const problems = (await read()).requests.map(({ problem }) => problem);
  expect(problems).toEqual([
    null,
    { code: 'quota-exceeded', facts: { rule: 'second', limit: '10', plan: 'Growth' } },
    { code: 'key-invalid', facts: {} },
    { code: 'request-invalid', facts: { in: 'query', field: 'on' } },
    { code: 'quota-exceeded', facts: { rule: 'second', limit: '10', plan: 'Growth' } },
  ]);
});

test('the log can be searched by request id, problem code, rule and path', async () => {
  const { search, ids } = await sampleLog();
  expect(await search(ids.rate)).toEqual(['rate']);
  expect(await search(` ${ids.old} `)).toEqual(['old']);
  expect(await search('QUOTA-exceeded')).toEqual(['rate', 'old']);
  expect(await search('quota-exceeded/second')).toEqual(['rate', 'old']);
  expect(await search('/v1/hsn')).toEqual(['revoked']);
  expect(await search('get hsn key-invalid')).toEqual(['revoked']);
  expect(await search('/tax-lookup/v1/gstin/27AAPFU0939F1ZV?x=1')).toEqual(['found', 'rate', 'invalid', 'old']);
  expect(await search('%')).toEqual([]);
  expect(await search('req_0000000000-0000000000')).toEqual([]);
});

test('a search finds calls of its own activation only', async () => {
  const { ids } = await sampleLog();
  const other = await sampleLog();
  expect((await other.read({ q: ids.found })).requests).toEqual([]);
});

test('today’s alerts name the revoked key, and the share of calls over the rate', async () => {
  const { log, token, activationId, live, trial } = await withLog(portal);
  const readAlerts = () => portal.ask(listRequestAlerts, { params: { activationId } }, token);
  expect(await readAlerts()).toEqual({ calls: 0, alerts: [] });
  for (let call = 0; call < 5; call += 1) await log(429, 'refused', call, undefined, { problem: rate });
  await log(401, 'refused', 0, trial.id, { problem: 'key-invalid' });
  await log(404, 'judged', 0, live.id, { problem: 'not-found' });
  await log(200, 'answered', 0);
  await log(429, 'refused', 2 * dayMs, undefined, { problem: 'quota-exceeded;rule=monthly' });
  const { calls, alerts } = await readAlerts();
  expect(calls).toBe(8);
  expect(alerts).toEqual([
    { code: 'quota-exceeded', rule: 'second', keyId: null, keyName: null, calls: 5, lastAt: expect.any(String) },
    { code: 'key-invalid', rule: null, keyId: trial.id, keyName: 'trial', calls: 1, lastAt: expect.any(String) },
  ]);
});

test('refused calls that are only counted are part of today’s alerts and named with the list', async () => {
  const { read, token, activationId, live } = await withLog(portal);
  const at = portal.portal.clock();
  const call = { requestId: nextId(), at, status: 429, reason: 'refused', problem: rate } as const;
  await writeBatch(portal, [call], activationId, live.id, { 'quota-exceeded/second': 19_999 });
  const { calls, alerts } = await portal.ask(listRequestAlerts, { params: { activationId } }, token);
  expect(calls).toBe(20_000);
  expect(alerts.map((alert) => [alert.rule, alert.calls])).toEqual([['second', 20_000]]);
  expect(await read()).toMatchObject({ requests: [{ status: 429 }], unlisted: [{ day: dayOf(at), calls: 19_999 }] });
});

test('a search through a long log ends a page after a bounded part of it, and the pages together find everything once', async () => {
  const { read, token, activationId, live } = await withLog(portal);
  const now = portal.portal.clock();
  const [of, batches] = [500, 240];
  const wanted: string[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    // Two words that are in every batch, and together in few calls: batches that begin and end together with others among them.
    const calls = Array.from({ length: of }, (_, index) => ({
      requestId: nextId(),
      at: now - Math.floor(batch / 2) * secondMs - index,
      status: 200,
      reason: 'answered' as const,
      path: batch % 60 === 59 && index === 0 ? '/aaa/bbb' : index % 2 === 0 ? '/aaa' : '/bbb',
    }));
    wanted.push(...calls.flatMap(({ requestId, path }) => (path === '/aaa/bbb' ? [requestId] : [])));
    await writeBatch(portal, calls, activationId, live.id);
  }
  const pages: string[][] = [];
  let after: string | undefined;
  do {
    const { requests, next } = await read({ q: 'aaa bbb', ...(after !== undefined && { after }) });
    pages.push(requests.map(({ requestId }) => requestId));
    after = next ?? undefined;
  } while (after !== undefined);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat()).toEqual(wanted);
  const csv = await fetch(
    `${portal.portalUrl}/backend${requestCsvPath.replace(':activationId', activationId)}?q=aaa%20bbb`,
    { headers: { authorization: `Bearer ${token}` } },
  );
  expect((await csv.text()).trim().split('\r\n').length).toBe(1 + wanted.length);
});
