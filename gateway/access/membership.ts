import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { accessChannel, gatewayLeaseMs, heardWithinMs } from '#database/access.ts';
import { openClient } from '#database/clients.ts';
import { valueParsers } from '#database/value-parsers.ts';
import { type Day, startOfDay } from '#domain/day.ts';
import type { Log } from '#platform/log.ts';

/**
 * One connection of its own by which this gateway is known to the portal and to the other gateways: it hears of changes of access,
 * and keeps the lease that says it can be told. Leases are compared by the database's clock alone; this process measures its own by the
 * monotonic time since it asked, which is never later.
 */
export interface Membership {
  /** May what is remembered of keys and cycles be believed right now? */
  trusted: () => boolean;
  /** Does every change of access still wait for this gateway or for the end of its lease, although it may not hear of it? */
  leaseActive: () => boolean;
  /** How far the product's clock stands from the machine's. */
  clockOffsetMs: () => number;
  /** When the latest day began that a portal has reached: time is never before it, whatever this machine's clock does. */
  reachedMs: () => number;
  /** How far this journal was counted when the connection was made. */
  countedPosition: () => number;
  leave: () => Promise<void>;
}

export interface MembershipEvents {
  /** Forget what is known of one activation. */
  onActivation: (activationId: string) => void;
  /** Forget everything: something may have been missed. */
  onMissedChanges: () => void;
  /** What another gateway says about quota. */
  onQuota: (message: string) => void;
}

const applicationName = 'octroi gateway listener';
const renewMs = 1000;
/** Taken off the own lease, for clocks that do not run equally fast. */
const marginMs = 200;
const advisoryLockClass = 0x67617465;

export async function joinGateways(
  databaseUrl: string,
  journalId: string,
  events: MembershipEvents,
  log: Log,
): Promise<Membership> {
  let current: { client: Client; lose: (error: Error) => void } | undefined;
  let entered: Entry | undefined;
  let trustedUntil = 0;
  let leaseEndsAt = 0;
  let seenVersion = 0;
  let clockOffsetMs = 0;
  let reachedMs = -Infinity;
  let left = false;
  let renewing: Promise<void> | undefined;
  let renewAgain = false;

  const hear = (channel: string, payload = ''): void => {
    if (channel !== accessChannel) return events.onQuota(payload);
    const [what, which = ''] = payload.split(' ', 2);
    if (what === 'activation') return events.onActivation(which);
    seenVersion = Math.max(seenVersion, Number(which));
    void renew();
  };

  const connect = async (): Promise<void> => {
    // What an earlier connection heard may be of a database that was restored since.
    seenVersion = 0;
    const lose = (error: Error): void => {
      if (current?.client !== fresh) return;
      current = undefined;
      trustedUntil = 0;
      void endQuietly(fresh);
      if (left) return;
      log.warn({ err: error }, 'lost the listening connection; every call is looked up until it is back');
      void reconnect();
    };
    const fresh = openClient(
      {
        connectionString: databaseUrl,
        application_name: applicationName,
        connectionTimeoutMillis: 2000,
        query_timeout: 2000,
        keepAlive: true,
        types: valueParsers,
      },
      lose,
    );
    fresh.on('end', () => lose(new Error('the connection ended')));
    fresh.on('notification', ({ channel, payload }) => hear(channel, payload));
    try {
      await fresh.connect();
      entered = await enter(fresh, journalId, entered?.pid);
      // Everything remembered is forgotten below, so every change committed until now counts as seen.
      seenVersion = Math.max(seenVersion, entered.version);
    } catch (error) {
      void endQuietly(fresh);
      throw error;
    }
    current = { client: fresh, lose };
    // Changes from before this connection listened were not heard.
    events.onMissedChanges();
    await renew();
  };

  const apart = (): boolean => !left && current === undefined;
  const reconnect = async (): Promise<void> => {
    for (let pauseMs = 50; apart(); pauseMs = Math.min(pauseMs * 2, 1000)) {
      await sleep(pauseMs);
      await connect().catch((error: unknown) => log.debug({ err: error }, 'the database cannot be reached yet'));
    }
  };

  const renewOnce = async (): Promise<void> => {
    const asking = current;
    if (asking === undefined) return;
    const askedAt = performance.now();
    try {
      const renewed = await asking.client.query<{ offset_ms: number; reached_day: Day | null }>({
        name: 'renew',
        // By the time of the statement, which is not later than what it sees of the changes.
        text: `update gateways set lease_until = statement_timestamp() + $2 * interval '1 millisecond', seen_version = greatest(seen_version, $3)
          where journal_id = $1 and not exists (select from access_changes
            where version > $3 and changed_at < statement_timestamp() - $4 * interval '1 millisecond')
          returning (select offset_ms from clock) as offset_ms, (select reached_day from clock) as reached_day`,
        values: [journalId, gatewayLeaseMs, seenVersion, heardWithinMs],
      });
      const row = renewed.rows[0];
      if (row === undefined) throw new Error('a change of access was not heard of in time');
      if (current !== asking) return;
      clockOffsetMs = row.offset_ms;
      reachedMs = row.reached_day === null ? -Infinity : startOfDay(row.reached_day);
      leaseEndsAt = askedAt + gatewayLeaseMs - marginMs;
      trustedUntil = leaseEndsAt;
    } catch (error) {
      asking.lose(error instanceof Error ? error : new Error(String(error)));
    }
  };

  const renewWhileAsked = async (): Promise<void> => {
    do {
      renewAgain = false;
      await renewOnce();
    } while (renewAgain);
    renewing = undefined;
  };

  function renew(): Promise<void> {
    renewAgain = renewing !== undefined;
    return (renewing ??= renewWhileAsked());
  }

  await connect();
  const timer = setInterval(() => void renew(), renewMs).unref();
  return {
    trusted: () => performance.now() < trustedUntil,
    leaseActive: () => performance.now() < leaseEndsAt,
    clockOffsetMs: () => clockOffsetMs,
    reachedMs: () => reachedMs,
    countedPosition: () => entered?.position ?? 0,
    leave: async () => {
      left = true;
      clearInterval(timer);
      trustedUntil = 0;
      leaseEndsAt = 0;
      await renewing;
      await current?.client
        .query(`update gateways set lease_until = '-infinity' where journal_id = $1`, [journalId])
        .catch(() => {});
      if (current !== undefined) await endQuietly(current.client);
    },
  };
}

