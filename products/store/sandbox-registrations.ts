import type { PoolClient } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { deleteBatches } from '#products/store/delete-batches.ts';
import type { Store } from '#products/store/store.ts';

/** A registration by a test key, of one caller. */
export interface SandboxRegistration {
  document: string;
  registeredAt: Date;
  cancelledAt: Date | null;
}

/** How long the portal returns a registration; then it is deleted. */
export const registrationLifetimeMs = 48 * 3_600_000;

/** The most that is stored for one customer. */
export interface RegistrationLimits {
  registrations: number;
  bytes: number;
}

/** Calls of test keys are free and must not fill the disk; as much as of stored responses. */
export const registrationLimits: RegistrationLimits = { registrations: 1000, bytes: 16 * 1024 * 1024 };

/** Who registers: the activation whose test key makes the call, and the customer whose limits apply. */
export interface Registrant {
  caller: string;
  customer: string;
}

const rowSchema = z.object({ document: z.string(), registered_at: z.date(), cancelled_at: z.date().nullable() });

/**
 * Stores a registration unless its number is already registered; returns the one that counts, whichever process stored
 * it. A customer's oldest registrations beyond the limits are evicted. `nowMs` is epoch milliseconds.
 */
export function keepRegistration(
  store: Store,
  { caller, customer }: Registrant,
  { irn, document }: { irn: string; document: string },
  nowMs: number,
  limits: RegistrationLimits = registrationLimits,
): Promise<SandboxRegistration & { isNew: boolean }> {
  return store.transaction(async (client) => {
    // One at a time per customer; two concurrent ones would not see each other's registration.
    await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [registrationsLock, customer]);
    const written = await client.query(
      `insert into products.sandbox_registrations as held (caller, irn, document, registered_at, customer) values ($1, $2, $3, $4, $6)
       on conflict (caller, irn) do update set document = excluded.document, registered_at = excluded.registered_at,
           customer = excluded.customer, cancelled_at = null
         where held.registered_at < $5
       returning document, registered_at, cancelled_at`,
      [caller, irn, document, new Date(nowMs), new Date(nowMs - registrationLifetimeMs), customer],
    );
    const [inserted] = checkedRows(rowSchema, written);
    if (inserted === undefined) {
      const earlier = await selectRegistration(client, caller, irn);
      if (earlier === undefined) throw new Error('a registration was deleted while it was read');
      return { ...earlier, isNew: false };
    }
    await evictOldest(client, { caller, customer, irn }, limits);
    return { ...registrationOf(inserted), isNew: true };
  });
}

/** An arbitrary number that no other advisory lock begins with: the letters "regi". */
const registrationsLock = 0x72656769;

/** The one just written stays, even if it is larger than the limit or another process has a later clock. */
async function evictOldest(
  client: PoolClient,
  { caller, customer, irn }: Registrant & { irn: string },
  limits: RegistrationLimits,
): Promise<void> {
  await client.query(
    `with ranked as (
       select ctid, caller = $2 and irn = $3 as is_new, row_number() over newest as place, sum(octet_length(document)) over newest as bytes
       from products.sandbox_registrations where customer = $1
       window newest as (order by caller = $2 and irn = $3 desc, registered_at desc, caller, irn)
     )
     delete from products.sandbox_registrations
     where ctid = any(array(select ctid from ranked where not is_new and (place > $4 or bytes > $5)))`,
    [customer, caller, irn, limits.registrations, limits.bytes],
  );
}

/** The registration of a caller under a number; undefined for none. */
export function findRegistration(store: Store, caller: string, irn: string): Promise<SandboxRegistration | undefined> {
  return store.transaction((client) => selectRegistration(client, caller, irn));
}

async function selectRegistration(
  client: PoolClient,
  caller: string,
  irn: string,
): Promise<SandboxRegistration | undefined> {
  const found = await client.query(
    'select document, registered_at, cancelled_at from products.sandbox_registrations where caller = $1 and irn = $2',
    [caller, irn],
  );
  const [row] = checkedRows(rowSchema, found);
  return row && registrationOf(row);
}

/** Cancels a registration. False when it was already cancelled. */
export function cancelRegistration(store: Store, caller: string, irn: string, nowMs: number): Promise<boolean> {
  return store.transaction(async (client) => {
    const { rowCount } = await client.query(
      'update products.sandbox_registrations set cancelled_at = $3 where caller = $1 and irn = $2 and cancelled_at is null',
      [caller, irn, new Date(nowMs)],
    );
    return rowCount === 1;
  });
}

/** Deletes the registrations of all callers that the portal no longer returns. */
export function deleteOldRegistrations(store: Store, nowMs: number, stopping: AbortSignal): Promise<number> {
  return deleteBatches(
    store,
    `delete from products.sandbox_registrations where ctid = any(array(
       select ctid from products.sandbox_registrations where registered_at < $1 limit $2 for update skip locked))`,
    new Date(nowMs - registrationLifetimeMs),
    stopping,
  );
}

function registrationOf(row: z.output<typeof rowSchema>): SandboxRegistration {
  return { document: row.document, registeredAt: row.registered_at, cancelledAt: row.cancelled_at };
}
