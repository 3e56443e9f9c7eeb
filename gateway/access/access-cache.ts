import { hash } from 'node:crypto';
import { startOfDay } from '#shared/domain/day.ts';
import type { CallCost } from '#shared/domain/operation.ts';
import { buildRateLimitPrefix } from '#gateway/quota/rate-limit-headers.ts';
import { type Networks, readNetworks } from '#shared/platform/addresses.ts';
import { BoundedMap } from '#shared/platform/bounded-map.ts';
import type { StoredCycle, StoredKey } from './store.ts';

/** Everything that decides whether calls of one key are admitted, as last read from the database. */
export interface KeyAccess extends Omit<StoredKey, 'cycles' | 'expiresAt' | 'allowedIps'> {
  cycles: AccessCycle[];
  /** Epoch milliseconds; Infinity for a key that never expires. */
  expiresAt: number;
  /** Undefined if any address may use the key. */
  allowedIps: Networks | undefined;
  /** The same as text, for the request log. */
  allowedAddresses: string;
  /** Whose leases its calls use: its own where a cap or limit is counted, else '' for those of all other keys. */
  leaseKey: string;
}

export interface AccessCycle extends Omit<StoredCycle, 'costs' | 'operations' | 'windowEnd' | 'stopsOn'> {
  /** What calls cost, by operation; null if each costs one unit. */
  costs: ReadonlyMap<string, CallCost> | null;
  /** Operations that the plan includes; null for all. */
  operations: ReadonlySet<string> | null;
  /** Epoch milliseconds; the cycle runs in [startsAt, endsAt). */
  startsAt: number;
  endsAt: number;
  /** The end of the window of free quota in which it starts; null if it starts in none. */
  windowEndsAt: number | null;
  /** From when on it is refused, as a bill of its customer is overdue; null for a plan that is paid. Epoch milliseconds. */
  stopsAt: number | null;
  /** The constant start of its rate-limit headers. */
  rateLimitPrefix: string;
}

export interface AccessCache {
  /** The access of a well-formed key; undefined if the key doesn't exist. Rejects if the database fails. */
  find: (key: string) => KeyAccess | undefined | Promise<KeyAccess | undefined>;
  /** The access of a key that is cached, and neither revoked, blocked nor expired. Neither hashes it nor asks the database. */
  usable: (key: string, nowMs: number) => KeyAccess | undefined;
  evictActivation: (activationId: string) => void;
  clear: () => void;
}

const maxKeys = 100_000;
const maxUnknownKeys = 10_000;

/**
 * Caches keys by their SHA-256 while `trusted` guarantees that this gateway hears of every change. Otherwise each call queries the database.
 * If the database is down too, cached keys stay valid while `leaseActive`: until then, every change waits for this gateway.
 */
export function createAccessCache(
  load: (keyHash: Buffer) => Promise<StoredKey | undefined>,
  trusted: () => boolean,
  leaseActive: () => boolean = () => false,
): AccessCache {
  const keysOfActivation = new Map<string, Set<string>>();
  const cached = new BoundedMap<string, KeyAccess>(maxKeys, ({ activationId }, keyHash) => {
    const keys = keysOfActivation.get(activationId);
    if (keys?.delete(keyHash) && keys.size === 0) keysOfActivation.delete(activationId);
  });
  const unknownKeys = new BoundedMap<string, true>(maxUnknownKeys);
  let loading = new Map<string, Promise<KeyAccess | undefined>>();
  let changes = 0;

  // Pure computation, so no change of access invalidates it. Only of keys that exist: anyone can make up others, as many as it holds.
  const hashes = new BoundedMap<string, string>(maxKeys);

  const store = (keyHash: string, access: KeyAccess | undefined): void => {
    if (access === undefined) {
      unknownKeys.set(keyHash, true);
      return;
    }
    cached.set(keyHash, access);
    const keys = keysOfActivation.get(access.activationId) ?? new Set();
    keysOfActivation.set(access.activationId, keys.add(keyHash));
  };

  const loadOnce = (key: string, keyHash: string): Promise<KeyAccess | undefined> => {
    const changesBefore = changes;
    const lookup = load(Buffer.from(keyHash, 'base64'))
      .then((stored) => {
        const access = stored && withInstants(stored);
        if (access !== undefined) hashes.set(key, keyHash);
        // A result read before a change may be stale: use it for this call, but don't cache it.
        if (changesBefore === changes) store(keyHash, access);
        return access;
      })
      .finally(() => {
        if (loading.get(keyHash) === lookup) loading.delete(keyHash);
      });
    loading.set(keyHash, lookup);
    return lookup;
  };

  const loadFresh = async (keyHash: string): Promise<KeyAccess | undefined> => {
    try {
      const stored = await load(Buffer.from(keyHash, 'base64'));
      return stored && withInstants(stored);
    } catch (error) {
      const access = cached.get(keyHash);
      if (access !== undefined && leaseActive()) return access;
      throw error;
    }
  };

  return {
    find: (key) => {
      const known = hashes.get(key);
      const keyHash = known ?? hash('sha256', key, 'base64');
      if (!trusted()) return loadFresh(keyHash);
      const access = cached.get(keyHash);
      if (access !== undefined) {
        if (known === undefined) hashes.set(key, keyHash);
        return access;
      }
      if (unknownKeys.has(keyHash)) return undefined;
      return loading.get(keyHash) ?? loadOnce(key, keyHash);
    },
    usable: (key, nowMs) => {
      const keyHash = hashes.get(key);
      const access = keyHash === undefined ? undefined : cached.get(keyHash);
      const isUsable = access !== undefined && !access.revoked && !access.blocked && nowMs < access.expiresAt;
      return isUsable ? access : undefined;
    },
    evictActivation: (activationId) => {
      changes += 1;
      // A call that starts now must not join a lookup that began before the change.
      loading = new Map();
      for (const keyHash of keysOfActivation.get(activationId) ?? []) cached.delete(keyHash);
      keysOfActivation.delete(activationId);
      // A key of this activation may just have been created.
      unknownKeys.clear();
    },
    clear: () => {
      changes += 1;
      loading = new Map();
      cached.clear();
      unknownKeys.clear();
      keysOfActivation.clear();
    },
  };
}

function withInstants(stored: StoredKey): KeyAccess {
  return {
    ...stored,
    expiresAt: stored.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    allowedIps: readNetworks(stored.allowedIps),
    allowedAddresses: stored.allowedIps.join(', '),
    leaseKey: stored.dailyCap === null && stored.maker === null ? '' : stored.keyId,
    cycles: stored.cycles.map((cycle) => ({
      ...cycle,
      costs: cycle.costs === null ? null : new Map(Object.entries(cycle.costs)),
      operations: cycle.operations === null ? null : new Set(cycle.operations),
      startsAt: startOfDay(cycle.fromDate),
      endsAt: startOfDay(cycle.toDate),
      windowEndsAt: cycle.windowEnd === null ? null : startOfDay(cycle.windowEnd),
      stopsAt: cycle.stopsOn === null ? null : startOfDay(cycle.stopsOn),
      rateLimitPrefix: buildRateLimitPrefix(cycle, stored),
    })),
  };
}
