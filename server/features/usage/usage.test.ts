import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan, activateProduct } from '#shared/contract/marketplace.ts';
import { readCycleUsage, readUsage, readUsageReport, usageEventSchema } from '#shared/contract/usage.ts';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

const today = () => dayOf(portal.portal.clock());

/** A customer on the trial (1,000 a day), with two keys. */
async function withKeys() {
  const token = await portal.newCustomer();
  const { activationId, billingCycleId = '' } = await portal.ask(
    activateProduct,
    { params: { id: 'tax-lookup-api' } },
    token,
  );
  const keys = await Promise.all(
    ['one', 'two'].map((keyName) => portal.ask(createApiKey, { params: { activationId }, body: { keyName } }, token)),
  );
  /** Counts calls as a gateway does. */
  const count = (
    calls: number,
    more: { key?: number; keyId?: string; day?: string; counted?: boolean; status?: number } = {},
  ) =>
    portal.portal.db
      .insertInto('usage_counts')
      .values({
        activation_id: activationId,
        cycle_id: billingCycleId,
        key_id: more.keyId ?? keys[more.key ?? 0]?.id ?? '',
        day: more.day ?? today(),
        status_class: more.status ?? 2,
        counted: more.counted ?? true,
        calls,
        units: (more.counted ?? true) ? calls : 0,
        last_at: new Date(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['activation_id', 'day', 'key_id', 'cycle_id', 'status_class', 'counted'])
          .doUpdateSet((row) => ({
            calls: row('usage_counts.calls', '+', calls),
            units: row('usage_counts.units', '+', (more.counted ?? true) ? calls : 0),
          })),
      )
      .execute();
  return { token, activationId, billingCycleId, keys, count };
}

test('usage shows today’s calls against the daily quota, the cycle’s against the monthly quota, and when each renews', async () => {
  const { token, activationId, count } = await withKeys();
  await count(30);
  await count(12, { key: 1, status: 4 });
  await count(5, { counted: false, status: 5 });
  const { insights } = await portal.ask(readUsage, { params: { activationId } }, token);
  expect(insights).toMatchObject({
    plan: 'Trial',
    monthlyPrice: 0,
    from: today(),
    to: addDays(today(), 14),
    graph: [{ x: today(), y: 42 }],
    dailyUse: {
      quotaUsed: 42,
      quotaLimit: 1000,
      quotaRemaining: 958,
      renewsAt: new Date(startOfDay(addDays(today(), 1))).toISOString(),
    },
    monthlyUse: {
      quotaUsed: 42,
      quotaLimit: 5000,
      quotaRemaining: 4958,
      renewsAt: new Date(startOfDay(addDays(today(), 14))).toISOString(),
    },
  });
});

test('an activation without a running plan shows its last 30 days and no quota', async () => {
  const token = await portal.newCustomer();
  const { activationId } = await portal.ask(
    activatePlan,
    { params: { id: 'tax-lookup-api', planId: 'growth' } },
    token,
  );
  const { insights } = await portal.ask(readUsage, { params: { activationId } }, token);
  expect(insights.graph).toHaveLength(30);
  expect(insights).toMatchObject({ plan: null, dailyUse: { quotaLimit: 0, renewsAt: null } });
});

test('the report lists days and keys separately and adds up to the usage shown', async () => {
  const { token, activationId, count } = await withKeys();
  const yesterday = addDays(today(), -1);
  await count(7, { day: yesterday });
  await count(30);
  await count(12, { key: 1 });
  await count(5, { key: 1, counted: false, status: 5 });
  const report = await portal.ask(readUsageReport, { query: { from: yesterday, to: today() } }, token);
  expect(report.rows.map((row) => [row.day, row.keyName, row.counted, row.free])).toEqual([
    [yesterday, 'one', 7, 0],
    [today(), 'one', 30, 0],
    [today(), 'two', 12, 5],
  ]);
  expect(report.activations).toEqual([
    { activationId, serviceName: 'Tax Lookup API', dailyQuota: 1000, deleted: false },
  ]);
  const { insights } = await portal.ask(readUsage, { params: { activationId } }, token);
  expect(report.rows.filter((row) => row.day === today()).reduce((sum, row) => sum + row.counted, 0)).toBe(
    insights.dailyUse.quotaUsed,
  );
});

test('calls with a key that a restored backup does not have are in the report and the usage of the plan, under its id', async () => {
  const { token, billingCycleId, count } = await withKeys();
  await count(3);
  await count(4, { keyId: 'KEY-since-the-backup' });
  const report = await portal.ask(readUsageReport, { query: { from: today(), to: today() } }, token);
  const evidence = await portal.ask(readCycleUsage, { params: { billingCycleId } }, token);
  expect(report.rows.map((row) => [row.keyName, row.counted])).toEqual([
    ['one', 3],
    ['KEY-since-the-backup', 4],
  ]);
  expect(evidence.rows.map((row) => [row.keyName, row.calls])).toEqual([
    ['one', 3],
    ['KEY-since-the-backup', 4],
  ]);
  expect(evidence.counted).toBe(7);
});

test.each([
  ['2026-11-22', '2026-11-21', 422],
  ['2025-11-20', '2026-11-21', 422],
  ['2026-02-30', '2026-11-21', 400],
])('a report from %s to %s is refused', async (from, to, status) => {
  const token = await portal.newCustomer();
  expect((await portal.send(readUsageReport, { query: { from, to } }, token)).status).toBe(status);
});

test('the stream sends the usage at once and again when calls are counted, to the owner only', async () => {
  const { token, activationId, count } = await withKeys();
  const address = `${portal.portalUrl}/backend/devportal/services/${activationId}/usage/live`;
  expect((await fetch(address)).status).toBe(401);
  const stranger = await portal.newCustomer();
  expect((await fetch(address, { headers: { authorization: `Bearer ${stranger}` } })).status).toBe(404);

  const controller = new AbortController();
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` }, signal: controller.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const seen: number[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk);
      for (const [, data] of text.matchAll(/event: usage\ndata: (.*)\n\n/g)) {
        seen.push(usageEventSchema.parse(JSON.parse(data ?? '')).dailyUse.quotaUsed);
      }
      const end = text.lastIndexOf('\n\n');
      if (end >= 0) text = text.slice(end + 2);
    }
  })().catch(() => undefined);
  await expect.poll(() => seen).toEqual([0]);
  await count(3);
  await expect.poll(() => seen).toEqual([0, 3]);
  controller.abort();
  await reading;
});
