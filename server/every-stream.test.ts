import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { readMonthPack } from '#shared/contract/month-pack.ts';
import { readDataExport } from '#shared/contract/privacy.ts';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import { requestCsvPath, requestStreamPath } from '#shared/contract/request-log.ts';
import { usageStreamPath } from '#shared/contract/usage.ts';
import { calls } from '#shared/contract/test-calls.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { nextId, writeBatch } from '#server/features/request-log/test-log.ts';
import { signedLink, signedPath } from '#server/features/documents/documents.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { packLink } from '#server/features/month-pack/month-pack.ts';
import { useUnits } from '#server/features/usage/test-units.ts';
import { backendPath, viewPath } from './http/app.ts';
import { refuseOtherStreams, serveFile, serveStream, streamingRoutes } from './http/serve-file.ts';
import { createTurns } from './http/turns.ts';
import { testOperators } from './test/operators.ts';
import { type Owned, ownEverything } from './test/owned.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

/** How a stream is broken. */
const breaks: Record<string, (stream: Readable, request: FastifyRequest) => void> = {
  'its source fails': (stream) => void stream.destroy(new Error('broken')),
  'its client leaves': (_stream, { raw }) => void raw.socket.destroy(),
};

/** Which request it is, and before which part of its stream it is broken, counted from 1. */
const plan = z.object({
  'x-test': z.string().default(''),
  'x-break': z.string().default(''),
  'x-at': z.coerce.number().default(0),
});
const sent: Readable[] = [];
const uncaught: unknown[] = [];
const parts = new Map<string, number>();

/** Counts the parts of a stream as it is sent, and breaks it where that is planned. */
function watch(stream: Readable, request: FastifyRequest): void {
  const { 'x-test': id, 'x-break': how, 'x-at': at } = plan.parse(request.headers);
  const push = stream.push.bind(stream);
  let part = 0;
  sent.push(stream);
  stream.push = (chunk, encoding) => {
    if (chunk !== null) parts.set(id, (part += 1));
    if (part !== at) return push(chunk, encoding);
    breaks[how]?.(stream, request);
    return false;
  };
}

const note = (error: unknown): void => void uncaught.push(error);
// Fastify publishes each server when it is made, before any route.
const isMade = z.object({ fastify: z.custom<FastifyInstance>() });
const onMade = (message: unknown): void => {
  isMade.parse(message).fastify.addHook('onSend', async (request, _reply, payload) => {
    if (payload instanceof Readable) watch(payload, request);
  });
};

let portal: TestPortal;
let token: string;
let own: Owned;
let operatorToken: string;
beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', note);
  subscribe('fastify.initialization', onMade);
  portal = await startTestPortal({ jobs: false });
  unsubscribe('fastify.initialization', onMade);
  token = await portal.newCustomer();
  own = await ownEverything(portal, token, 'tax-lookup-api');
  for (let batch = 0; batch < 3; batch += 1) await logCalls(1000);
  // An export of several parts.
  await sql`update mails set body_text = ${randomBytes(200_000).toString('base64')}`.execute(portal.portal.db);
  operatorToken = await testOperators(portal).signedIn('owner@kaveri.example', 'owner');
  for (const [route, { url }] of Object.entries(routes)) urls.set(route, await url());
});
afterAll(async () => {
  process.off('uncaughtExceptionMonitor', note);
  await portal.close();
});

async function logCalls(calls: number): Promise<void> {
  const at = portal.portal.clock();
  const of = Array.from({ length: calls }, () => ({
    requestId: nextId(),
    at,
    status: 200,
    reason: 'answered' as const,
  }));
  await writeBatch(portal, of, own.activation, own.key);
}
let days = 0;
const countCalls = () => useUnits(portal.portal.db, own.cycle, addDays(dayOf(portal.portal.clock()), (days += 1)), 1);

const urls = new Map<string, string>();
const month = dayOf(Date.now()).slice(0, 7);
const ofActivation = (path: string) => async () =>
  `${portal.portalUrl}${backendPath}${path.replace(':activationId', own.activation)}`;

