import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { z } from 'zod';
import { accessChannel, catalogChannel, gatewayLeaseMs, heardWithinMs } from '#shared/database/access.ts';
import { probeChannel } from '#shared/database/gateway-probe.ts';
import { isDatabaseAway, openClient } from '#shared/database/clients.ts';
import { valueParsers } from '#shared/database/value-parsers.ts';
import { startOfDay } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Log } from '#shared/platform/log.ts';
import { JournalInUse } from '#gateway/journal/lock.ts';

/**
 * Registers this gateway with the portal and the other gateways over a dedicated connection: it listens for changes of access and renews a
 * membership lease. The database compares leases by its own clock only; this process measures its lease from before the request was sent,
 * by the monotonic clock, so its own view never ends later.
 */
export interface Membership {
  /** Are cached keys and cycles known to be current? */
  trusted: () => boolean;
  /** Does every change of access still wait for this gateway? True until its lease ends, even if the connection is lost. */
  leaseActive: () => boolean;
  /** Offset of the product's clock from the machine's. */
  clockOffsetMs: () => number;
  /** Start of the latest day that a portal has reached: the gateway's time never falls before it, whatever this machine's clock does. */
  reachedMs: () => number;
  /** Position up to which the database had counted this journal when the gateway joined. */
  countedPosition: () => number;
  leave: () => Promise<void>;
}

export interface MembershipEvents {
  /** The access of one activation has changed. */
  onActivation: (activationId: string) => void;
  /** Notifications may have been lost, so every cached key may be stale. */
  onMissedChanges: () => void;
  /** A message of another gateway about quota. */
  onQuota: (message: string) => void;
  /** The doctor asks whether calls reach the APIs. */
  onProbe?: (message: string) => void;
  catalog: CatalogEvents;
}

/** Versions of the catalogue. */
export interface CatalogEvents {
  /** Get ready to serve a version. */
  onPrepare: (version: number) => void;
  /** Serve a version from now on; false if it is not prepared. */
  onUse: (version: number) => boolean;
  /** Versions may have been missed. Resolves when the newest one is served. */
  onReconnected: () => Promise<void>;
}

const applicationName = 'octroi gateway listener';
const renewMs = 1000;
/** A database that stands still for some seconds does not end a start. */
const startAttempts = 5;
/** Subtracted from the lease, because clocks may run at different speeds. */
const marginMs = 200;
const advisoryLockClass = 0x67617465;

