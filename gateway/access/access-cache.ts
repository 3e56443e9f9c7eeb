import { hash } from 'node:crypto';
import { startOfDay } from '#domain/day.ts';
import { buildRateLimitPrefix } from '#gateway/quota/rate-limit-headers.ts';
import { type Networks, readNetworks } from '#platform/addresses.ts';
import { BoundedMap } from '#platform/bounded-map.ts';
import type { StoredCycle, StoredKey } from './store.ts';

/** What decides about the calls of one key: as the database had it when it was last asked, or told of a change. */
export interface KeyAccess extends Omit<StoredKey, 'cycles' | 'expiresAt' | 'allowedIps'> {
  cycles: AccessCycle[];
  /** Epoch milliseconds; endless for a key without an end. */
  expiresAt: number;
  /** Undefined where any address may use it. */
  allowedIps: Networks | undefined;
}

export interface AccessCycle extends StoredCycle {
  /** Epoch milliseconds at which its first day starts: it runs in [startsAt, endsAt). */
  startsAt: number;
  endsAt: number;
  /** How the lines about its quotas begin, on every response. */
  rateLimitPrefix: string;
}

export interface AccessCache {
  /** The access of a well-formed key; undefined when there is no such key. Rejects when the database cannot say. */
  find: (key: string) => KeyAccess | undefined | Promise<KeyAccess | undefined>;
  evictActivation: (activationId: string) => void;
  clear: () => void;
}

const maxKeys = 100_000;
const maxUnknown = 10_000;
const maxHashes = 20_000;

/**
 * Remembers keys by their SHA-256, as long as `trusted` says that every change would be heard of. While that is not sure the database is
 * asked; when it is away, what is remembered goes on for as long as `leaseActive` says that no change is answered without this gateway.
 */
export function createAccessCache(
  load: (keyHash: Buffer) => Promise<StoredKey | undefined>,
  trusted: () => boolean,
  leaseActive: () => boolean = () => false,
): AccessCache {
  const ofActivation = new Map<string, Set<string>>();
  const known = new BoundedMap<string, KeyAccess>(maxKeys, ({ activationId }, keyHash) => {
    const keys = ofActivation.get(activationId);
    if (keys?.delete(keyHash) && keys.size === 0) ofActivation.delete(activationId);
  });
  const unknown = new BoundedMap<string, true>(maxUnknown);
  let loading = new Map<string, Promise<KeyAccess | undefined>>();
  let changes = 0;

  // Nothing but arithmetic is remembered here, so that no change of access concerns it.
  const hashes = new BoundedMap<string, string>(maxHashes);
  const hashOf = (key: string): string => {
    let keyHash = hashes.get(key);
    if (keyHash !== undefined) return keyHash;
    keyHash = hash('sha256', key, 'base64');
    hashes.set(key, keyHash);
    return keyHash;
  };

  const remember = (keyHash: string, access: KeyAccess | undefined): void => {
    if (access === undefined) {
      unknown.set(keyHash, true);
      return;
    }
    known.set(keyHash, access);
    const keys = ofActivation.get(access.activationId) ?? new Set();
    ofActivation.set(access.activationId, keys.add(keyHash));
  };

  const loadOnce = (keyHash: string): Promise<KeyAccess | undefined> => {
    const seen = changes;
    const started = load(Buffer.from(keyHash, 'base64'))
      .then((stored) => {
        const access = stored && withInstants(stored);
        // What was read before a change may be what the change has ended.
        if (seen === changes) remember(keyHash, access);
        return access;
      })
      .finally(() => {
        if (loading.get(keyHash) === started) loading.delete(keyHash);
      });
    loading.set(keyHash, started);
    return started;
  };

  const ask = async (keyHash: string): Promise<KeyAccess | undefined> => {
    try {
      const stored = await load(Buffer.from(keyHash, 'base64'));
      return stored && withInstants(stored);
    } catch (error) {
      const access = known.get(keyHash);
      if (access !== undefined && leaseActive()) return access;
      throw error;
    }
  };

  return {
    find: (key) => {
      const keyHash = hashOf(key);
      if (!trusted()) return ask(keyHash);
      const access = known.get(keyHash);
      if (access !== undefined || unknown.has(keyHash)) return access;
      return loading.get(keyHash) ?? loadOnce(keyHash);
    },
    evictActivation: (activationId) => {
      changes += 1;
      // A call that starts now must not join a look-up that began before the change.
      loading = new Map();
      for (const keyHash of ofActivation.get(activationId) ?? []) known.delete(keyHash);
      ofActivation.delete(activationId);
      // A key of this activation may just have been made.
      unknown.clear();
    },
    clear: () => {
      changes += 1;
      loading = new Map();
      known.clear();
      unknown.clear();
      ofActivation.clear();
    },
  };
}

function withInstants(stored: StoredKey): KeyAccess {
  return {
    ...stored,
    expiresAt: stored.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    allowedIps: readNetworks(stored.allowedIps),
    cycles: stored.cycles.map((cycle) => ({
      ...cycle,
      startsAt: startOfDay(cycle.fromDate),
      endsAt: startOfDay(cycle.toDate),
      rateLimitPrefix: buildRateLimitPrefix(cycle, stored.dailyCap),
    })),
  };
}
