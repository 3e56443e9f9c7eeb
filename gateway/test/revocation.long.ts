import { expect, test } from 'vitest';
import { revokeKey } from './access.ts';
import { useFleet } from './fleet.ts';
import { callOnce, createProgress, keepCalling, newSeed, pickGateway, print, seededRandom } from './load.ts';
import { addKey, createCustomer } from './world.ts';

/** Ten thousand revocations (ROUNDS), by four customers at a time, while three processes are under load. */
const rounds = Number(process.env['ROUNDS'] ?? 10_000);
const lanes = 4;
const fleet = useFleet(3, 200);

test('no process accepts a call that starts after its key was revoked', async () => {
  const { harness, agent, urls } = fleet();
  const random = seededRandom(newSeed());
  const progress = createProgress('revocations', rounds);
  const { pool } = harness.database;
  const plan = { daily: 100_000_000, monthly: 1_000_000_000, rps: 100_000 };
  const bystander = await createCustomer(pool, plan);
  let begun = 0;
  let done = 0;
  let before = 0;
  let after = 0;
  let late = 0;
  let refusedOthers = 0;
  const waitsMs: number[] = [];

  /** Uses one key on every process, revokes it while it is in use, and tries it again on every process. */
  const playKey = async (activationId: string): Promise<void> => {
    const { key, keyId } = await addKey(pool, activationId);
    let revoked = false;
    const callUntilRefused = async (url: string): Promise<void> => {
      for (;;) {
        const startedAfter = revoked;
        const status = await callOnce(url, key, agent);
        if (status === 200 && startedAfter) late += 1;
        if (status === 200 && !startedAfter) before += 1;
        if (startedAfter) {
          after += 1;
          return;
        }
      }
    };
    // Every process has cached the key before it is revoked.
    for (const status of await Promise.all(urls.map((url) => callOnce(url, key, agent)))) expect(status).toBe(200);
    const callers = urls.map(callUntilRefused);
    const started = performance.now();
    expect(await revokeKey(harness.database, activationId, keyId)).toBe(true);
    revoked = true;
    waitsMs.push(performance.now() - started);
    await Promise.all(callers);
  };

  const lane = async (): Promise<void> => {
    const { activationId } = await createCustomer(pool, plan);
    while (begun < rounds) {
      begun += 1;
      await playKey(activationId);
      done += 1;
      progress(done, `, ${late} accepted late`);
    }
  };
  const load = keepCalling(4, async () => {
    if ((await callOnce(pickGateway(urls, 'even', random), bystander.key, agent)) !== 200) refusedOthers += 1;
  });
  await Promise.all(Array.from({ length: lanes }, lane));
  await load.stop();
  waitsMs.sort((a, b) => a - b);
  const at = (share: number): string => `${(waitsMs[Math.floor(waitsMs.length * share)] ?? 0).toFixed(1)} ms`;
  print(
    `${done} revocations: ${before} calls accepted before, ${after} made after it, ${late} of them accepted; a revocation took ${at(0.5)} (p50), ${at(0.99)} (p99), ${at(0.9999)} at most`,
  );
  expect({ late, refusedOthers }).toEqual({ late: 0, refusedOthers: 0 });
  expect(before).toBeGreaterThanOrEqual(rounds);
});
