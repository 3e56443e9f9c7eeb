import { readFileSync } from 'node:fs';
import { projectFolder } from '#platform/project-folder.ts';
import { report } from './report.ts';
import { readSchema, tableFaults } from './tables-rules.ts';

/** The types of the tables match the database: every table, column, type and null. */
const sql = readFileSync(projectFolder('database', 'schema.sql'), 'utf8');
const faults = await tableFaults(sql, projectFolder('database', 'tables.ts'));
const title = `types of the tables: ${readSchema(sql).schema.size} tables and views`;
report(
  title,
  faults.map((fault) => `database/tables.ts: ${fault}.`),
);
