import { sql } from 'kysely';
import { z } from 'zod';
import type { KeyTerms } from '#shared/contract/api-keys.ts';
import type { AccessChange } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Actor, Owner } from '#server/portal.ts';

const countOwn = (owner: Owner, db: Db | Tx) =>
  db.selectFrom('api_keys').select(countRows().as('count')).where('customer_id', '=', owner.customerId);

export async function countActive(owner: Owner, db: Db | Tx, activationId?: string): Promise<number> {
  let query = countOwn(owner, db).where('revoked_at', 'is', null).where('replaced_by', 'is', null);
  if (activationId !== undefined) query = query.where('activation_id', '=', activationId);
  const { count } = await query.executeTakeFirstOrThrow();
  return count;
}

/** The number of a customer's keys that were replaced and still work. */
export async function countOverlapping(owner: Owner, tx: Tx, now: Date): Promise<number> {
  const { count } = await countOwn(owner, tx)
    .where('revoked_at', 'is', null)
    .where('replaced_by', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of keys that a customer has made since then, the ended ones too. */
export async function countMadeSince(owner: Owner, tx: Tx, since: Date): Promise<number> {
  const { count } = await countOwn(owner, tx).where('created_at', '>=', since).executeTakeFirstOrThrow();
  return count;
}

export async function insertApiKey(
  owner: Actor,
  change: AccessChange,
  key: KeyTerms & {
    id: string;
    activationId: string;
    name: string;
    hash: Buffer;
    hint: string;
    prefix: string;
    isTest: boolean;
    isForTrying: boolean;
    now: Date;
  },
): Promise<void> {
  change.announce(key.activationId);
  await change.tx
    .insertInto('api_keys')
    .values({
      id: key.id,
      activation_id: key.activationId,
      customer_id: owner.customerId,
      name: key.name,
      key_hash: key.hash,
      hint: key.hint,
      prefix: key.prefix,
      created_at: key.now,
      revoked_at: null,
      test: key.isTest,
      for_trying: key.isForTrying,
      made_by: owner.memberId ?? null,
      ...columnsOf(key),
    })
    .execute();
}

function columnsOf({ expiresAt, allowedIps, dailyCap }: KeyTerms) {
  return { expires_at: expiresAt === null ? null : new Date(expiresAt), allowed_ips: allowedIps, daily_cap: dailyCap };
}

/** A key of the owner, locked until the end of the transaction. */
export function selectKeyForUpdate(owner: Owner, tx: Tx, activationId: string, keyId: string) {
  return tx
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateKeyTerms(
  owner: Owner,
  change: AccessChange,
  activationId: string,
  keyId: string,
  terms: KeyTerms,
): Promise<void> {
  change.announce(activationId);
  await change.tx
    .updateTable('api_keys')
    .set({ ...columnsOf(terms), for_trying: false })
    .where('id', '=', keyId)
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .execute();
}

/** Sets the successor, and ends the key at `endsAt`, or now if `endsAt` is not in the future. */
export async function updateKeyReplaced(
  owner: Owner,
  change: AccessChange,
  activationId: string,
  keyId: string,
  { endsAt, now, successor }: { endsAt: Date; now: Date; successor: string },
): Promise<void> {
  const end = endsAt > now ? { expires_at: endsAt } : { revoked_at: now };
  change.announce(activationId);
  await change.tx
    .updateTable('api_keys')
    .set({ replaced_by: successor, for_trying: false, ...end })
    .where('id', '=', keyId)
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .execute();
}

/** Marks expired keys as revoked at their expiry. */
export async function updateExpiredRevoked(owner: Owner, tx: Tx, now: Date): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set((key) => ({ revoked_at: key.ref('expires_at') }))
    .where('customer_id', '=', owner.customerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '<=', now)
    .execute();
}

/** Revokes a key that is not revoked yet, and announces that; false when the owner has no such key, or it was revoked already. */
export async function updateKeyRevoked(
  owner: Owner,
  change: AccessChange,
  activationId: string,
  keyId: string,
  now: Date,
): Promise<boolean> {
  const key = await change.tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', keyId)
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (key !== undefined) change.announce(activationId);
  return key !== undefined;
}

/** Revokes the key that was made before for trying calls, unless the customer changed it since: then it is the customer's own. */
export async function updateTryKeyRevoked(
  owner: Owner,
  change: AccessChange,
  activationId: string,
  now: Date,
): Promise<void> {
  await revokeKeysOf(owner, change, activationId, now).where('for_trying', '=', true).execute();
}

/** The names that a new key of the activation can't have. */
export async function selectTakenNames(owner: Owner, tx: Tx, activationId: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('api_keys')
    .select('name')
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('revoked_at', 'is', null)
    .where('replaced_by', 'is', null)
    .execute();
  return new Set(rows.map(({ name }) => name));
}

export async function updateKeysRevoked(
  owner: Owner,
  change: AccessChange,
  activationId: string,
  now: Date,
): Promise<void> {
  await revokeKeysOf(owner, change, activationId, now).execute();
}

/** Revokes those of an activation that are not revoked yet, and announces it. */
function revokeKeysOf(owner: Owner, change: AccessChange, activationId: string, now: Date) {
  change.announce(activationId);
  return change.tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('revoked_at', 'is', null);
}

const newNetwork = z.object({
  keyId: z.string(),
  keyName: z.string(),
  activationId: z.string(),
  customerId: z.string(),
  network: z.string(),
  address: z.string(),
  client: z.string(),
  at: z.date(),
  isFirst: z.boolean(),
  known: z.number(),
  isLive: z.boolean(),
});

/** Networks that the portal has not looked at: the oldest of each customer first, so that none waits for all of another. `known`: how many others the key is used from. */
export async function selectNewNetworks(db: Db, limit: number): Promise<z.output<typeof newNetwork>[]> {
  const result = await sql`
    select k.id as "keyId", k.name as "keyName", k.activation_id as "activationId", k.customer_id as "customerId",
      c.network::text as network, host(c.address) as address, c.client, c.first_at as at,
      not exists (select from key_clients o where o.key_id = c.key_id and o.network <> c.network and o.first_at <= c.first_at) as "isFirst",
      (select count(*) from key_clients o where o.key_id = c.key_id and o.network <> c.network) as known,
      (k.revoked_at is null and not k.test) as "isLive"
    from (
      select c.*, row_number() over (partition by k.customer_id order by c.first_at, c.network) as turn
      from key_clients c join api_keys k on k.id = c.key_id where not c.announced order by turn, first_at limit ${limit}
    ) c join api_keys k on k.id = c.key_id
    order by c.turn, c.first_at`.execute(db);
  return checkedRows(newNetwork, result);
}

export async function updateAnnounced(tx: Tx, keyId: string, network: string): Promise<void> {
  await tx
    .updateTable('key_clients')
    .set({ announced: true })
    .where('key_id', '=', keyId)
    .where('network', '=', network)
    .execute();
}
