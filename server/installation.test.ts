import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { requireSameKind } from './installation.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('a command with other settings than the database is refused, and one of an older version finds no such table', async () => {
  const { db } = database;
  await requireSameKind(db, { rehearsal: false });
  await expect(requireSameKind(db, { rehearsal: true })).rejects.toThrow('not a rehearsal’s');
  await sql`update installation set is_rehearsal = true`.execute(database.owner.db);
  await requireSameKind(db, { rehearsal: true });
  await expect(requireSameKind(db, { rehearsal: false })).rejects.toThrow('octroi.env in its folder');
  await sql`alter table installation rename to before_it`.execute(database.owner.db);
  await requireSameKind(db, { rehearsal: false });
});
