import { type AccessChange, changeAccess } from '#database/access.ts';
import type { TestDatabase } from '#database/test-database.ts';

/** Changes what gateways may remember of an activation. True when every living gateway has confirmed it. */
export async function changeAccessOf(
  { db }: Pick<TestDatabase, 'db'>,
  activationId: string,
  work: (tx: AccessChange['tx']) => Promise<unknown>,
): Promise<boolean> {
  const { effectiveBy } = await changeAccess({ db, log: { error: () => {} } }, async (change) => {
    change.announce(activationId);
    await work(change.tx);
  });
  return effectiveBy === null;
}

/** Revokes a key. True when every living gateway refuses it from now on. */
export function revokeKey(database: Pick<TestDatabase, 'db'>, activationId: string, keyId: string): Promise<boolean> {
  return changeAccessOf(database, activationId, (tx) =>
    tx.updateTable('api_keys').set({ revoked_at: new Date() }).where('id', '=', keyId).execute(),
  );
}
