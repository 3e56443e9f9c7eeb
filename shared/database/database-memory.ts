import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Log } from '#shared/platform/log.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import { refusalOf } from './setback.ts';

/** How far a database had come when this process last looked. */
const seenSchema = z.object({
  /** Of the installation: one that was finished after a restore has another. */
  id: z.string(),
  /** When it last came to other data of PostgreSQL, in milliseconds. */
  movedAt: z.number(),
  place: z.string(),
  /** Of PostgreSQL's log, as far as it is on its disk. */
  position: z.string().regex(/^\d+$/),
});
type Seen = z.output<typeof seenSchema>;

const stateSchema = seenSchema.extend({ setback: z.string().nullable(), reason: z.string().nullable() });

// A standby has no position of its own, and nothing is written through it.
const readState = `select id, coalesce(extract(epoch from moved_at) * 1000, 0)::float8 as "movedAt", database_place() as place,
  (pg_current_wal_flush_lsn() - '0/0')::text as position, setback, setback_reason as reason
  from installation where not pg_is_in_recovery()`;

const lookEveryMs = 5000;

export interface DatabaseMemory {
  /** Looks on a connection, before anything else runs on it. Marks a database that went back: then it takes no number and nothing starts on it. */
  look: (client: ClientBase | Pool) => Promise<void>;
  /** Why nothing may start on the database, as of the last look. */
  refusal: () => string | undefined;
  /** Looks every five seconds; `also` runs before each look. Returns how to stop it. */
  follow: (pool: Pool, also?: () => Promise<void>) => () => Promise<void>;
}

/**
 * Remembers in a folder of a process how far its database had come. A snapshot that is put back can't be told from inside: only somebody outside knows that
 * there was more.
 */
export function rememberDatabase(folder: string, log: Log): DatabaseMemory {
  const path = join(folder, 'database-seen.json');
  let seen = readSeen(path);
  let stored = '';
  let refusal: string | undefined;

  const store = async (): Promise<void> => {
    const text = JSON.stringify(seen);
    if (text === stored) return;
    stored = text;
    const unfinished = `${path}.${process.pid}`;
    try {
      makeFolder(folder, 0o700);
      await writeFile(unfinished, text, { mode: 0o600 });
      await rename(unfinished, path);
    } catch (error) {
      log.warn({ err: error }, 'how far the database has come could not be written down');
    }
  };

  const look = async (client: ClientBase | Pool): Promise<void> => {
    // Before the question: others look at the same time.
    const before = seen;
    const [state] = checkedRows(stateSchema, await client.query(readState));
    if (state === undefined) return;
    const { setback, reason, ...now } = state;
    refusal = refusalOf(setback, reason);
    if (refusal !== undefined) return;
    if (before !== undefined && isBehind(now, before)) {
      const what = `went back: its log is at ${now.position} of ${now.place}, and ${hostname()} had seen ${before.position} of ${before.place}`;
      await client.query(`update installation set setback = 'WENT_BACK', setback_reason = $1`, [what]);
      refusal = refusalOf('WENT_BACK', what);
      log.error({ found: now, seen: before }, `THE DATABASE WENT BACK. ${refusal}`);
      return;
    }
    if (seen === undefined || !isBehind(now, seen)) seen = now;
  };

  return {
    look,
    refusal: () => refusal,
    follow: (pool, also) => {
      let looking: Promise<void> | undefined;
      const once = async (): Promise<void> => {
        await also?.();
        await look(pool);
        await store();
      };
      const timer = setInterval(() => {
        looking ??= once()
          .catch((error: unknown) => log.warn({ err: error }, 'how far the database has come could not be read'))
          .finally(() => (looking = undefined));
      }, lookEveryMs).unref();
      return async () => {
        clearInterval(timer);
        await looking;
        await store();
      };
    },
  };
}

function isBehind(now: Seen, seen: Seen): boolean {
  if (now.id !== seen.id) return false;
  return now.movedAt < seen.movedAt || (now.place === seen.place && BigInt(now.position) < BigInt(seen.position));
}

/** A file that can't be read is as none: this process knows nothing yet. */
function readSeen(path: string): Seen | undefined {
  try {
    return seenSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
