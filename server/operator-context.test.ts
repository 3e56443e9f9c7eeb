import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { asOperator } from './operator-context.ts';

test('an action of an operator makes no copy of the catalogue on the disk, also when it can’t begin', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const temporary = mkdtempSync(join(tmpdir(), 'octroi-operator-'));
  onTestFinished(() => rmSync(temporary, { recursive: true }));
  vi.stubEnv('TMPDIR', temporary);
  vi.stubEnv('DATABASE_URL', database.databaseUrl);
  vi.stubEnv('CATALOG_DIR', projectFolder('ship', 'standins', 'catalog'));
  onTestFinished(() => void vi.unstubAllEnvs());

  expect(await asOperator(async () => readdirSync(temporary))).toEqual([]);
  await sql`alter table clock rename to clock_away`.execute(database.owner.db);
  await expect(asOperator(async () => undefined)).rejects.toThrow('clock');
  expect(readdirSync(temporary)).toEqual([]);
  await sql`alter table clock_away rename to clock`.execute(database.owner.db);
  await sql`drop schema pgboss cascade`.execute(database.owner.db);
  await sql`create schema pgboss authorization octroi_run; create table pgboss.version (wrong int);
    alter table pgboss.version owner to octroi_run`.execute(database.owner.db);
  await expect(asOperator(async () => undefined)).rejects.toThrow('pgboss.version');
  expect(readdirSync(temporary)).toEqual([]);
});
