import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeEmbedded, startEmbedded } from '#database/embedded.ts';
import { migrate } from '#database/migrate.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { report } from './report.ts';
import { describeSchema } from './schema-text.ts';

/** Writes (`--write`) or verifies database/schema.sql: the result of all migrations, in a real PostgreSQL. */
async function schemaOfMigrations(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'octroi-schema-'));
  chmodSync(dataDir, 0o711);
  const server = await startEmbedded({ dataDir, logFile: join(dataDir, 'postgres.log'), durable: false });
  try {
    await migrate(server.databaseUrl);
    return await describeSchema(server.databaseUrl);
  } finally {
    await removeEmbedded(dataDir);
  }
}

const file = projectFolder('database', 'schema.sql');
const wanted = await schemaOfMigrations();
const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
if (flags.write) writeFileSync(file, wanted);
const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === wanted;
const tables = wanted.match(/^create table /gm)?.length ?? 0;
report(
  `schema.sql: ${tables} tables`,
  isCurrent ? [] : ['database/schema.sql does not match the migrations; run: npm run schema'],
);
