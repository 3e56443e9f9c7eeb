import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { makePayLink, orderByPayLink, readPayLink } from '#shared/contract/pay-links.ts';
import { requestCsvPath } from '#shared/contract/request-log.ts';
import { usageStreamPath } from '#shared/contract/usage.ts';
import { listWebhooks } from '#shared/contract/webhooks.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { callsAtOnce, maxWaitingCalls } from './call-turns.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const timesOf = (statuses: readonly number[], status: number) => statuses.filter((each) => each === status).length;

test('four calls of a customer run at a time, a hundred wait, more are refused, and other customers’ calls go on', async () => {
  const [token, other] = [await portal.newCustomer(), await portal.newCustomer()];
  const statuses: number[] = [];
  const call = async () => {
    statuses.push((await portal.send(listWebhooks, {}, token)).status);
  };
  const { calls } = await portal.portal.db.transaction().execute(async (tx) => {
    await sql`lock table webhooks in access exclusive mode`.execute(tx);
    const calls = Array.from({ length: callsAtOnce + maxWaitingCalls + 10 }, call);
    await expect.poll(() => statuses).toEqual(Array<number>(10).fill(429));
    expect(await countWaiting(tx)).toBe(callsAtOnce);
    expect((await portal.send(readAccount, {}, other)).status).toBe(200);
    return { calls };
  });
  await Promise.all(calls);
  expect(timesOf(statuses, 200)).toBe(callsAtOnce + maxWaitingCalls);
});

test('whoever holds a pay link takes no connection from others: it is read while its activation is locked, and four of its orders wait in turns of their own', async () => {
  const [token, other] = [await portal.newCustomer(), await portal.newCustomer()];
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, plan, token);
  const made = { params: { activationId }, body: { billingCycleIds: [billingCycleId], endsEarlier: false } };
  const body = { link: new URL((await portal.ask(makePayLink, made, token)).url).hash.slice(1) };
  const { orders } = await portal.portal.db.transaction().execute(async (tx) => {
    await tx.selectFrom('activations').select('id').where('id', '=', activationId).forNoKeyUpdate().execute();
    const orders = Array.from({ length: 25 }, () => portal.send(orderByPayLink, { body }));
    await expect.poll(() => countWaiting(tx)).toBe(callsAtOnce);
    for (const each of [token, other]) expect((await portal.send(readAccount, {}, each)).status).toBe(200);
    expect(await countWaiting(tx)).toBe(callsAtOnce);
    return { orders };
  });
  const ordered = await Promise.all(orders);
  expect(new Set(ordered.map(({ body: reply }) => JSON.stringify(reply))).size).toBe(1);
  await portal.portal.db.transaction().execute(async (tx) => {
    await tx.selectFrom('activations').select('id').where('id', '=', activationId).forNoKeyUpdate().execute();
    const reads = await Promise.all(Array.from({ length: 25 }, () => portal.ask(readPayLink, { body })));
    expect(new Set(reads.map(({ state }) => state))).toEqual(new Set(['OPEN']));
  });
});

test('live streams leave the turns to the customer’s other calls', async () => {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { activationId } = await portal.ask(activatePlan, plan, token);
  const leaving = new AbortController();
  const open = (path: string) =>
    fetch(`${portal.portalUrl}/backend${path.replace(':activationId', activationId)}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    });
  const opened = await Promise.all(Array.from({ length: 10 }, () => open(usageStreamPath)));
  expect(opened.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
  expect((await portal.send(readAccount, {}, token)).status).toBe(200);
  leaving.abort();
});

test('downloads of a customer read the log in turns', async () => {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { activationId } = await portal.ask(activatePlan, plan, token);
  const path = requestCsvPath.replace(':activationId', activationId);
  const { downloads } = await portal.portal.db.transaction().execute(async (tx) => {
    await sql`lock table request_log in access exclusive mode`.execute(tx);
    const download = async () =>
      (await fetch(`${portal.portalUrl}/backend${path}`, { headers: { authorization: `Bearer ${token}` } })).text();
    const downloads = Array.from({ length: 12 }, download);
    await expect.poll(() => countWaiting(tx)).toBe(callsAtOnce);
    // Its session is read before its turn, and a call that waits for its turn has no connection.
    expect((await portal.send(readAccount, {}, await portal.newCustomer())).status).toBe(200);
    expect(await countWaiting(tx)).toBe(callsAtOnce);
    return { downloads };
  });
  for (const text of await Promise.all(downloads)) expect(text).toMatch(/^time,/);
});
