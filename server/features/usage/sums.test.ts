import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { deleteActivation, listActivations } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { listRequests, type LoggedRequest } from '#shared/contract/request-log.ts';
import { readCycleUsage, readUsage, readUsageReport } from '#shared/contract/usage.ts';
import { dayOf } from '#shared/domain/day.ts';
import { listeningPort, spawnTestGateway, type TestGateway } from '#server/test/gateway.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

/** The portal runs in this process and the gateway as its own program; they share only the database and HTTP. */

let portal: TestPortal;
let api: Server;
let gateway: TestGateway;
const dataDir = mkdtempSync(join(tmpdir(), 'octroi-sums-'));

beforeAll(async () => {
  portal = await startTestPortal();
  api = createServer(apiThatFails());
  gateway = await spawnTestGateway({
    DATABASE_URL: portal.portal.settings.databaseUrl,
    DATA_DIR: dataDir,
    UPSTREAM_TAX_LOOKUP_API: `http://127.0.0.1:${await listeningPort(api)}`,
    UPSTREAM_TIMEOUT_MS: '3000',
  });
});
afterAll(async () => {
  await gateway.stop();
  api.closeAllConnections();
  api.close();
  await portal.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The callers who leave as soon as the API has their request, by Idempotency-Key. */
const leaving = new Map<string, AbortController>();

/** An API whose path selects how it fails, and that recognises a retry by its Idempotency-Key. */
function apiThatFails(): Parameters<typeof createServer>[1] {
  const given = new Set<string>();
  return (req, res) => {
    const key = String(req.headers['idempotency-key']);
    const [, , what, status] = (req.url ?? '').split('/');
    if (what === 'reset') req.socket.destroy();
    else if (what === 'broken') {
      res.writeHead(200, { 'Content-Length': '1000000' }).write('x'.repeat(200_000));
      setTimeout(() => res.destroy(), 30);
    } else if (what === 'left') leaving.get(key)?.abort();
    else if (what !== 'late') {
      if (given.has(key)) res.setHeader('Octroi-Replayed', 'true');
      if (what === 'ok') given.add(key);
      res.writeHead(Number(status ?? 200), { 'Content-Type': 'application/json' }).end('{}');
    }
  };
}

/** A customer who has paid for Scale, with two keys; the second one has a daily cap. */
async function payingCustomer() {
  const token = await portal.newCustomer();
  const { activationId, billingCycleId = '' } = await portal.ask(
    activatePlan,
    { params: { id: 'tax-lookup-api', planId: 'scale' } },
    token,
  );
  await portal.buy(token, billingCycleId);
  const params = { activationId };
  const first = await portal.ask(createApiKey, { params, body: { keyName: 'one' } }, token);
  const second = await portal.ask(createApiKey, { params, body: { keyName: 'two', dailyCap: 12 } }, token);
  return { token, activationId, billingCycleId, first, second };
}

const failures = ['status/404', 'status/422', 'status/500', 'status/503', 'late', 'reset', 'broken', 'left'];

interface Seen {
  status: number;
  headers: Headers;
  text: string;
}

/** One call; null when its response was cut off or not awaited. */
async function call(apiKey: string, path: string, idempotencyKey: string): Promise<Seen | null> {
  const left = new AbortController();
  leaving.set(idempotencyKey, left);
  try {
    const response = await fetch(`${gateway.url}/tax-lookup/v1/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'idempotency-key': idempotencyKey },
      signal: left.signal,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return null;
  }
}

/** Calls with one key, four at a time: every other one succeeds, and each is sent again with the same Idempotency-Key. */
async function storm(apiKey: string, calls: number): Promise<(Seen | null)[]> {
  const waiting = Array.from({ length: calls }, (_, index) => index);
  const responses: (Seen | null)[] = [];
  const send = async (path: string, idempotencyKey: string): Promise<void> => {
    const response = await call(apiKey, path, idempotencyKey);
    responses.push(response);
    if (!response?.text.includes('"violated-policies":["second"]')) return;
    await sleep(200);
    await send(path, idempotencyKey);
  };
  const owner = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const path = index % 2 === 0 ? 'ok' : (failures[Math.floor(index / 2) % failures.length] ?? 'ok');
      await send(path, `${apiKey} ${index}`);
      await send(path, `${apiKey} ${index}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, owner));
  return responses;
}

/** Calls until one call is neither refused for too many calls per second nor given up while a busy machine holds the API up. */
async function callUntilAdmitted(apiKey: string, idempotencyKey: string): Promise<Seen> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await call(apiKey, 'ok', `${idempotencyKey} ${attempt}`);
    if (response?.status === 200) return response;
    const isTooFast = response?.text.includes('"violated-policies":["second"]');
    expect(isTooFast || response?.status === 504, response?.text).toBe(true);
    await sleep(200);
  }
}

async function wholeLog(activationId: string, token: string): Promise<LoggedRequest[]> {
  const rows: LoggedRequest[] = [];
  for (let after: string | null = ''; after !== null;) {
    const query = { limit: 200, ...(after === '' ? {} : { after }) };
    const page: z.output<typeof listRequests.reply> = await portal.ask(
      listRequests,
      { params: { activationId }, query },
      token,
    );
    rows.push(...page.requests);
    after = page.next;
  }
  return rows;
}

const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);

