import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeApiKey } from '#shared/domain/api-key.ts';
import { createCustomers } from './customers.ts';
import { saturate } from './load.ts';
import { markdownTable, median, shown } from './numbers.ts';
import { startDatabase, startGatewayProgram } from './octroi.ts';
import { unlimited } from './peer.ts';
import { memory, type Program, processorTime } from './processes.ts';

export interface GrowthPlan {
  rounds: number;
  seconds: number;
  productPort: number;
  folder: string;
  firstPort: number;
  /** The number of keys at the end: a million, fewer in a trial. */
  mostKeys: number;
  say: (line: string) => void;
}

interface Case {
  name: string;
  processes: number;
  keys: readonly string[];
}

export function makeKeys(count: number): string[] {
  return Array.from({ length: count }, () => makeApiKey(randomBytes(90)));
}

/** How the gateway scales: more processes, more keys in use, one constantly calling customer among many. */
export async function measureGrowth(plan: GrowthPlan): Promise<string> {
  const { rounds, seconds, folder, firstPort, productPort, mostKeys, say } = plan;
  const database = await startDatabase(join(folder, 'growth'));
  let gateways: Program[] = [];
  const rows: string[][] = [];
  const startGateways = async (count: number): Promise<void> => {
    await Promise.all(gateways.map(({ end }) => end()));
    gateways = [];
    for (let index = 0; index < count; index += 1) {
      const dataDir = join(folder, 'growth', `gateway-${index}`);
      gateways.push(
        await startGatewayProgram({ port: firstPort + index, productPort, databaseUrl: database.databaseUrl, dataDir }),
      );
    }
  };

  const measure = async ({ name, processes, keys }: Case): Promise<void> => {
    if (gateways.length !== processes) await startGateways(processes);
    const ports = gateways.map((_, index) => firstPort + index);
    const pids = [...gateways.map(({ pid }) => pid), database.pid];
    const perSecond: number[] = [];
    const microseconds: number[] = [];
    const ofPostgres: number[] = [];
    const p99Ms: number[] = [];
    let faults = 0;
    const load = (length: number) =>
      Promise.all(
        ports.map((port) => saturate({ port, keys, connections: Math.ceil(50 / processes), seconds: length, folder })),
      );
    // Each process has its own compiler, and they share one core.
    await load(8 * processes);
    for (let round = 0; round < rounds; round += 1) {
      const before = processorTime(pids);
      const postgresBefore = processorTime([database.pid]);
      const results = await load(seconds);
      const calls = results.reduce((sum, each) => sum + each.calls, 0);
      microseconds.push((processorTime(pids) - before) / calls);
      ofPostgres.push((processorTime([database.pid]) - postgresBefore) / calls);
      perSecond.push(results.reduce((sum, each) => sum + each.perSecond, 0));
      p99Ms.push(Math.max(...results.map((each) => each.p99Ms)));
      faults += results.reduce((sum, each) => sum + each.faults, 0);
    }
    const numbers = [microseconds, ofPostgres, perSecond, p99Ms].map((values) => shown(median(values)));
    rows.push([name, ...numbers, shown(memory(gateways.map(({ pid }) => pid)) / processes), String(faults)]);
    say(rows.at(-1)?.join(', ') ?? '');
  };

  try {
    const ten = makeKeys(10);
    await createCustomers(database.databaseUrl, ten, unlimited);
    for (const processes of [1, 2, 4]) {
      await measure({
        name: `${processes} ${processes === 1 ? 'process' : 'processes'}, 10 keys`,
        processes,
        keys: ten,
      });
    }
    const many = makeKeys(Math.min(10_000, mostKeys) - ten.length);
    await createCustomers(database.databaseUrl, many, unlimited);
    const tenThousand = [...ten, ...many];
    await measure({ name: `1 process, ${tenThousand.length} keys`, processes: 1, keys: tenThousand });
    say(`creating ${mostKeys} keys`);
    const most = makeKeys(mostKeys - tenThousand.length);
    await createCustomers(database.databaseUrl, most, unlimited);
    const among = `among ${mostKeys} keys`;
    await measure({ name: `1 process, 1 customer calls constantly, ${among}`, processes: 1, keys: most.slice(0, 1) });
    await measure({ name: `1 process, 1,000 customers call, ${among}`, processes: 1, keys: most.slice(0, 1000) });
    // Nearly every call is the first one of its key.
    await measure({ name: `1 process, all of ${mostKeys} keys call`, processes: 1, keys: most });
    return markdownTable(
      ['Case', 'µs per call', 'of it PostgreSQL', 'Calls/s', 'p99 ms', 'MB per process', 'Errors'],
      rows,
    );
  } finally {
    await Promise.all(gateways.map(({ end }) => end()));
    await database.stop();
  }
}
