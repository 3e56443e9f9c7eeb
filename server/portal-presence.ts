import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Db } from '#shared/database/connect.ts';
import type { Log } from '#shared/platform/log.ts';
import { differingSettings, givenToPortal } from './document-settings.ts';
import { enterPortal, leavePortal, readPortals, renewMs } from './running-portals.ts';

/** How this portal stands to the others that run on its database. */
export interface PortalPresence {
  /** How many run, and the settings of documents and rules in which they differ. */
  compare: (db: Db) => Promise<{ running: number; differing: string[] }>;
  stop: () => Promise<void>;
}

/**
 * Enters this portal among those that run, and says in the log when their settings begin and cease to differ. It goes on issuing documents:
 * which of them has the right settings nobody can know, and a plan that was paid for starts.
 */
export async function joinPortals(db: Db, env: Record<string, string | undefined>, log: Log): Promise<PortalPresence> {
  const own = { id: randomUUID(), name: `${hostname()}:${process.pid}`, given: givenToPortal(env) };

  const read = async (from: Db) => {
    const portals = await readPortals(from, own.id);
    const differing = [...new Set(portals.flatMap(({ given }) => differingSettings(own.given, given)))];
    return { portals, differing };
  };

  let logged = '[]';
  const follow = async (): Promise<void> => {
    await enterPortal(db, own);
    const { portals, differing } = await read(db);
    const now = JSON.stringify(differing);
    if (now === logged) return;
    if (differing.length > 0)
      log.error(
        { differing, portals: portals.map(({ name }) => name) },
        'portals have different settings of documents or rules: give all the same, and restart them',
      );
    else log.info('all portals have the same settings of documents and rules');
    logged = now;
  };
  await follow();

  let following: Promise<void> | undefined;
  const timer = setInterval(() => {
    following ??= follow()
      .catch((error: unknown) => log.warn({ err: error }, 'this portal could not renew its entry among the portals'))
      .finally(() => (following = undefined));
  }, renewMs).unref();
  return {
    compare: async (from) => {
      const { portals, differing } = await read(from);
      return { running: portals.length, differing };
    },
    stop: async () => {
      clearInterval(timer);
      await following;
      await leavePortal(db, own.id).catch(() => undefined);
    },
  };
}