test('after a burst of calls, request log, usage graph, headers, GET /v1/usage and the usage report of the invoice agree', async () => {
  const { token, activationId, billingCycleId, first, second } = await payingCustomer();
  const responses = (await Promise.all([storm(first.apiKey, 40), storm(second.apiKey, 32)])).flat();
  const loggedRows = async () => (await wholeLog(activationId, token)).length;
  await expect.poll(loggedRows).toBe(responses.length);
  // The expected count, worked out from the responses: the API marks the repeat of a successful call, which doesn't count. The call itself
  // may have been given up while a busy machine held the API up; then it doesn't count either.
  const seen = responses.filter((each) => each && [200, 404, 422].includes(each.status));
  const wanted = seen.filter((each) => !each?.headers.has('octroi-replayed')).length;
  // A response that was cut off is logged as counted until its correction is stored.
  const countedRows = async () => (await wholeLog(activationId, token)).filter(({ counted }) => counted).length;
  await expect.poll(countedRows).toBe(wanted);
  // This call fails and is not counted: its headers say what is left after the burst and all corrections.
  const last = await call(first.apiKey, 'status/500', 'last');
  await expect.poll(loggedRows).toBe(responses.length + 1);
  const log = await wholeLog(activationId, token);
  const logged = (where: (row: LoggedRequest) => boolean) => log.filter((row) => row.counted && where(row)).length;
  const total = logged(() => true);
  // A unit held by a failing call may be returned too late for the last calls.
  expect(logged((row) => row.keyId === second.id)).toBeLessThanOrEqual(12);
  for (const reason of ['answered', 'judged', 'replayed', 'failed', 'broke-off', 'caller-left', 'refused']) {
    expect(log.filter((row) => row.reason === reason).length, reason).toBeGreaterThan(0);
  }

  const evidence = () => portal.ask(readCycleUsage, { params: { billingCycleId } }, token);
  // Free calls are counted a moment after their line in the log. The gateway itself refused some, and some callers left before there was a response.
  const free = log.filter(({ counted, reason }) => !counted && reason !== 'refused' && reason !== 'caller-left').length;
  await expect.poll(evidence).toMatchObject({ counted: total, free });
  const proof = await evidence();
  const { insights } = await portal.ask(readUsage, { params: { activationId } }, token);
  const today = dayOf(portal.portal.clock());
  const report = await portal.ask(readUsageReport, { query: { from: today, to: today } }, token);
  expect(sumOf(insights.graph, ({ y }) => y)).toBe(total);
  expect([insights.dailyUse.quotaUsed, insights.monthlyUse.quotaUsed]).toEqual([total, total]);
  expect(sumOf(report.rows, ({ counted }) => counted)).toBe(total);
  expect(sumOf(report.rows, ({ free }) => free)).toBe(proof.free);

  const left = insights.dailyUse.quotaLimit - total;
  expect(last?.headers.get('ratelimit')).toContain(`"daily";r=${left};`);
  expect(last?.headers.get('ratelimit')).toContain(`"monthly";r=${insights.monthlyUse.quotaLimit - total};`);

  for (const { apiKey, id } of [first, second]) {
    const own = logged((row) => row.keyId === id);
    const usage = await fetch(`${gateway.url}/v1/usage`, { headers: { 'x-api-key': apiKey } });
    expect(await usage.json()).toMatchObject({
      dailyUse: { quotaUsed: total, quotaRemaining: left },
      monthlyUse: { quotaUsed: total },
      key: { usedToday: own },
    });
    const ofKey = proof.rows.filter((row) => row.keyId === id);
    expect(sumOf(ofKey, (row) => (row.counted ? row.calls : 0))).toBe(own);
    expect(report.rows.find((row) => row.keyId === id)?.counted).toBe(own);
  }
  // The usage report has the same counts per status class as the log.
  for (const statusClass of ['2xx', '4xx'] as const) {
    const ofClass = proof.rows.filter((row) => row.counted && row.answers === statusClass);
    expect(sumOf(ofClass, ({ calls }) => calls)).toBe(logged((row) => `${String(row.status)[0]}xx` === statusClass));
  }
  const [entry] = await portal.ask(listHistory, { params: { id: activationId } }, token);
  expect(proof).toMatchObject({ invoiceId: entry?.invoiceId, planName: 'Scale', fromDate: today });
  expect(entry?.invoiceId).toBeTruthy();
});

test('a free plan that is activated again on the same day continues with the usage it had, everywhere it is shown', async () => {
  const token = await portal.newCustomer();
  const activateFree = async () => {
    const params = { id: 'tax-lookup-api', planId: 'free' };
    const { activationId } = await portal.ask(activatePlan, { params }, token);
    const made = await portal.ask(createApiKey, { params: { activationId }, body: { keyName: 'one' } }, token);
    return { activationId, apiKey: made.apiKey };
  };
  const first = await activateFree();
  for (let index = 0; index < 7; index += 1) await callUntilAdmitted(first.apiKey, `free ${index}`);
  await portal.ask(deleteActivation, { params: first }, token);
  const again = await activateFree();

  const usage = async (): Promise<unknown> =>
    (await fetch(`${gateway.url}/v1/usage`, { headers: { 'x-api-key': again.apiKey } })).json();
  const dailyUse = { quotaUsed: 7, quotaLimit: 100, quotaRemaining: 93 };
  const monthlyUse = { quotaUsed: 7, quotaLimit: 1000, quotaRemaining: 993 };
  await expect.poll(usage).toMatchObject({ dailyUse, monthlyUse });
  const { insights } = await portal.ask(readUsage, { params: again }, token);
  expect(insights).toMatchObject({ dailyUse, monthlyUse });
  const { activations } = await portal.ask(listActivations, {}, token);
  expect(activations.map((activation) => activation.dailyUse)).toEqual([dailyUse]);
  const response = await callUntilAdmitted(again.apiKey, 'free again');
  expect(response.headers.get('ratelimit')).toMatch(/"daily";r=92;t=\d+, "monthly";r=992;/);
});
