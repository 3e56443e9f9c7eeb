import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '#shared/database/connect.ts';

/** A secret of this installation, generated on first use; every process gets the same one. */
export async function installationSecret(db: Db | Tx, name: string): Promise<Buffer> {
  const known = await selectSecret(db, name);
  if (known) return known.secret;
  await db
    .insertInto('installation_secrets')
    .values({ name, secret: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await selectSecret(db, name);
  if (!made) throw new Error(`the secret ${name} can't be kept`);
  return made.secret;
}

const selectSecret = (db: Db | Tx, name: string) =>
  db.selectFrom('installation_secrets').select('secret').where('name', '=', name).executeTakeFirst();
