import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import { refusalOf } from '#shared/database/setback.ts';

/** A command runs on no database that a restore left unfinished; one with the settings of production never works on a rehearsal's database, nor the reverse. */
export async function requireSameKind(db: Db, { rehearsal }: { rehearsal: boolean }): Promise<void> {
  // Commands also look at databases of older versions, which have no such table.
  const there = await sql`select from pg_class where oid = to_regclass('installation')`.execute(db);
  const found =
    there.rows.length === 0
      ? undefined
      : await db.selectFrom('installation').select(['is_rehearsal', 'setback', 'setback_reason']).executeTakeFirst();
  const isRehearsal = found?.is_rehearsal ?? false;
  const refusal = refusalOf(found?.setback, found?.setback_reason);
  if (refusal !== undefined) throw new Error(refusal);
  if (isRehearsal === rehearsal) return;
  throw new Error(
    isRehearsal
      ? 'This database is a rehearsal’s. Use the settings of the rehearsal: octroi.env in its folder.'
      : 'REHEARSAL is set, and this database is not a rehearsal’s. Use the settings of this installation.',
  );
}
