import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Log } from '#shared/platform/log.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import { type BegunSeries, begunSchema, furthestOf, selectBegun } from './begun-series.ts';
import { refusalOf } from './setback.ts';

/** How far a database had come when this process last looked. */
const seenSchema = z.object({
  /** Of the installation: one that was finished after a restore has another. */
  id: z.string(),
  /** The same for all that were restored from one another. */
  origin: z.string(),
  /** When it last came to other data of PostgreSQL, in milliseconds. */
  movedAt: z.number(),
  place: z.string(),
  /** Of PostgreSQL's log, as far as it is on its disk. */
  position: z.string().regex(/^\d+$/),
});
type Seen = z.output<typeof seenSchema>;

/** What the file holds. */
const memorySchema = z.object({
  /** Each installation once, that of the last look at the end. */
  seen: z.array(seenSchema),
  /** By the origin of installations. */
  series: z.record(z.string(), begunSchema),
});
type Memory = z.output<typeof memorySchema>;

/** A restore adds one. Of those that are forgotten, a later moment of the same data is still known. */
const mostSeen = 200;

const stateSchema = seenSchema.extend({
  begun: begunSchema,
  setback: z.string().nullable(),
  reason: z.string().nullable(),
});

// A standby has no position of its own, and nothing is written through it.
const readState = `select id, coalesce(extract(epoch from moved_at) * 1000, 0)::float8 as "movedAt", database_place() as place,
  (pg_current_wal_flush_lsn() - '0/0')::text as position, origin, (${selectBegun}) as begun, setback, setback_reason as reason
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
 * Remembers in a folder of a process how far its database had come, and which series of documents had begun. A snapshot that is put back can't be told from
 * inside: only somebody outside knows that there was more.
 */
export function rememberDatabase(folder: string, log: Log): DatabaseMemory {
  const path = fileIn(folder);
  const memory = readMemory(path);
  let stored = '';
  let refusal: string | undefined;

  const store = async (): Promise<void> => {
    const text = JSON.stringify(memory);
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
    const before = [...memory.seen];
    const [state] = checkedRows(stateSchema, await client.query(readState));
    if (state === undefined) return;
    const { setback, reason, begun, ...now } = state;
    refusal = refusalOf(setback, reason);
    if (refusal !== undefined) return;
    const further = furtherThan(now, before);
    if (further !== undefined) {
      const what = `went back: its log is at ${now.position} of ${now.place}, and ${hostname()} had seen ${further.position} of ${further.place}${further.id === now.id ? '' : ' after it was finished'}`;
      await client.query(`update installation set setback = 'WENT_BACK', setback_reason = $1`, [what]);
      refusal = refusalOf('WENT_BACK', what);
      log.error({ found: now, seen: further }, `THE DATABASE WENT BACK. ${refusal}`);
      return;
    }
    if (furtherThan(now, memory.seen) !== undefined) return;
    memory.seen = [...memory.seen.filter(({ id }) => id !== now.id), now].slice(-mostSeen);
    memory.series[now.origin] = furthestOf(memory.series[now.origin] ?? {}, begun);
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

/**
 * What was seen and is further. An installation after which another one was seen had been finished, so it is behind whatever its position. One that was never
 * seen was finished now, or is from before anybody looked: then its data came to this place earlier.
 */
function furtherThan(now: Seen, all: readonly Seen[]): Seen | undefined {
  // The folder of a process may have been used with another product's database.
  const seen = all.filter(({ origin }) => origin === now.origin);
  const last = seen.at(-1);
  if (last === undefined) return undefined;
  if (now.id === last.id) {
    const isBehind =
      now.movedAt < last.movedAt || (now.place === last.place && BigInt(now.position) < BigInt(last.position));
    return isBehind ? last : undefined;
  }
  if (seen.some(({ id }) => id === now.id)) return last;
  return seen.findLast(({ place, movedAt }) => dataOf(place) === dataOf(now.place) && now.movedAt < movedAt);
}

/** A place without its timeline. */
const dataOf = (place: string): string => place.replace(/\/[^/]*\//, '/');

const fileIn = (folder: string): string => join(folder, 'database-seen.json');

/** Which series had begun by installations of an origin, as far as the process with this folder has seen. Undefined if it has seen none of them. */
export const rememberedSeries = (folder: string, origin: string): BegunSeries | undefined =>
  readMemory(fileIn(folder)).series[origin];

/** A file that can't be read is as none: this process knows nothing yet. */
function readMemory(path: string): Memory {
  try {
    return memorySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return { seen: [], series: {} };
  }
}