async function confirmedAccountant(): Promise<string> {
  const at = new Date(portal.portal.clock());
  const { customer_id } = await portal.portal.db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', own.activation)
    .executeTakeFirstOrThrow();
  const row = { id: 'ACN-000000000001', customer_id, email: 'ca@example.in', asked_at: at };
  const none = { confirmed_at: null, next_month: null, ended_at: null, ended_by: null };
  await portal.portal.db
    .insertInto('accountants')
    .values({ ...row, ...none })
    .execute();
  await portal.portal.db.updateTable('accountants').set({ confirmed_at: at, next_month: month }).execute();
  return row.id;
}

/** The files of operators. */
const ofOperators = Object.fromEntries(
  Object.values(operatorCalls).flatMap((call) => {
    if (!('file' in call)) return [];
    const path = `/operator/files/${call.name}`;
    const query = 'period' in call.input.shape ? `period=${month}` : `month=${month}`;
    return [[path, { url: async () => `${portal.portalUrl}${backendPath}${path}?${query}` }]];
  }),
);

/** How each streaming route is asked, by its address. `more`: causes the next event of a stream that lasts. */
const routes: Record<string, { url: () => Promise<string>; more?: () => Promise<void> }> = {
  '/billing/packs/:customerId/:month/file': {
    url: async () => (await portal.ask(readMonthPack, { params: { month } }, token)).downloadUrl,
  },
  '/accountants/:accountantId/packs/:month/file': {
    url: async () => `${portal.portalUrl}${packLink(portal.portal, await confirmedAccountant(), month)}`,
  },
  '/account/exports/:customerId/file': {
    url: async () => (await portal.ask(readDataExport, {}, token)).downloadUrl,
  },
  ...ofOperators,
  [requestCsvPath]: { url: ofActivation(requestCsvPath) },
  [requestStreamPath]: { url: ofActivation(requestStreamPath), more: () => logCalls(1) },
  [usageStreamPath]: { url: ofActivation(usageStreamPath), more: countCalls },
};

const eventsOfLiveStream = 3;

/** Asks for a stream: how it ended, and of how many parts it was. A stream that lasts is left after some events. */
async function read(route: string, how = '', at = 0): Promise<{ end: string; parts: number }> {
  const id = randomUUID();
  const result = (end: string) => ({ end, parts: parts.get(id) ?? 0 });
  try {
    const leave = new AbortController();
    const caller = route in ofOperators ? operatorToken : token;
    const headers = { authorization: `Bearer ${caller}`, 'x-test': id, 'x-break': how, 'x-at': String(at) };
    const response = await fetch(urls.get(route) ?? '', { headers, signal: leave.signal });
    const { more } = routes[route] ?? {};
    if (response.ok && more !== undefined)
      for await (const chunk of response.body ?? []) {
        if (how === '' && chunk.length > 0 && (parts.get(id) ?? 0) >= eventsOfLiveStream) break;
        await more();
      }
    else await response.arrayBuffer();
    leave.abort();
    return result(response.ok ? 'whole' : String(response.status));
  } catch {
    return result('cut');
  }
}

const isOfOperators = (path: string) => path.startsWith(`${backendPath}/operator/`);

test('every route that sends a stream is broken here, and views have the same', () => {
  const found = [...streamingRoutes(portal.app)];
  const ofViews = found.filter((path) => path.startsWith(`${viewPath}/`));
  expect(ofViews.map((path) => path.replace(viewPath, backendPath)).toSorted()).toEqual(
    found.filter((path) => !ofViews.includes(path) && !isOfOperators(path)).toSorted(),
  );
  expect(found.filter((path) => !ofViews.includes(path)).toSorted()).toEqual(
    Object.keys(routes)
      .map((path) => backendPath + path)
      .toSorted(),
  );
});