export async function joinGateways(
  databaseUrl: string,
  journalId: string,
  events: MembershipEvents,
  log: Log,
): Promise<Membership> {
  let current: { client: Client; lose: (error: Error) => void } | undefined;
  let registration: Registration | undefined;
  let lastPid: number | undefined;
  let trustedUntil = 0;
  let leaseEndsAt = 0;
  let seenVersion = 0;
  let clockOffsetMs = 0;
  let reachedMs = -Infinity;
  let hasLeft = false;
  let renewing: Promise<void> | undefined;
  let renewAgain = false;

  const handleCatalog = (topic: string | undefined, version: number): void => {
    if (topic === 'prepare') events.catalog.onPrepare(version);
    // The connection is made again, which reads the newest version before it confirms any change.
    else if (!events.catalog.onUse(version))
      current?.lose(new Error(`version ${version} of the catalogue was not prepared`));
  };

  const handleNotification = (channel: string, payload = ''): void => {
    const [topic, value = ''] = payload.split(' ', 2);
    if (channel === catalogChannel) return handleCatalog(topic, Number(value));
    if (channel === probeChannel) return events.onProbe?.(payload);
    if (channel !== accessChannel) return events.onQuota(payload);
    if (topic === 'activation') return events.onActivation(value);
    seenVersion = Math.max(seenVersion, Number(value));
    void renew();
  };

  const connect = async (): Promise<void> => {
    // The database may have been restored since the earlier connection, with lower versions.
    seenVersion = 0;
    const lose = (error: Error): void => {
      if (current?.client !== fresh) return;
      current = undefined;
      trustedUntil = 0;
      void endQuietly(fresh);
      if (hasLeft) return;
      log.warn(
        { err: error },
        'lost the connection that listens for changes; every call queries the database until it is back',
      );
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
    fresh.on('notification', ({ channel, payload }) => handleNotification(channel, payload));
    try {
      await fresh.connect();
      const earlierPid = lastPid;
      lastPid = await pidOf(fresh);
      registration = await register(fresh, journalId, earlierPid);
      // The whole cache is cleared below, so every change committed until now counts as seen.
      seenVersion = Math.max(seenVersion, registration.version);
      await events.catalog.onReconnected();
    } catch (error) {
      void endQuietly(fresh);
      throw error;
    }
    if (hasLeft) {
      await endQuietly(fresh);
      return;
    }
    current = { client: fresh, lose };
    // This connection missed all changes from before it listened.
    events.onMissedChanges();
    await renew();
  };

  const isDisconnected = (): boolean => !hasLeft && current === undefined;
  const reconnect = async (): Promise<void> => {
    for (let pauseMs = 50; isDisconnected(); pauseMs = Math.min(pauseMs * 2, 1000)) {
      await sleep(pauseMs);
      await connect().catch((error: unknown) => log.debug({ err: error }, 'cannot reach the database yet'));
    }
  };

  const renewOnce = async (): Promise<void> => {
    const connected = current;
    if (connected === undefined) return;
    const sentAt = performance.now();
    try {
      const renewed = await connected.client.query({
        name: 'renew',
        // statement_timestamp() is never later than the snapshot that the statement reads changes from.
        text: `update gateways set lease_until = statement_timestamp() + $2 * interval '1 millisecond', seen_version = greatest(seen_version, $3)
          where journal_id = $1 and not exists (select from access_changes
            where version > $3 and changed_at < statement_timestamp() - $4 * interval '1 millisecond')
          returning (select offset_ms from clock) as offset_ms, (select reached_day from clock) as reached_day`,
        values: [journalId, gatewayLeaseMs, seenVersion, heardWithinMs],
      });
      const [row] = checkedRows(clockRow, renewed);
      if (row === undefined) throw new Error('a notification of a change of access was lost');
      if (current !== connected) return;
      clockOffsetMs = row.offset_ms;
      reachedMs = row.reached_day === null ? -Infinity : startOfDay(row.reached_day);
      leaseEndsAt = sentAt + gatewayLeaseMs - marginMs;
      trustedUntil = leaseEndsAt;
    } catch (error) {
      connected.lose(error instanceof Error ? error : new Error(String(error)));
    }
  };

  const renewUntilSettled = async (): Promise<void> => {
    do {
      renewAgain = false;
      await renewOnce();
    } while (renewAgain);
    renewing = undefined;
  };

  function renew(): Promise<void> {
    renewAgain = renewing !== undefined;
    return (renewing ??= renewUntilSettled());
  }

  const connectAtStart = async (): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await connect();
      } catch (error) {
        if (attempt === startAttempts || !isDatabaseAway(error)) throw error;
        log.warn({ err: error }, 'cannot reach the database yet');
      }
      await sleep(500);
    }
  };

  await connectAtStart();
  const timer = setInterval(() => void renew(), renewMs).unref();
  return {
    trusted: () => performance.now() < trustedUntil,
    leaseActive: () => performance.now() < leaseEndsAt,
    clockOffsetMs: () => clockOffsetMs,
    reachedMs: () => reachedMs,
    countedPosition: () => registration?.position ?? 0,
    leave: async () => {
      hasLeft = true;
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

const clockRow = z.object({ offset_ms: z.number(), reached_day: z.string().nullable() });

/** The process of the database that serves a connection. */
async function pidOf(client: Client): Promise<number> {
  const [row] = checkedRows(z.object({ pid: z.number() }), await client.query('select pg_backend_pid() as pid'));
  if (row === undefined) throw new Error('the database returned no process');
  return row.pid;
}

const registration = z.object({
  /** The newest change of access committed before this connection listened. */
  version: z.number(),
  position: z.number(),
});
type Registration = z.output<typeof registration>;

/** Locks the journal, starts listening, and registers this gateway. */
async function register(client: Client, journalId: string, earlierPid: number | undefined): Promise<Registration> {
  // Nothing that this connection writes needs to survive a crash of the database.
  await client.query('set synchronous_commit = off');
  // The database may consider a connection alive for hours after its network failed silently, or after it stood still while we registered.
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and application_name = $2',
    [earlierPid, applicationName],
  );
  await lockInDatabase(client, journalId);
  await client.query(`listen ${accessChannel}; listen ${catalogChannel}; listen quota; listen ${probeChannel}`);
  await client.query(
    `insert into gateways (journal_id, started_at, lease_until) values ($1, clock_timestamp(), '-infinity')
     on conflict (journal_id) do update set started_at = excluded.started_at, catalog_version = null, prepared_version = null,
       catalog_fault = null, products_fault = null`,
    [journalId],
  );
  await client.query('insert into journals (id, position) values ($1, 0) on conflict (id) do nothing', [journalId]);
  const state = await client.query(
    `select (select coalesce(max(version), 0) from access_changes) as version,
       (select position from journals where id = $1)`,
    [journalId],
  );
  const [entry] = checkedRows(registration, state);
  if (entry === undefined) throw new Error('the database returned no state for this gateway');
  return entry;
}

/** The folder's lock doesn't work between machines that share it, so this one does. A killed session may take a moment to release it. */
async function lockInDatabase(client: Client, journalId: string): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const locked = await client.query('select pg_try_advisory_lock($1, hashtext($2)) as free', [
      advisoryLockClass,
      journalId,
    ]);
    if (checkedRows(z.object({ free: z.boolean() }), locked)[0]?.free === true) return;
    await sleep(100);
  }
  throw new JournalInUse(journalId);
}
