import { randomBytes } from 'node:crypto';
import type { KeyTerms } from '#shared/contract/api-keys.ts';
import { type AccessChange, changeAccess, whenInEffect } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { dayOf, startOfDay } from '#shared/domain/day.ts';
import {
  keyHint,
  keyNameFault,
  keyPrefix,
  makeApiKey,
  maxActiveKeys,
  maxKeysPerDay,
  tryKeyMs,
  tryKeyName,
} from '#shared/domain/api-key.ts';
import { lockActivation, lockCustomer } from '#server/features/ownership/ownership.ts';
import { underConstraints } from '#server/refusals/constraints.ts';
import { newId, sha256 } from '#server/crypto/ids.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Actor, Owner, Portal } from '#server/portal.ts';
import {
  countActive,
  countMadeSince,
  countOverlapping,
  insertApiKey,
  selectKeyForUpdate,
  selectTakenNames,
  updateExpiredRevoked,
  updateKeyReplaced,
  updateKeyRevoked,
  updateKeysRevoked,
  updateKeyTerms,
  updateTryKeyRevoked,
} from './store.ts';

export { findKeys } from './find-keys.ts';
export { announceNewNetworks } from './new-networks.ts';

const hourMs = 3_600_000;

/** Generates a key. Only the response contains the key itself; the database stores its SHA-256. */
export function generateApiKey(portal: Portal, owner: Actor, activationId: string, key: KeyToMake) {
  return makeKey(portal, owner, activationId, new Date(portal.clock()), key);
}

/** The test key with which the reference tries calls; it takes the place of the one before it, so that they don't pile up. */
export async function generateTryKey(portal: Portal, owner: Actor, activationId: string) {
  const now = new Date(portal.clock());
  const expiresAt = new Date(now.getTime() + tryKeyMs).toISOString();
  const made = await makeKey(portal, owner, activationId, now, {
    isTest: true,
    expiresAt,
    allowedIps: [],
    dailyCap: null,
  });
  return { ...made, expiresAt };
}

type KeyToMake = KeyTerms & { keyName: string; isTest: boolean };

/** A key that the customer doesn't name is for trying calls. */
async function makeKey(
  portal: Portal,
  owner: Actor,
  activationId: string,
  now: Date,
  { keyName, isTest, ...terms }: Omit<KeyToMake, 'keyName'> & { keyName?: string },
) {
  const made = newKey(isTest);
  const { result: name, effectiveBy } = await underConstraints(() =>
    changeAccess(portal, async (change) => {
      const { tx } = change;
      const activation = await lockActivation(owner, tx, activationId);
      if (!activation) throw refuse('not_found');
      if (keyName !== undefined && keyNameFault(keyName)) throw refuse('invalid_key_name');
      if (isTest) requireSandbox(portal, activation.service_id);
      validateTerms(terms, isTest, now);
      await lockCustomer(owner, tx);
      // Expired keys are marked as revoked first, so that they use up neither a name nor a place.
      await updateExpiredRevoked(owner, tx, now);
      const isForTrying = keyName === undefined;
      if (isForTrying) await updateTryKeyRevoked(owner, change, activationId, now);
      if ((await countActive(owner, tx)) >= maxActiveKeys) throw refuse('too_many_keys');
      await requireFewMadeToday(owner, tx, now);
      const usedName = keyName ?? tryKeyName(await selectTakenNames(owner, tx, activationId));
      await insertApiKey(owner, change, {
        ...made.stored,
        activationId,
        name: usedName,
        isTest,
        isForTrying,
        ...terms,
        now,
      });
      return usedName;
    }),
  );
  return { apiKey: made.apiKey, id: made.stored.id, keyName: name, createdAt: now.toISOString(), effectiveBy };
}

/** Changes a key's expiry, allowed addresses and cap. Returns when every gateway applies them; null when all of them do. */
export async function changeApiKey(
  portal: Portal,
  owner: Owner,
  activationId: string,
  keyId: string,
  terms: KeyTerms,
): Promise<string | null> {
  const { effectiveBy } = await changeAccess(portal, async (change) => {
    const { tx } = change;
    const now = new Date(portal.clock());
    const key = await selectUsableKey(owner, tx, activationId, keyId, now);
    validateTerms(terms, key.test, now);
    await updateKeyTerms(owner, change, activationId, keyId, terms);
  });
  return effectiveBy;
}