test('a correctly signed link past its expiry is refused, whatever it leads to', async () => {
  const linking = calls.filter(({ reply }) => reply instanceof z.ZodObject && 'downloadUrl' in reply.shape);
  expect(linking.map(({ name }) => name).toSorted()).toEqual([
    'readDataExport',
    'readDocument',
    'readInvoice',
    'readMonthPack',
    'readPurchaseRegister',
    'readStatementPaper',
  ]);
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [document] = await buyer.documents();
  const { customer_id: customerId, cycle_id: cycleId } = await portal.portal.db
    .selectFrom('documents')
    .select(['customer_id', 'cycle_id'])
    .where('id', '=', document?.id ?? '')
    .executeTakeFirstOrThrow();
  const paths = [
    `/account/exports/${customerId}/file`,
    `/billing/documents/${document?.id}/file/original`,
    `/billing/invoice/${cycleId}/file`,
    `/billing/packs/${customerId}/${month}/file`,
    `/billing/register/${customerId}/2026-04-01/2027-03-31/file`,
    `/billing/statement/${customerId}/2026-04-01/2027-03-31/file`,
    new URL(urls.get('/accountants/:accountantId/packs/:month/file') ?? '').pathname.slice(backendPath.length),
  ];
  const statusOf = async (path: string, lifeMs: number) => {
    const response = await fetch(portal.portalUrl + signedPath(portal.portal, path, lifeMs));
    await response.arrayBuffer();
    return response.status;
  };
  for (const path of paths) {
    expect(await statusOf(path, 60_000), path).toBe(200);
    expect(await statusOf(path, -1), path).toBe(404);
  }
  const link = new URL(signedLink(portal.portal, paths[0] ?? '', { memberId: undefined }));
  expect(Number(link.searchParams.get('expires')) - portal.portal.machineClock()).toBeLessThanOrEqual(5 * 60_000);
});

const streamed = {
  turns: createTurns({ ofOwner: 1, waiting: 1 }),
  identify: async () => ({ customerId: 'anybody' }),
  make: async ({ reply }: { reply: FastifyReply }) => ({ send: () => reply.send(Readable.from(['part'])) }),
};

test('a stream of any other route is refused', async () => {
  const app = fastify();
  refuseOtherStreams(app);
  serveFile(app, '/file', z.object({}), streamed);
  serveStream(app, '/stream', z.object({}), streamed);
  expect((await app.inject('/file')).statusCode).toBe(500);
  expect((await app.inject('/stream')).payload).toBe('part');
  await app.close();
});

const cases = Object.keys(routes).flatMap((route) => Object.keys(breaks).map((how) => ({ route, how })));

test.each(cases)(
  'when $how before the first, a middle or the last part of $route, that response ends and nothing else',
  async ({ route, how }) => {
    const whole = await read(route);
    expect(whole).toMatchObject({ end: 'whole' });
    expect(whole.parts).toBeGreaterThan(2);
    const breakAt = async (at: number) =>
      expect((await read(route, how, at)).end, `part ${at} of ${whole.parts}`).toMatch(/^(cut|5\d\d)$/);
    await Promise.all([1, Math.ceil(whole.parts / 2), whole.parts].map(breakAt));
  },
);

test.each(Object.keys(routes))('%s is whole after others of it were broken', async (route) => {
  expect(await read(route)).toMatchObject({ end: 'whole' });
});

test('a stream whose next event is being read when the portal stops ends, and nothing reaches the process', async () => {
  const stopping = await startTestPortal({ jobs: false });
  const token = await stopping.newCustomer();
  const { activationId, billingCycleId = '' } = await stopping.ask(
    activatePlan,
    { params: { id: 'tax-lookup-api', planId: 'free' } },
    token,
  );
  // Makes the key of the calls, whose seal reads documents.
  await useUnits(stopping.portal.db, billingCycleId, addDays(dayOf(Date.now()), -1), 1);
  const url = `${stopping.portalUrl}${backendPath}${usageStreamPath.replace(':activationId', activationId)}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  let closing: Promise<unknown> | undefined;
  await stopping.owner.db.transaction().execute(async (transaction) => {
    // The stream sees that calls were counted, and can't read its cycles.
    await sql`lock table documents in access exclusive mode`.execute(transaction);
    await useUnits(stopping.portal.db, billingCycleId, dayOf(Date.now()), 1);
    await expect.poll(() => countWaiting(transaction)).toBe(1);
    closing = stopping.app.close();
    await expect.poll(() => stopping.app.server.listening).toBe(false);
  });
  await response.text();
  await closing;
  await stopping.close();
  expect(uncaught).toEqual([]);
});

test('a broken stream leaves nothing open, and nothing reached the process', async () => {
  await expect.poll(() => sent.filter(({ closed }) => !closed)).toEqual([]);
  const open = sql`select pid from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  await expect.poll(async () => (await open.execute(portal.owner.db)).rows).toEqual([]);
  expect(sent.length).toBeGreaterThan(cases.length * 3);
  expect(uncaught).toEqual([]);
});
