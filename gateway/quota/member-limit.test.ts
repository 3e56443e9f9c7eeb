import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import {
  activate,
  addKey,
  countStatuses,
  createCustomer,
  type Customer,
  type Harness,
  openHarness,
  startTestGateway,
  type TestResponse,
  usageOf,
} from '#gateway/test/world.ts';

let harness: Harness;
let others: Gateway[] = [];
beforeAll(async () => {
  harness = await openHarness();
  others = await Promise.all(
    [2, 3].map((index) => startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/${index}` })),
  );
});
afterAll(async () => {
  await Promise.all(others.map((gateway) => gateway.close()));
  await harness.close();
});

const urls = (): string[] => [harness.gateway, ...others].map(({ url }) => url);

/** A member with a limit, with two activations and two keys in each; and a key that the limit does not concern. */
async function limited(dailyLimit: number | null, daily = 1000) {
  const { pool } = harness.database;
  const first = await createCustomer(pool, { daily, status: 'PAID' });
  const found = await pool.query<{ customer: string }>(
    'select customer_id as customer from activations where id = $1',
    [first.activationId],
  );
  const customer = found.rows[0]?.customer ?? '';
  const second = await activate(pool, customer, { daily, status: 'PAID', service: 'invoicing-system' });
  const memberId = `MEM-${customer.slice(4)}`;
  await pool.query('update members set daily_limit = $2 where id = $1', [memberId, dailyLimit]);
  const keyOf = async ({ activationId }: Customer, api: string): Promise<MadeKey> => ({
    key: (await addKey(pool, activationId, { madeBy: memberId })).key,
    api,
  });
  const made = [keyOf(first, lookup), keyOf(first, lookup), keyOf(second, invoicing), keyOf(second, invoicing)];
  return { memberId, first, second, keys: await Promise.all(made), free: { key: first.key, api: lookup } };
}

const [lookup, invoicing] = ['tax-lookup', 'gst-invoicing'];

/** A key, and the API that it calls. */
interface MadeKey {
  key: string;
  api: string;
}

const burst = (calls: readonly (MadeKey & { url: string; path?: string })[]): Promise<TestResponse[]> =>
  Promise.all(calls.map(({ key, ...at }) => harness.call(key, at)));

/** Each key and gateway in turn. */
const spread = (keys: readonly MadeKey[], count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...(keys[index % keys.length] ?? { key: '', api: '' }),
    url: urls()[index % urls().length] ?? '',
  }));

async function changeLimit(
  memberId: string,
  dailyLimit: number | null,
  activations: readonly Customer[],
): Promise<void> {
  await harness.database.pool.query('update members set daily_limit = $2 where id = $1', [memberId, dailyLimit]);
  for (const { activationId } of activations)
    await harness.database.pool.query(`select pg_notify('access', 'activation ' || $1::text)`, [activationId]);
}

const countedOf = async (activations: readonly Customer[]): Promise<number> => {
  const counts = await Promise.all(activations.map((each) => usageOf(harness.database.pool, each.activationId)));
  return counts.reduce((sum, { counted }) => sum + counted, 0);
};

test('all keys of a member share a daily limit, exact over activations and gateways; other keys have the rest', async () => {
  const { first, second, keys, free } = await limited(37, 60);
  const responses = await burst(spread(keys, 120));
  expect(countStatuses(responses)).toEqual({ 200: 37, 429: 83 });
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.json).toMatchObject({
    'violated-policies': ['member'],
    message: expect.stringContaining('All 37 calls that all keys of one member may make on'),
  });
  expect(refused?.headers['ratelimit-policy']).toContain('"member";q=37;w=86400');
  expect(refused?.headers['ratelimit']).toContain('"member";r=0;');
  await expect.poll(() => countedOf([first, second])).toBe(37);
  const { counted } = await usageOf(harness.database.pool, first.activationId);
  expect(countStatuses(await burst(spread([free], 80)))).toEqual({ 200: 60 - counted, 429: 20 + counted });
});

test('a failure of the product gives its unit back to the limit, and a cap of a key holds beside it', async () => {
  const { first, keys, memberId } = await limited(3);
  const { key: capped } = await addKey(harness.database.pool, first.activationId, { madeBy: memberId, dailyCap: 1 });
  for (const call of spread(keys, 8))
    expect(countStatuses(await burst([{ ...call, path: '/status/500' }]))).toEqual({ 500: 1 });
  expect((await harness.call(capped)).status).toBe(200);
  expect((await harness.call(capped)).json).toMatchObject({ 'violated-policies': ['key'] });
  expect(countStatuses(await burst(spread(keys, 12)))).toEqual({ 200: 2, 429: 10 });
});

test('setting, lowering, raising and removing a limit reach the gateways, and count what was called before', async () => {
  const { first, second, keys, memberId } = await limited(null);
  const both = [first, second];
  const policies = (text: string) =>
    expect
      .poll(async () => {
        const asked = await burst(spread(keys, 12).map((call) => ({ ...call, path: '/status/500' })));
        return asked.every(({ headers }) => String(headers['ratelimit-policy']).includes(text));
      })
      .toBe(true);
  await burst(spread(keys, 24));
  await expect.poll(() => countedOf(both)).toBe(24);
  await changeLimit(memberId, 30, both);
  await policies('"member";q=30');
  expect(countStatuses(await burst(spread(keys, 12)))).toEqual({ 200: 6, 429: 6 });
  await changeLimit(memberId, 20, both);
  await policies('"member";q=20');
  expect(countStatuses(await burst(spread(keys, 12)))).toEqual({ 429: 12 });
  await changeLimit(memberId, 33, both);
  await policies('"member";q=33');
  expect(countStatuses(await burst(spread(keys, 12)))).toEqual({ 200: 3, 429: 9 });
  await changeLimit(memberId, null, both);
  await expect.poll(async () => countStatuses(await burst(spread(keys, 12))), { interval: 100 }).toEqual({ 200: 12 });
});

test('the limit stays with the keys of a member who was removed', async () => {
  const { keys, first, memberId } = await limited(4);
  const { pool } = harness.database;
  // A customer has exactly one owner.
  await pool.query(`begin;
    update members set role = 'developer' where id = '${memberId}';
    insert into members (id, customer_id, google_sub, email, name, given_name, family_name, picture, role, joined_at, opened_at)
      select id || '-2', customer_id, id || '-2', email, name, given_name, family_name, picture, 'owner', now(), now() from members where id = '${memberId}';
    update members set removed_at = now() where id = '${memberId}';
    commit`);
  expect(countStatuses(await burst(spread(keys, 12)))).toEqual({ 200: 4, 429: 8 });
  await expect.poll(() => usageOf(pool, first.activationId)).toMatchObject({ free: 0 });
});

test('one key may use all of the limit, whoever held units of it before', async () => {
  const { keys, first, second } = await limited(40);
  const [one, ...rest] = keys;
  expect(countStatuses(await burst(spread(rest, 9)))).toEqual({ 200: 9 });
  // Each gateway still holds units for the other keys.
  expect(countStatuses(await burst(spread(one ? [one] : [], 60)))).toEqual({ 200: 31, 429: 29 });
  await expect.poll(() => countedOf([first, second])).toBe(40);
});

test('random calls of limited and other keys at random gateways never exceed the limit, and all of it can be used', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.array(fc.record({ key: fc.nat(4), gateway: fc.nat(2) }), { minLength: 15, maxLength: 60 }), {
        minLength: 1,
        maxLength: 4,
      }),
      async (limit, bursts) => {
        const { keys, free, first, second } = await limited(limit);
        let [used, asked] = [0, 0];
        for (const calls of bursts) {
          const at = calls.map(({ key, gateway }) => ({
            ...(keys[key] ?? free),
            url: urls()[gateway] ?? '',
            isLimited: key < keys.length,
          }));
          const responses = await burst(at);
          const ofMember = responses.filter((_, index) => at[index]?.isLimited);
          expect(
            responses.filter((_, index) => at[index]?.isLimited === false).every(({ status }) => status === 200),
          ).toBe(true);
          used += ofMember.filter(({ status }) => status === 200).length;
          asked += ofMember.length;
          expect(used).toBe(Math.min(limit, asked));
        }
        const others = bursts.flat().length - asked;
        await expect.poll(() => countedOf([first, second])).toBe(used + others);
      },
    ),
    { numRuns: 12 },
  );
});
