import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCustomers } from './customers.ts';
import { makeKeys } from './growth.ts';
import { type Load, type LoadResult, pace, type PacedLoad, saturate } from './load.ts';
import { markdownTable, median, shown } from './numbers.ts';
import { startDatabase, startGatewayProgram } from './octroi.ts';
import { unlimited } from './peer.ts';
import { plainProxy } from './peers/node-programs.ts';

export interface OverloadPlan {
  seconds: number;
  /** How long the triple load lasts, in seconds. */
  floodSeconds: number;
  productPort: number;
  folder: string;
  /** Peers that are measured. */
  port: number;
  say: (line: string) => void;
}

/**
 * The connections of a few busy customers, and slightly fewer than Linux's listen backlog, so that the system rejects
 * none.
 */
const crowds = [200, 4000];
const times = 3;
const watchedSeconds = 5;

/**
 * Three times as many calls as the gateway can carry: how many still get a response, and how soon the latency recovers.
 * Beside it a plain proxy under the same load, since thousands of connections alone make each call more expensive.
 */
export async function measureOverload({
  seconds,
  floodSeconds,
  productPort,
  folder,
  port,
  say,
}: OverloadPlan): Promise<string> {
  const dataDir = join(folder, 'overload');
  const database = await startDatabase(dataDir);
  const keys = makeKeys(20);
  await createCustomers(database.databaseUrl, keys, unlimited);
  const gateway = await startGatewayProgram({ port, productPort, databaseUrl: database.databaseUrl, dataDir });
  try {
    const rows = await overload({ port, keys, connections: 50, seconds, folder }, floodSeconds, 'Octroi', say);
    const place = { port: port + 1, productPort, openKeys: keys, limitedKeys: [], quota: unlimited };
    const plainFolder = join(folder, 'overload-plain');
    mkdirSync(plainFolder, { recursive: true });
    const plain = await plainProxy.start({ ...place, folder: plainFolder });
    try {
      const load: Load = { port: place.port, keys, connections: 50, seconds, folder: plainFolder };
      rows.push(...(await overload(load, floodSeconds, plainProxy.name, say)));
    } finally {
      await plain.stop();
    }
    return markdownTable(['Calls/s', 'Responses/s', 'Shed with 503/s', 'p50 / p99, ms', 'Share of peak'], rows);
  } finally {
    await gateway.end();
    await database.stop();
  }
}

interface Flood {
  crowd: number;
  /** The cost of the connections alone: the highest rate when callers ask for no more than the peak. */
  full: PacedLoad;
  flood: PacedLoad;
}

async function overload(load: Load, length: number, name: string, say: OverloadPlan['say']): Promise<string[][]> {
  const { seconds } = load;
  const threeTimes = async (): Promise<LoadResult[]> => [
    await saturate(load),
    await saturate(load),
    await saturate(load),
  ];
  await threeTimes();
  const peaks = await threeTimes();
  const before = median(peaks.map(({ perSecond }) => perSecond));
  const calm = await pace(load, before / 2);
  say(`${name}: peak ${shown(before)} calls/s; at half of that p99 is ${shown(calm.p99Ms)} ms`);
  const floods: Flood[] = [];
  for (const crowd of crowds) {
    floods.push({
      crowd,
      full: await pace({ ...load, connections: crowd }, before),
      flood: await pace({ ...load, connections: crowd, seconds: length }, before * times),
    });
    say(`${name}: all ${crowd} callers have stopped`);
  }
  const after: string[] = [];
  for (let second = 0; second < watchedSeconds; second += 1) {
    after.push(shown((await pace({ ...load, seconds: 1 }, before / 2)).p99Ms));
  }
  // A shared machine is not as fast after half a minute as it was before.
  peaks.push(...(await threeTimes()));
  const peak = median(peaks.map(({ perSecond }) => perSecond));
  return [
    [
      `${name}: at its peak, ${load.connections} connections, before and after`,
      shown(peak),
      '–',
      `${shown(median(peaks.map(({ p50Ms }) => p50Ms)))} / ${shown(median(peaks.map(({ p99Ms }) => p99Ms)))}`,
      '1.00',
    ],
    ['At half of the peak', shown(calm.completed / seconds), '–', `${shown(calm.p50Ms)} / ${shown(calm.p99Ms)}`, '–'],
    ...floods.flatMap(({ crowd, full, flood }) => [
      crowdRow(`As much as the peak, ${crowd} connections`, full, seconds, peak),
      crowdRow(`${times} times the peak, ${crowd} connections, ${length} s`, flood, length, peak),
    ]),
    ['Back at half, second by second', '–', '–', `p99: ${after.join(', ')}`, '–'],
  ];
}

function crowdRow(what: string, load: PacedLoad, seconds: number, peak: number): string[] {
  return [
    what,
    shown(load.completed / seconds),
    shown(load.shed / seconds),
    `${shown(load.p50Ms)} / ${shown(load.p99Ms)}`,
    shown(load.completed / seconds / peak),
  ];
}
