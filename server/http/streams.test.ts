import { get } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signOut } from '#shared/contract/account.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { sql } from 'kysely';
import { countWaiting } from '#shared/database/test-database.ts';
import { callsAtOnce } from './call-turns.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const opened: AbortController[] = [];
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterEach(() => {
  for (const controller of opened.splice(0)) controller.abort();
});
afterAll(() => portal.close());

async function newCustomer() {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { activationId } = await portal.ask(activatePlan, plan, token);
  return { token, activationId };
}

/** Opens a stream; `ended` resolves when the server ends it. */
async function open({ token, activationId }: { token: string; activationId: string }, kind = 'usage') {
  const controller = new AbortController();
  opened.push(controller);
  const response = await fetch(`${portal.portalUrl}/backend/devportal/services/${activationId}/${kind}/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: controller.signal,
  });
  const state = { hasEnded: false };
  if (response.ok) {
    const reading = async (): Promise<void> => {
      for await (const chunk of response.body ?? []) state.hasEnded = chunk === undefined;
      state.hasEnded = true;
    };
    reading().catch(() => {});
  }
  return { response, hasEnded: () => state.hasEnded, leave: () => controller.abort() };
}

test('a customer may have ten live streams of all kinds together; the eleventh is refused until one is closed, and other customers are not affected', async () => {
  const [one, other] = [await newCustomer(), await newCustomer()];
  const kinds = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'usage' : 'requests'));
  const streams = await Promise.all(kinds.map((kind) => open(one, kind)));
  expect(streams.map(({ response }) => response.status)).toEqual(Array<number>(10).fill(200));
  const eleventh = await open(one);
  expect(eleventh.response.status).toBe(429);
  expect(await eleventh.response.json()).toMatchObject({ code: 'too_many_streams' });
  expect((await open(other)).response.status).toBe(200);
  streams[0]?.leave();
  await expect.poll(async () => (await open(one)).response.status).toBe(200);
});

test('of a hundred simultaneous requests for a stream, ten succeed', async () => {
  const customer = await newCustomer();
  const opened = await Promise.all(Array.from({ length: 100 }, () => open(customer)));
  expect(opened.filter(({ response }) => response.status === 200)).toHaveLength(10);
});

test('a client that disconnects before the stream has started does not use up a place', async () => {
  const customer = await newCustomer();
  const { db } = portal.portal;
  await db.transaction().execute(async (transaction) => {
    // No stream can start while the activations are locked.
    await sql`lock table activations in access exclusive mode`.execute(transaction);
    const sockets = new Set<Socket>();
    portal.app.server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    const leaving = Array.from({ length: 10 }, () =>
      get(`${portal.portalUrl}/backend/devportal/services/${customer.activationId}/usage/live`, {
        headers: { authorization: `Bearer ${customer.token}` },
        agent: false,
      }).on('error', () => {}),
    );
    await expect.poll(() => countWaiting(transaction)).toBeGreaterThanOrEqual(callsAtOnce);
    for (const request of leaving) request.destroy();
    await expect.poll(() => sockets.size).toBe(0);
  });
  const placesOfAll = async (): Promise<number[]> => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(customer)));
    for (const { leave } of streams) leave();
    return streams.map(({ response }) => response.status);
  };
  await expect.poll(placesOfAll).toEqual(Array<number>(10).fill(200));
});

test('a stream that is being opened when the portal stops is refused, and the portal stops', async () => {
  const own = await startTestPortal({ jobs: false });
  const token = await own.newCustomer();
  const { activationId } = await own.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, token);
  let closing: Promise<void> | undefined;
  let opening: Promise<Response> | undefined;
  await own.portal.db.transaction().execute(async (transaction) => {
    await sql`lock table usage_counts in access exclusive mode`.execute(transaction);
    const url = `${own.portalUrl}/backend/devportal/services/${activationId}/usage/live`;
    opening = fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await expect.poll(() => countWaiting(transaction)).toBe(1);
    closing = own.close();
    await expect.poll(() => own.app.server.listening).toBe(false);
  });
  expect((await opening)?.status).toBe(503);
  await closing;
});

test('a stream ends when its session is signed out, and streams of other sessions continue', async () => {
  const [one, other] = [await newCustomer(), await newCustomer()];
  const [ending, staying] = [await open(one), await open(other)];
  await portal.ask(signOut, {}, one.token);
  await expect.poll(ending.hasEnded).toBe(true);
  expect(staying.hasEnded()).toBe(false);
});

test('after the last stream has ended with its session, the database is not polled and nothing is logged', async () => {
  // Polls do not overlap, so the second stream ends after the first one's poll.
  for (const customer of [await newCustomer(), await newCustomer()]) {
    const stream = await open(customer);
    await portal.ask(signOut, {}, customer.token);
    await expect.poll(stream.hasEnded).toBe(true);
  }
  expect(portal.logLines.filter((line) => line.includes('polling for live streams failed'))).toEqual([]);
});

test.each(['expires_at', 'last_used_at'])('a stream ends when its session has expired by %s', async (column) => {
  const customer = await newCustomer();
  const stream = await open(customer, 'requests');
  const owner = sql`(select customer_id from activations where id = ${customer.activationId})`;
  const past = sql`${sql.ref(column)} - interval '13 hours'`;
  await sql`update sessions set ${sql.ref(column)} = ${past} where member_id in (select id from members where customer_id = ${owner})`.execute(
    portal.portal.db,
  );
  await expect.poll(stream.hasEnded).toBe(true);
});

test('a live stream has the security headers of every other response', async () => {
  const { response } = await open(await newCustomer());
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});
