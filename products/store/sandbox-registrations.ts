import type { Store } from '#products/store/store.ts';

/** A registration by a test key, of one caller. */
export interface SandboxRegistration {
  document: string;
  registeredAt: Date;
  cancelledAt: Date | null;
}

/** How long the portal returns a registration; then it is deleted. */
export const toldForMs = 48 * 3_600_000;
/** Only the newest are kept per caller: calls of test keys are free, and must not fill the disk. */
export const maxRegistrations = 1000;

interface Row {
  document: string;
  registered_at: Date;
  cancelled_at: Date | null;
}

/**
 * Stores a registration unless its number is already registered; returns the one that counts, whichever process stored
 * it. `nowMs` is epoch milliseconds.
 */
export function keepRegistration(
  store: Store,
  caller: string,
  irn: string,
  document: string,
  nowMs: number,
): Promise<SandboxRegistration & { isNew: boolean }> {
  return store.transaction(async (client) => {
    // Several processes may do this at once: rows that another one is deleting are skipped.
    await client.query(
      `delete from products.sandbox_registrations where (caller, irn) in (
         select caller, irn from products.sandbox_registrations where registered_at < $1 limit 100 for update skip locked)`,
      [new Date(nowMs - toldForMs)],
    );
    const { rows: inserted } = await client.query<Row>(
      `insert into products.sandbox_registrations (caller, irn, document, registered_at) values ($1, $2, $3, $4)
       on conflict do nothing returning document, registered_at, cancelled_at`,
      [caller, irn, document, new Date(nowMs)],
    );
    await client.query(
      `delete from products.sandbox_registrations where caller = $1 and irn in (
         select irn from products.sandbox_registrations where caller = $1 order by registered_at desc, irn offset $2)`,
      [caller, maxRegistrations],
    );
    const [row] =
      inserted.length > 0
        ? inserted
        : (
            await client.query<Row>(
              'select document, registered_at, cancelled_at from products.sandbox_registrations where caller = $1 and irn = $2',
              [caller, irn],
            )
          ).rows;
    if (row === undefined) throw new Error('a registration was deleted while it was read');
    return { ...registrationOf(row), isNew: inserted.length > 0 };
  });
}

/** The registration of a caller under a number; undefined for none. */
export function findRegistration(store: Store, caller: string, irn: string): Promise<SandboxRegistration | undefined> {
  return store.transaction(async (client) => {
    const { rows } = await client.query<Row>(
      'select document, registered_at, cancelled_at from products.sandbox_registrations where caller = $1 and irn = $2',
      [caller, irn],
    );
    return rows[0] && registrationOf(rows[0]);
  });
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

function registrationOf(row: Row): SandboxRegistration {
  return { document: row.document, registeredAt: row.registered_at, cancelledAt: row.cancelled_at };
}
