import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Harness, openHarness } from '#gateway/test/world.ts';
import { createMetrics } from '#shared/platform/metrics.ts';
import { CallMetrics } from './call-metrics.ts';

const metrics = createMetrics();
let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ metrics });
});
afterAll(() => harness.close());

/** The value of the sample that starts with these words. */
async function valueOf(sample: string): Promise<number | undefined> {
  const line = (await metrics.metrics()).split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length).split(' ', 2)[1]);
}

const finishedCall = (requestId: string, at: number) => ({ requestId, at, access: { serviceId: 'p' } });

const calls = (outcome: string) =>
  valueOf(`octroi_call_duration_seconds_count{product="tax-lookup-api",outcome="${outcome}"}`);

test('each call of a key is counted once by its outcome, and refusals by their code', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 3 });
  for (let call = 0; call < 5; call += 1) await harness.call(customer.key);
  expect(await calls('answered')).toBe(3);
  expect(await calls('refused')).toBe(2);
  expect(await valueOf('octroi_refusals_total{code="quota-exceeded"}')).toBe(2);
  await harness.call('not a key');
  expect(await valueOf('octroi_refusals_total{code="key-malformed"}')).toBe(1);
  expect(await calls('refused')).toBe(2);
});

test('a failure of the product is an outcome of its own', async () => {
  const customer = await createCustomer(harness.database.pool);
  await harness.call(customer.key, { path: '/status/500' });
  expect(await calls('failed')).toBe(1);
});

test('queues, journal, pool and upstreams have numbers', async () => {
  const customer = await createCustomer(harness.database.pool);
  await harness.call(customer.key);
  await expect.poll(() => valueOf('octroi_journal_uncounted_lines')).toBe(0);
  await expect.poll(() => valueOf('octroi_journal_healthy')).toBe(1);
  await expect.poll(() => valueOf('octroi_counting_healthy')).toBe(1);
  await expect.poll(() => valueOf('octroi_access_trusted')).toBe(1);
  await expect.poll(() => valueOf('octroi_database_connections{state="waiting"}')).toBe(0);
  await expect
    .poll(() => valueOf('octroi_upstream_calls{product="tax-lookup-api",sandbox="no",state="running"}'))
    .toBe(0);
  await expect.poll(() => valueOf('octroi_request_log_waiting_calls')).toBe(0);
  expect(await valueOf('octroi_request_log_dropped_calls_total')).toBe(0);
});

test('buckets are cumulative, and each has a request id as its exemplar, at most one a second', async () => {
  const own = createMetrics();
  const measured = new CallMetrics();
  measured.register(own);
  measured.ended(finishedCall('first', 1000), 'answered', 3);
  measured.ended(finishedCall('second', 1500), 'answered', 4);
  measured.ended(finishedCall('slow', 1600), 'answered', 40_000);
  const page = await own.metrics();
  const bucket = (le: string) => page.split('\n').find((line) => line.includes(`le="${le}"`)) ?? '';
  expect(page).toContain('# TYPE octroi_call_duration_seconds histogram');
  expect(bucket('0.0025')).toMatch(/ 0$/);
  expect(bucket('0.005')).toMatch(/ 2 # \{request_id="first"\} 0\.003 1$/);
  expect(bucket('30')).toMatch(/ 2$/);
  expect(bucket('+Inf')).toMatch(/ 3 # \{request_id="slow"\} 40 1\.6$/);
  expect(page).toContain('octroi_call_duration_seconds_sum{product="p",outcome="answered"} 40.007');
});
