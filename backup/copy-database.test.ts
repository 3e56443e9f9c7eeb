import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openClient } from '#shared/database/clients.ts';
import { rememberDatabase } from '#shared/database/database-memory.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { createLog } from '#shared/platform/log.ts';
import { keepPlace } from './copy-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-copied-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('who goes back to the database before its copy is noticed; who goes on with the copy is not', async () => {
  const databases = [await createTestDatabase(), await createTestDatabase()];
  const [source, target] = databases.map(({ databaseUrl }) => openClient({ connectionString: databaseUrl }));
  if (source === undefined || target === undefined) throw new Error('two databases');
  const clients: readonly Client[] = [source, target];
  try {
    for (const client of clients) {
      await client.connect();
      await client.query(`update installation set id = 'INS-1'`);
    }
    await source.query('update installation set runs_on = database_place()');
    const { look, refusal } = rememberDatabase(folder, createLog('test', { level: 'silent' }));
    await look(source);
    await keepPlace(source, target);
    await look(target);
    expect(refusal()).toBeUndefined();
    const kept = await target.query('select from installation where runs_on = database_place() and setback is null');
    expect(kept.rowCount).toBe(1);
    await look(source);
    expect(refusal()).toContain('octroi restore --finish');
  } finally {
    for (const client of clients) await client.end();
    for (const { close } of databases) await close();
  }
});
