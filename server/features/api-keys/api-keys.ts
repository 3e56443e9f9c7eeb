import { randomBytes } from 'node:crypto';
import { announceAccessChange, awaitAccessChange } from '#database/access.ts';
import type { Db, Tx } from '#database/connect.ts';
import { transaction } from '#database/transaction.ts';
import { keyHint, keyNameFault, makeApiKey } from '#domain/api-key.ts';
import { lockActivation } from '#server/features/cycles/cycles.ts';
import { underConstraints } from '#server/platform/constraints.ts';
import { newId, sha256 } from '#server/platform/ids.ts';
import { refuse } from '#server/platform/refuse.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { countActive, insertApiKey, updateKeyRevoked, updateKeysRevoked } from './store.ts';

/** Active keys that a customer may have over all activations. */
const maxActiveKeys = 20;

/** Makes a key. The key itself is in the answer and nowhere else; only its SHA-256 is stored. */
export async function generateApiKey(portal: Portal, caller: Caller, activationId: string, keyName: string) {
  const now = new Date(portal.clock());
  const apiKey = makeApiKey(randomBytes(120));
  const id = newId('KEY');
  await underConstraints(() =>
    transaction(portal.db, async (tx) => {
      if (!(await lockActivation(caller, tx, activationId))) throw refuse('not_found');
      if (keyNameFault(keyName)) throw refuse('invalid_key_name');
      if ((await countActive(caller, tx)) >= maxActiveKeys) throw refuse('too_many_keys');
      await insertApiKey(caller, tx, {
        id,
        activationId,
        name: keyName,
        hash: sha256(apiKey),
        hint: keyHint(apiKey),
        now,
      });
      await announceAccessChange(tx, activationId);
    }),
  );
  return { apiKey, id, keyName, createdAt: now.toISOString() };
}

/** Revokes a key for good; when this returns, every gateway refuses it. */
export async function revokeApiKey(portal: Portal, caller: Caller, activationId: string, keyId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    const now = new Date(portal.clock());
    if (!(await updateKeyRevoked(caller, tx, activationId, keyId, now))) throw refuse('not_found');
    await announceAccessChange(tx, activationId);
  });
  await awaitAccessChange(portal.db);
}

/** Revokes all keys of an activation, in the transaction that deletes it. */
export function revokeKeysOf(caller: Caller, tx: Tx, activationId: string, now: Date): Promise<void> {
  return updateKeysRevoked(caller, tx, activationId, now);
}

/** How many keys of an activation are active. */
export function countActiveKeys(caller: Caller, db: Db, activationId: string): Promise<number> {
  return countActive(caller, db, activationId);
}
