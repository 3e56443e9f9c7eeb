import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { openClient } from '#shared/database/clients.ts';
import { removeEmbedded, startEmbedded } from '#shared/database/embedded.ts';
import { migrate } from '#shared/database/migrate.ts';
import { factsOf } from '#shared/database/table-facts.ts';
import { readSchemaFiles } from '#shared/database/schema-files.ts';
import { fingerprintsFile, standingObjects } from '#shared/database/schema-parts.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { report } from './report.ts';
import { tableTypes } from './table-types.ts';

/** Makes a database of shared/database/schema in a real PostgreSQL. */
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
    return { objects, types: await tableTypes((text) => client.query(text), factsOf) };
  } finally {
    await client.end();
    await removeEmbedded(dataDir);
  }
}

/** Writes (`--write`) or verifies what follows from shared/database/schema: the fingerprints, and the types of the tables. */
const { objects, types } = await madeSchema();
const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const generated = [
  { file: fingerprintsFile, text: [...objects].map(([name, { hash }]) => `${hash} ${name}\n`).join('') },
  { file: projectFolder('shared', 'database', 'tables.ts'), text: types.text },
];
const stale = generated.filter(({ file, text }) => {
  if (flags.write) writeFileSync(file, text);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
report(`schema: ${objects.size} fingerprints, and the types of ${factsOf.size} tables`, [
  ...stale.map(
    ({ file }) => `${relative(projectFolder(), file)} is not of shared/database/schema; run: npm run schema`,
  ),
  ...types.faults,
]);
