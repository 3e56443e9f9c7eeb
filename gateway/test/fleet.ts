import { Agent } from 'undici';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '#shared/platform/free-ports.ts';
import { type GatewayProcess, spawnWithRetries } from './process.ts';
import { createTempDir, type Harness, openHarness } from './world.ts';

/** Gateways in separate processes that share one database. Filled before the first test. */
export interface Fleet {
  harness: Harness;
  urls: string[];
  agent: Agent;
}

/** Starts `size` gateway processes before the tests of this file and stops them afterwards. `connections`: per gateway, at most. */
export function useFleet(size: number, connections: number): () => Fleet {
  const data = createTempDir();
  const agent = new Agent({ connections });
  const gateways: GatewayProcess[] = [];
  let harness: Harness | undefined;
  beforeAll(async () => {
    harness = await openHarness();
    for (let index = 0; index < size; index += 1) {
      gateways.push(await spawnWithRetries({ ...harness.setup, dataDir: `${data.path}/${index}` }, await freePort()));
    }
  });
  afterAll(async () => {
    await agent.close();
    await Promise.all(gateways.map(({ stop }) => stop()));
    await harness?.close();
    data.remove();
  });
  return () => {
    if (!harness) throw new Error('the gateways are not started yet');
    return { harness, urls: gateways.map(({ url }) => url), agent };
  };
}
