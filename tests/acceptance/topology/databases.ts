import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '#shared/database/clients.ts';
import { type EmbeddedServer, removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { untilGone } from './supervised.ts';

/** PostgreSQL as the programs of a topology see it, and what may happen to it. */
export interface TopologyDatabase {
  /** Leads to whichever server leads. */
  databaseUrl: string;
  /** By name. */
  outages: ReadonlyMap<string, Outage>;
  stop: () => Promise<void>;
}

export interface Outage {
  /** Resolves when no server leads. */
  begin: () => Promise<void>;
  /** Resolves when one leads again. */
  end: () => Promise<void>;
  /** Afterwards: resolves when everything is as it was before. */
  mend?: () => Promise<void>;
}

export type StartDatabase = (folder: string) => Promise<TopologyDatabase>;

/** One PostgreSQL, which is killed with kill -9 and started again after `goneMs`. */
export function oneServer(goneMs: number): StartDatabase {
  return async (folder) => {
    const dataDir = join(folder, 'postgres');
    const start = (): Promise<EmbeddedServer> =>
      startEmbedded({ dataDir, logFile: join(folder, 'postgres.log'), durable: true });
    mkdirSync(dataDir);
    const running = { server: await start() };
    return {
      databaseUrl: running.server.databaseUrl,
      outages: new Map([
        [
          'kill PostgreSQL',
          {
            begin: async () => {
              process.kill(running.server.pid, 'SIGKILL');
              await untilGone([running.server.pid]);
              await sleep(goneMs);
            },
            end: async () => void (running.server = await start()),
          },
        ],
      ]),
      stop: () => removeEmbedded(dataDir),
    };
  };
}

const timeoutMs = 60_000;

/** Runs statements one by one; returns what the last one said. */
export async function ask(databaseUrl: string, ...statements: readonly string[]) {
  const client = openClient({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    let last = { rowCount: null as number | null };
    for (const statement of statements) last = await client.query(statement);
    return last;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Waits for something that may throw until then. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (let fault: unknown; !(await isSo().catch((error: unknown) => void (fault = error))); await sleep(50)) {
    if (performance.now() > deadline)
      throw new Error('PostgreSQL did not become what was waited for', { cause: fault });
  }
}
