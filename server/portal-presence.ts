import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Log } from '#shared/platform/log.ts';
import { differingSettings, givenToPortal } from './document-settings.ts';
import { enterPortal, leavePortal, readPortals, renewMs } from './running-portals.ts';

/** How this portal stands to the others that run on its database. */
export interface PortalPresence {
  /** The settings of documents that differ between running portals, and whether those of this one are in effect. */
  compare: (db: Db | Tx) => Promise<{ running: number; differing: string[]; inEffect: boolean }>;
  /** Before a number is taken. Throws while other settings than ours are in effect: one series never has documents of two kinds at a time. */
  requireInEffect: (tx: Tx) => Promise<void>;
  stop: () => Promise<void>;
}

/** Enters this portal among those that run, and says in the log when their settings begin and cease to differ. */
export async function joinPortals(db: Db, env: Record<string, string | undefined>, log: Log): Promise<PortalPresence> {
  const own = { id: randomUUID(), name: `${hostname()}:${process.pid}`, given: givenToPortal(env) };

  const read = async (from: Db | Tx) => {
    const portals = await readPortals(from, own.id);
    const [first = own] = portals;
    return {
      portals,
      first,
      inEffect: differingSettings(first.given, own.given).length === 0,
      differing: [...new Set(portals.flatMap(({ given }) => differingSettings(first.given, given)))],
    };
  };

  let logged = '';
  const follow = async (): Promise<void> => {
    await enterPortal(db, own);
    const { portals, first, inEffect, differing } = await read(db);
    const now = JSON.stringify([differing, inEffect]);
    if (now === logged) return;
    if (differing.length > 0)
      log.error(
        { differing, inEffect: first.name, portals: portals.map(({ name }) => name) },
        inEffect
          ? 'portals have different settings of documents: those of this one are in effect, and the others issue none'
          : 'portals have different settings of documents: those of another one are in effect, and this one issues none',
      );
    else if (logged !== '') log.info('all portals have the same settings of documents');
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
      const { portals, differing, inEffect } = await read(from);
      return { running: portals.length, differing, inEffect };
    },
    requireInEffect: async (tx) => {
      const { first, inEffect, differing } = await read(tx);
      if (!inEffect)
        throw new Error(
          `this portal issues no documents: ${differing.join(', ')} of the portal ${first.name} differ and are in effect; octroi doctor names each portal`,
        );
    },
    stop: async () => {
      clearInterval(timer);
      await following;
      await leavePortal(db, own.id).catch(() => undefined);
    },
  };
}