/** Replaces a key by a new one with the same name. The old key expires after the overlap; without an overlap it is revoked at once. */
export async function rotateApiKey(
  portal: Portal,
  owner: Actor,
  activationId: string,
  keyId: string,
  overlapHours: number,
) {
  const now = new Date(portal.clock());
  const { result, effectiveBy } = await underConstraints(() =>
    changeAccess(portal, async (change) => {
      const { tx } = change;
      const { service, ...key } = await selectUsableKey(owner, tx, activationId, keyId, now);
      if (key.test) requireSandbox(portal, service);
      await updateExpiredRevoked(owner, tx, now);
      if (overlapHours > 0 && (await countOverlapping(owner, tx, now)) >= maxActiveKeys) throw refuse('too_many_keys');
      await requireFewMadeToday(owner, tx, now);
      const made = newKey(key.test);
      const overlapEnd = new Date(now.getTime() + overlapHours * hourMs);
      const endsAt = key.expires_at !== null && key.expires_at < overlapEnd ? key.expires_at : overlapEnd;
      const lifeMs = key.expires_at === null ? undefined : key.expires_at.getTime() - key.created_at.getTime();
      // The old key gives up its name first; the foreign key to its successor is checked at the commit.
      await updateKeyReplaced(owner, change, activationId, key.id, { endsAt, now, successor: made.stored.id });
      await insertApiKey(owner, change, {
        ...made.stored,
        activationId,
        name: key.name,
        isTest: key.test,
        isForTrying: false,
        allowedIps: key.allowed_ips,
        dailyCap: key.daily_cap,
        expiresAt: lifeMs === undefined ? null : new Date(now.getTime() + lifeMs).toISOString(),
        now,
      });
      return { keyName: key.name, made, endsAt };
    }),
  );
  const { keyName, made, endsAt } = result;
  return {
    apiKey: made.apiKey,
    id: made.stored.id,
    keyName,
    createdAt: now.toISOString(),
    previousEndsAt: endsAt.toISOString(),
    effectiveBy,
  };
}

/** Revokes a key for good. Returns the time by which every gateway refuses it; null when all of them do. */
export async function revokeApiKey(
  portal: Portal,
  owner: Owner,
  activationId: string,
  keyId: string,
): Promise<string | null> {
  const { result: isRevokedNow, effectiveBy } = await changeAccess(portal, (change) =>
    revokeKey(owner, change, activationId, keyId, new Date(portal.clock())),
  );
  // Another call revoked it, perhaps just now, and gateways may not have confirmed that yet.
  return isRevokedNow ? effectiveBy : whenInEffect(portal);
}

/** The same within a change of access. False when the key was revoked already; throws not_found when the owner has no such key. */
export async function revokeKey(
  owner: Owner,
  change: AccessChange,
  activationId: string,
  keyId: string,
  now: Date,
): Promise<boolean> {
  if (await updateKeyRevoked(owner, change, activationId, keyId, now)) return true;
  if (!(await selectKeyForUpdate(owner, change.tx, activationId, keyId))) throw refuse('not_found');
  return false;
}

/** Revokes all keys of an activation, in the transaction that deletes it. */
export function revokeKeysOf(owner: Owner, change: AccessChange, activationId: string, now: Date): Promise<void> {
  return updateKeysRevoked(owner, change, activationId, now);
}

/** The number of active keys of an activation. */
export function countActiveKeys(owner: Owner, db: Db, activationId: string): Promise<number> {
  return countActive(owner, db, activationId);
}

/** Requires the customer's lock. */
async function requireFewMadeToday(owner: Owner, tx: Tx, now: Date): Promise<void> {
  const since = new Date(startOfDay(dayOf(now.getTime())));
  if ((await countMadeSince(owner, tx, since)) >= maxKeysPerDay) throw refuse('too_many_keys_today');
}

function newKey(isTest: boolean) {
  const apiKey = makeApiKey(randomBytes(120), isTest);
  return {
    apiKey,
    stored: { id: newId('KEY'), hash: sha256(apiKey), hint: keyHint(apiKey), prefix: keyPrefix(apiKey) },
  };
}

/** Calls with test keys must never reach the real API, so a product without a sandbox has no test keys. */
function requireSandbox({ catalog }: Portal, serviceId: string): void {
  if (catalog.find(serviceId)?.sandbox === undefined) throw refuse('no_sandbox');
}

function validateTerms({ expiresAt, dailyCap }: KeyTerms, isTest: boolean, now: Date): void {
  if (expiresAt !== null && new Date(expiresAt) <= now) throw refuse('key_end_past');
  if (isTest && dailyCap !== null) throw refuse('test_key_uncapped');
}

/** Selects and locks a key that can still be changed or replaced, with its product. */
async function selectUsableKey(owner: Owner, tx: Tx, activationId: string, keyId: string, now: Date) {
  const activation = await lockActivation(owner, tx, activationId);
  if (!activation) throw refuse('not_found');
  await lockCustomer(owner, tx);
  const key = await selectKeyForUpdate(owner, tx, activationId, keyId);
  if (key === undefined) throw refuse('not_found');
  const isOver = key.expires_at !== null && key.expires_at <= now;
  if (key.revoked_at !== null || key.replaced_by !== null || isOver) throw refuse('key_ended');
  return { ...key, service: activation.service_id };
}
