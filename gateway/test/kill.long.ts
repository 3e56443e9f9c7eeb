import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort, type GatewayProcess, spawnGateway, spawnWithRetries } from './process.ts';
import { callOnce, createProgress, newSeed, say, seededRandom } from './storm.ts';
import {
  createCustomer,
  createTempDir,
  findQuotaMismatches,
  type GatewaySetup,
  type Harness,
  openHarness,
  usageOf,
} from './world.ts';

/** Killed -9 at a thousand random moments (ROUNDS) under load; one in ten successors is killed as well while it starts. */
const rounds = Number(process.env['ROUNDS'] ?? 1000);
const lanes = 5;
const callersCount = 20;
const longestPauseMs = 50;
const longestStartMs = 900;
const data = createTempDir();
let harness: Harness;

beforeAll(async () => {
  harness = await openHarness();
});
afterAll(async () => {
  await harness.close();
  data.remove();
});

test('after every kill -9, what was answered is what was counted', async () => {
  const random = seededRandom(newSeed());
  const progress = createProgress('kill -9', rounds);
  const { pool } = harness.database;
  const unexpected = new Set<number>();
  const total = { killed: 0, begun: 0, answered: 0, counted: 0, open: 0, killedWhileStarting: 0 };

  /** Load from the moment it is ready to the kill: how many calls were answered, and how many had no answer yet. */
  const liveAndDie = async (gateway: GatewayProcess, key: string): Promise<{ answered: number; open: number }> => {
    const agent = new Agent({ connections: callersCount });
    const life = { answered: 0, open: 0 };
    const caller = async (): Promise<void> => {
      for (;;) {
        const status = await callOnce(gateway.url, key, agent).catch(() => undefined);
        if (status === undefined) {
          life.open += 1;
          return;
        }
        if (status === 200) life.answered += 1;
        else if (status === 503) await sleep(10);
        else unexpected.add(status);
      }
    };
    const callers = Array.from({ length: callersCount }, caller);
    // Anywhere from the first call to the 150th and some time after it, however slow the machine is.
    const enough = Math.floor(random() * 150);
    await vi.waitUntil(() => life.answered >= enough, { interval: 1, timeout: 120_000 });
    await sleep(random() * longestPauseMs);
    await gateway.kill();
    await Promise.all(callers);
    await agent.destroy();
    return life;
  };

  /** Killed before or after it has counted what the last one left. */
  const dieStarting = async (setup: GatewaySetup, port: number): Promise<void> => {
    const dying = spawnGateway(setup, port, (child) => {
      setTimeout(() => child.kill('SIGKILL'), random() * longestStartMs);
    });
    const gateway = await dying.catch(() => undefined);
    await gateway?.kill();
    total.killedWhileStarting += 1;
  };

  /** One gateway's lives, one after the other, on the same journal; each successor counts what the one before left. */
  const lane = async (_: unknown, index: number): Promise<void> => {
    const customer = await createCustomer(pool, { daily: 100_000_000, monthly: 1_000_000_000, rps: 100_000 });
    const setup = { ...harness.setup, dataDir: `${data.path}/${index}` };
    const port = await freePort();
    let countedBefore = 0;
    let gateway = await spawnWithRetries(setup, port);
    while (total.begun < rounds) {
      total.begun += 1;
      const { answered, open } = await liveAndDie(gateway, customer.key);
      if (total.begun % 10 === 0) await dieStarting(setup, port);
      gateway = await spawnWithRetries(setup, port);
      const { counted } = await usageOf(pool, customer.activationId);
      // A call without an answer may have been on its way back: it is counted once or not at all.
      expect(counted - countedBefore).toBeGreaterThanOrEqual(answered);
      expect(counted - countedBefore).toBeLessThanOrEqual(answered + open);
      total.killed += 1;
      total.answered += answered;
      total.open += open;
      total.counted += counted - countedBefore;
      countedBefore = counted;
      const late = total.counted - total.answered;
      progress(
        total.killed,
        `, ${total.answered} answered, ${total.counted} counted (${late} of the ${total.open} calls that were open at a kill): 0 lost, 0 double`,
      );
    }
    expect(await gateway.stop()).toBe(0);
    const held = await pool.query('select * from leases where activation_id = $1', [customer.activationId]);
    expect(held.rows).toEqual([]);
  };

  await Promise.all(Array.from({ length: lanes }, lane));
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
  // 503 is an honest answer of a busy machine; anything else would not be.
  expect([...unexpected]).toEqual([]);
  expect(total.answered).toBeGreaterThan(rounds * 20);
  say(`killed ${total.killed} times under load, and ${total.killedWhileStarting} times while starting`);
});