async function endQuietly(client: Client): Promise<void> {
  await client.end().catch(() => {});
}

interface Entry {
  /** The database's process behind the connection. */
  pid: number;
  /** The newest change of access that was committed before this connection listened. */
  version: number;
  position: number;
}

/** Locks the journal, listens, and enters this gateway in the list of gateways. */
async function enter(client: Client, journalId: string, lastPid: number | undefined): Promise<Entry> {
  // Nothing here needs to survive a crash of the database.
  await client.query('set synchronous_commit = off');
  // A connection that broke without a word may seem alive to the database for hours.
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and application_name = $2',
    [lastPid, applicationName],
  );
  await lockInDatabase(client, journalId);
  await client.query(`listen ${accessChannel}; listen quota`);
  await client.query(
    `insert into gateways (journal_id, started_at, lease_until) values ($1, clock_timestamp(), '-infinity')
     on conflict (journal_id) do update set started_at = excluded.started_at`,
    [journalId],
  );
  await client.query('insert into journals (id, position) values ($1, 0) on conflict (id) do nothing', [journalId]);
  const state = await client.query<Entry>(
    `select pg_backend_pid() as pid, (select coalesce(max(version), 0) from access_changes) as version,
       (select position from journals where id = $1)`,
    [journalId],
  );
  const entry = state.rows[0];
  if (entry === undefined) throw new Error('the database said nothing of its changes of access');
  return entry;
}

/** Two machines may share a journal's folder without seeing each other's local lock. A session that was killed may need a moment to end. */
async function lockInDatabase(client: Client, journalId: string): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const locked = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as free', [
      advisoryLockClass,
      journalId,
    ]);
    if (locked.rows[0]?.free === true) return;
    await sleep(100);
  }
  throw new Error(`Another gateway writes the journal ${journalId}. Give this one a JOURNAL_DIR of its own.`);
}
