import { randomBytes } from 'node:crypto';
import type { Db } from '#shared/database/connect.ts';

/** A secret of this installation, generated on first use; every process gets the same one. */
export async function installationSecret(db: Db, name: string): Promise<Buffer> {
  await db
    .insertInto('installation_secrets')
    .values({ name, secret: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { secret } = await db
    .selectFrom('installation_secrets')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return secret;
}
