import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from '#shared/database/embedded.ts';
import { isAlive } from '#shared/database/postmaster.ts';

export interface KeptDatabase {
  databaseUrl: string;
  port: number;
  stop: () => Promise<void>;
}

const lookEveryMs = 1_000;

/**
 * Starts the embedded PostgreSQL and keeps it running: when it dies it is restarted on the same port, where the other
 * processes find it again. `lost` is called when that is not possible.
 */
export async function keepDatabase(given: EmbeddedOptions, lost: (reason: string) => void): Promise<KeptDatabase> {
  const options = { ...given, isKeeper: true };
  const state: { server: EmbeddedServer; watching: boolean } = { server: await startEmbedded(options), watching: true };
  const { port, databaseUrl } = state.server;
  const watch = async (): Promise<void> => {
    while (state.watching) {
      await sleep(lookEveryMs, undefined, { ref: false });
      if (!state.watching || isAlive(state.server.pid)) continue;
      options.tell?.('PostgreSQL ended unexpectedly; restarting it.');
      state.server = await startEmbedded(options);
      if (state.server.port !== port) throw new Error(`its port ${port} was taken by another program meanwhile.`);
    }
  };
  watch().catch((error: unknown) =>
    lost(`PostgreSQL is gone: ${error instanceof Error ? error.message : String(error)}`),
  );
  return {
    databaseUrl,
    port,
    stop: async () => {
      state.watching = false;
      await state.server.stop();
    },
  };
}
