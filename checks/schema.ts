import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openClient } from '#database/clients.ts';
import { removeEmbedded, startEmbedded } from '#database/embedded.ts';
import { migrate } from '#database/migrate.ts';
import { readSchemaFiles } from '#database/schema-files.ts';
import { fingerprintsFile, standingObjects } from '#database/schema-parts.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { report } from './report.ts';
import { describeSchema } from './schema-text.ts';
import { readSchema, tableFaults } from './tables-rules.ts';

/** Makes a database of database/schema in a real PostgreSQL. */
async function madeSchema() {
  const dataDir = mkdtempSync(join(tmpdir(), 'octroi-schema-'));
  chmodSync(dataDir, 0o711);
  const { databaseUrl } = await startEmbedded({ dataDir, logFile: join(dataDir, 'postgres.log'), durable: false });
  const client = openClient({ connectionString: databaseUrl });
  try {
    await migrate(databaseUrl);
    await client.connect();
    const objects = await standingObjects((text) => client.query(text));
    // `migrate` doesn't look into functions, which may name what stands below them; now everything stands.
    for (const { name, sql } of readSchemaFiles().objects) if (name.startsWith('function ')) await client.query(sql);
    return { objects, text: await describeSchema(databaseUrl) };
  } finally {
    await client.end();
    await removeEmbedded(dataDir);
  }
}

/** Writes (`--write`) or verifies what follows from database/schema: the fingerprints, and the types of the tables. */
const { objects, text } = await madeSchema();
const wanted = [...objects].map(([name, { hash }]) => `${hash} ${name}\n`).join('');
const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
if (flags.write) writeFileSync(fingerprintsFile, wanted);
const isCurrent = existsSync(fingerprintsFile) && readFileSync(fingerprintsFile, 'utf8') === wanted;
const faults = await tableFaults(text, projectFolder('database', 'tables.ts'));
report(`schema: ${readSchema(text).schema.size} tables and views, ${objects.size} fingerprints`, [
  ...(isCurrent ? [] : ['database/fingerprints.txt is not of database/schema; run: npm run schema']),
  ...faults.map((fault) => `database/tables.ts: ${fault}.`),
]);
