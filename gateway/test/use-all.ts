import type { Pool } from 'pg';
import { expect } from 'vitest';
import { type Harness, countStatuses } from './world.ts';

/** The units that several gateways share, and the calls of a burst, each of one unit. */
interface Shared {
  quota: number;
  calls: number;
}

/**
 * Makes a burst of calls on gateways that share a quota, and returns how many were answered: as many as the quota allows. If a lease may have ended
 * during the burst (`heldUp`), others may have refused calls, since they don't wait for its units: then single calls must get the rest.
 */
export async function useAll(
  harness: Pick<Harness, 'database' | 'call'>,
  key: string,
  urls: readonly string[],
  { quota, calls }: Shared,
  burst: () => Promise<number[]>,
): Promise<{ statuses: number[]; heldUp: boolean; used: number }> {
  const startedAt = performance.now();
  const leaseMs = await shortestLeaseMs(harness.database.pool);
  const statuses = await burst();
  const heldUp = performance.now() - startedAt >= leaseMs;
  const { 200: answered = 0, 429: refused = 0 } = countStatuses(statuses.map((status) => ({ status })));
  expect(answered + refused).toBe(calls);
  const isAnswered = async (url: string) => (await harness.call(key, { url })).status === 200;
  let used = answered;
  const useRest = async (): Promise<number> => {
    for (const url of urls) if (used < Math.min(quota, calls) && (await isAnswered(url))) used += 1;
    return used;
  };
  if (heldUp) await expect.poll(useRest).toBeGreaterThanOrEqual(Math.min(quota, calls));
  const exhausted = used < quota ? [] : urls;
  for (const url of exhausted) expect(await isAnswered(url)).toBe(false);
  return { statuses, heldUp, used };
}

/** How long the leases of all running gateways last at least. */
async function shortestLeaseMs(pool: Pool): Promise<number> {
  const leases = await pool.query<{ ms: number }>(
    `select (extract(epoch from min(lease_until) - clock_timestamp()) * 1000)::float8 as ms from gateways where lease_until > '-infinity'`,
  );
  return leases.rows[0]?.ms ?? 0;
}
