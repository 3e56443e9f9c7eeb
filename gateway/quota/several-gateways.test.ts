import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { newSeed, playShape, seededRandom, shapes } from '#gateway/test/load.ts';
import { useAll } from '#gateway/test/use-all.ts';
import {
  createCustomer,
  createTempDir,
  type Harness,
  openHarness,
  startTestGateway,
  countStatuses,
  usageOf,
} from '#gateway/test/world.ts';

let harness: Harness;
let others: Gateway[] = [];
beforeAll(async () => {
  harness = await openHarness();
  others = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/${index + 2}` }),
    ),
  );
});
afterAll(async () => {
  await Promise.all(others.map((gateway) => gateway.close()));
  await harness.close();
});

const allUrls = (): string[] => [harness.gateway.url, ...others.map(({ url }) => url)];
const urls = (): string[] => allUrls().slice(0, 3);

test.each([
  // Quota, total calls, share of the first gateway.
  ['few units, even traffic', 50, 200, 1 / 3],
  ['few units, traffic on one gateway first', 100, 300, 0.9],
  ['more units than calls', 400, 300, 1 / 3],
  ['as many units as calls', 300, 300, 0.5],
])('%s: 0 over and 0 under', async (_case, quota, calls, share) => {
  for (let round = 0; round < 5; round += 1) {
    const customer = await createCustomer(harness.database.pool, { daily: quota });
    const [first = '', ...rest] = urls();
    const burst = async () => {
      const responses = await Promise.all(
        Array.from({ length: calls }, (_, index) => {
          const url = index < calls * share ? first : (rest[index % rest.length] ?? first);
          return harness.call(customer.key, { url });
        }),
      );
      return responses.map(({ status }) => status);
    };
    const { used } = await useAll(harness, customer.key, urls(), { quota, calls }, burst);
    expect(used).toBe(Math.min(quota, calls));
  }
});

test('sequential calls over all gateways use every unit, and then get 429', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 25, monthly: 1000 });
  const callInTurn = async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 30; index += 1) {
      const url = urls()[index % 3] ?? '';
      statuses.push((await harness.call(customer.key, { url })).status);
    }
    return statuses;
  };
  const { statuses, heldUp, used } = await useAll(harness, customer.key, urls(), { quota: 25, calls: 30 }, callInTurn);
  expect(used).toBe(25);
  const inOrder = [...Array<number>(25).fill(200), ...Array<number>(5).fill(429)];
  expect(heldUp ? inOrder : statuses).toEqual(inOrder);
  await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 25, free: 0 });
});

test('a silent gateway that holds units delays a refusal, and no unit is used twice', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { daily: 10 });
  await pool.query(`insert into journals (id, position) values ('silent', 0)`);
  await pool.query(
    `insert into gateways (journal_id, started_at, lease_until) values ('silent', now(), clock_timestamp() + interval '1 minute')`,
  );
  const day = (await pool.query<{ day: string }>(`select (now() at time zone 'Asia/Kolkata')::date as day`)).rows[0]
    ?.day;
  await pool.query(`select take_quota('silent', $1, $2, $3, '', 4, 1, 'x')`, [
    customer.activationId,
    customer.cycleId,
    day,
  ]);
  const data = createTempDir();
  const gateway = await startTestGateway({ ...harness.setup, dataDir: data.path });
  const call = () => harness.call(customer.key, { url: gateway.url });
  const responses = await Promise.all(Array.from({ length: 12 }, call));
  expect(countStatuses(responses)).toEqual({ 200: 6, 429: 6 });
  await pool.query(`select release_quota('silent', $1, '{}')`, [
    JSON.stringify([{ activation: customer.activationId, cycle: customer.cycleId, day, keep: 0 }]),
  ]);
  await pool.query(`delete from gateways where journal_id = 'silent'`);
  await sleep(600);
  const rest = await Promise.all(Array.from({ length: 6 }, call));
  expect(countStatuses(rest)).toEqual({ 200: 4, 429: 2 });
  await gateway.close();
  data.remove();
});

test.each(shapes.filter(({ nodes, units, requests }) => nodes === 5 || units === 1 || units === requests))(
  'a burst on $nodes gateways, $units units, cost $cost, $requests requests: 0 over and 0 under',
  async (shape) => {
    const customer = await createCustomer(harness.database.pool, { daily: shape.units, rps: 100_000 });
    const random = seededRandom(newSeed());
    const gateways = allUrls().slice(0, shape.nodes);
    const total = { quota: shape.units, calls: shape.requests * shape.cost };
    const { used } = await useAll(harness, customer.key, gateways, total, async () => {
      const tally = await playShape(shape, 'skewed', gateways, customer.key, harness.agent, random);
      return Object.entries(tally).flatMap(([status, count]) => Array<number>(count).fill(Number(status)));
    });
    expect(used).toBe(shape.units);
  },
);
