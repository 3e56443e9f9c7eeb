import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '#shared/platform/free-ports.ts';
import { callOnce, createProgress, newSeed, print, seededRandom } from './load.ts';
import { type GatewayProcess, spawnGateway, spawnWithRetries } from './process.ts';
import { findQuotaMismatches } from './quota-mismatches.ts';
import { createCustomer, createTempDir, type GatewaySetup, type Harness, openHarness, usageOf } from './world.ts';

/** kill -9 at a thousand random moments (ROUNDS) under load; one in ten new processes is also killed while it starts. */
const rounds = Number(process.env['ROUNDS'] ?? 1000);
const lanes = 5;
const callersCount = 20;
const maxPauseMs = 50;
const maxStartMs = 900;
const data = createTempDir();
let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
});
afterAll(async () => {
  await harness.close();
  data.remove();
});

test('after every kill -9, every call with a response is counted once', async () => {
  const random = seededRandom(newSeed());
  const progress = createProgress('kill -9', rounds);
  const { pool } = harness.database;
  const unexpected = new Set<number>();
  const total = { killed: 0, begun: 0, succeeded: 0, counted: 0, open: 0, killedWhileStarting: 0 };

  /** Runs load until the kill; returns the calls that succeeded and those that were still open. */
  const loadAndKill = async (gateway: GatewayProcess, key: string): Promise<{ succeeded: number; open: number }> => {
    const agent = new Agent({ connections: callersCount });
    const result = { succeeded: 0, open: 0 };
    const caller = async (): Promise<void> => {
      for (;;) {
        const status = await callOnce(gateway.url, key, agent).catch(() => undefined);
        if (status === undefined) {
          result.open += 1;
          return;
        }
        if (status === 200) result.succeeded += 1;
        else if (status === 503) await sleep(10);
        else unexpected.add(status);
      }
    };
    const callers = Array.from({ length: callersCount }, caller);
    // A random moment from the first call to some time after the 150th, on a machine of any speed.
    const killAfter = Math.floor(random() * 150);
    await vi.waitUntil(() => result.succeeded >= killAfter, { interval: 1, timeout: 120_000 });
    await sleep(random() * maxPauseMs);
    await gateway.kill();
    await Promise.all(callers);
    await agent.destroy();
    return result;
  };

  /** Kills a process while it starts, before or after it has counted the journal. */
  const killWhileStarting = async (setup: GatewaySetup, port: number): Promise<void> => {
    const dying = spawnGateway(setup, port, (child) => {
      setTimeout(() => child.kill('SIGKILL'), random() * maxStartMs);
    });
    const gateway = await dying.catch(() => undefined);
    await gateway?.kill();
    total.killedWhileStarting += 1;
  };

  /** Starts and kills processes on the same journal; each one counts what the previous one left. */
  const lane = async (_: unknown, index: number): Promise<void> => {
    const customer = await createCustomer(pool, { daily: 100_000_000, monthly: 1_000_000_000, rps: 100_000 });
    const setup = { ...harness.setup, dataDir: `${data.path}/${index}` };
    const port = await freePort();
    let countedBefore = 0;
    let gateway = await spawnWithRetries(setup, port);
    while (total.begun < rounds) {
      total.begun += 1;
      const { succeeded, open } = await loadAndKill(gateway, customer.key);
      if (total.begun % 10 === 0) await killWhileStarting(setup, port);
      gateway = await spawnWithRetries(setup, port);
      const { counted } = await usageOf(pool, customer.activationId);
      // An open call may have been on its way back: it is counted once or not at all.
      expect(counted - countedBefore).toBeGreaterThanOrEqual(succeeded);
      expect(counted - countedBefore).toBeLessThanOrEqual(succeeded + open);
      total.killed += 1;
      total.succeeded += succeeded;
      total.open += open;
      total.counted += counted - countedBefore;
      countedBefore = counted;
      const late = total.counted - total.succeeded;
      progress(
        total.killed,
        `, ${total.succeeded} succeeded, ${total.counted} counted (${late} of the ${total.open} calls that were open at a kill): 0 lost, 0 double`,
      );
    }
    expect(await gateway.stop()).toBe(0);
    const held = await pool.query('select * from leases where activation_id = $1', [customer.activationId]);
    expect(held.rows).toEqual([]);
  };

  await Promise.all(Array.from({ length: lanes }, lane));
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
  // A busy machine may respond with 503, but with no other error.
  expect([...unexpected]).toEqual([]);
  expect(total.succeeded).toBeGreaterThan(rounds * 20);
  print(`killed ${total.killed} times under load, and ${total.killedWhileStarting} times while starting`);
});
