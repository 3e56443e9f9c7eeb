import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#shared/platform/project-folder.ts';

export const schemaFolder = projectFolder('shared', 'database', 'schema');

/** The files of shared/database/schema. What the tables of a file refer to stands in a file above it. */
export const schemaNouns = [
  'installation',
  'customers',
  'members',
  'activations',
  'cycles',
  'payments',
  'mandates',
  'credit',
  'recharges',
  'bank-transfers',
  'refunds',
  'disputes',
  'settlements',
  'documents',
  'e-invoices',
  'amendments',
  'period-locks',
  'tax-claims',
  'tds-claims',
  'ledger',
  'day-sums',
  'seals',
  'sealed-records',
  'api-keys',
  'gateways',
  'quota',
  'usage',
  'request-log',
  'catalog',
  'operator',
  'operators',
  'accountants',
  'support',
  'mails',
  'webhooks',
  'rounds',
  'api-status',
] as const;

/** A function, view or trigger: it can be put in again at any time. */
export interface SchemaObject {
  /** As SQL names it after `comment on`: `trigger sealed on refunds`. */
  name: string;
  sql: string;
  /** SHA-256 of the SQL. */
  hash: string;
}

/** A table with its indexes, settings and first rows; or what stands above the first table of a file. */
interface SchemaPart {
  table: string | undefined;
  sql: string;
  /** What is called once every function and trigger is there. */
  calls: string;
}

export interface SchemaFiles {
  parts: SchemaPart[];
  /** Functions, then views, then triggers. */
  objects: SchemaObject[];
  /** Reads the hash of each object as PostgreSQL writes it out (schema-parts.ts); only for the schema of this version. */
  fingerprints?: () => ReadonlyMap<string, string>;
}

const withoutHead = (text: string): string => text.replace(/^(?:\s+|--[^\n]*)+/, '');

/** The statements of a text of SQL, without the comments above them. Throws if the last one has no end. */
export function statementsIn(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  for (const { 0: token, index } of sql.matchAll(/--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;/g)) {
    if (token !== ';') continue;
    statements.push(withoutHead(sql.slice(start, index + 1)));
    start = index + 1;
  }
  const rest = withoutHead(sql.slice(start));
  if (rest !== '') throw new Error(`A statement has no semicolon: ${rest.slice(0, 80)}`);
  return statements;
}

const isTable = /^create table ([\w.]+)/i;

const kinds = ['function', 'view', 'trigger'] as const;

/** What `comment on` calls the object that a statement creates; undefined for statements that can't be repeated. */
function objectIn(statement: string): { kind: (typeof kinds)[number]; name: string } | undefined {
  const [, called, parameters] =
    /^create or replace function (\w+)\s*\(((?:[^()]|\([^()]*\))*)\)/i.exec(statement) ?? [];
  if (called !== undefined) {
    const types = (parameters ?? '').replaceAll(/\s+default\s+[^,]+/gi, '').replaceAll(/\s+/g, ' ');
    return { kind: 'function', name: `function ${called}(${types.trim()})` };
  }
  const [, view] = /^create or replace view (\w+)/i.exec(statement) ?? [];
  if (view !== undefined) return { kind: 'view', name: `view ${view}` };
  const [, trigger, table] = /^create (?:constraint )?trigger (\w+)\s[\s\S]*?\son (\w+)\s/i.exec(statement) ?? [];
  return trigger === undefined ? undefined : { kind: 'trigger', name: `trigger ${trigger} on ${table}` };
}

const addToLast = (list: { sql: string }[], sql: string): void => {
  const last = list.at(-1);
  if (last) last.sql += `${sql}\n`;
};

const withHash = (object: { name: string; sql: string }): SchemaObject => ({
  ...object,
  hash: createHash('sha256').update(object.sql).digest('hex'),
});

/** Reads the text of one file. Functions above its first table belong to the tables too: constraints call them. */
export function readSchemaFile(text: string): SchemaFiles {
  const first: SchemaPart = { table: undefined, sql: '', calls: '' };
  const parts = [first];
  const objects: Record<(typeof kinds)[number], { name: string; sql: string }[]> = {
    function: [],
    view: [],
    trigger: [],
  };
  const statements = statementsIn(text.replaceAll('\r\n', '\n'));
  const firstTable = statements.findIndex((statement) => isTable.test(statement));
  for (const [index, statement] of statements.entries()) {
    const object = objectIn(statement);
    const [, table] = isTable.exec(statement) ?? [];
    if (table !== undefined) parts.push({ table, sql: `${statement}\n`, calls: '' });
    else if (object) objects[object.kind].push({ name: object.name, sql: `${statement}\n` });
    else if (/^alter table \w+ enable always trigger /i.test(statement)) addToLast(objects.trigger, statement);
    else if (/^select\b/i.test(statement)) (parts.at(-1) ?? first).calls += `${statement}\n`;
    else addToLast(parts, statement);
    if (object?.kind === 'function' && index < firstTable) addToLast(parts, statement);
    if (index > firstTable && firstTable >= 0 && /^create (?:type|sequence|schema|extension)\b/i.test(statement))
      throw new Error(`Above the first table of its file belongs: ${statement.slice(0, 80)}`);
  }
  return { parts, objects: kinds.flatMap((kind) => objects[kind].map(withHash)) };
}

/** Every table of this version as it is now, and everything that can be put in again. */
export function readSchemaFiles(folder = schemaFolder): SchemaFiles {
  const files = schemaNouns.map((noun) => readSchemaFile(readFileSync(join(folder, `${noun}.sql`), 'utf8')));
  const objects = files.flatMap((file) => file.objects);
  return {
    parts: files.flatMap((file) => file.parts),
    objects: kinds.flatMap((kind) => objects.filter(({ name }) => name.startsWith(`${kind} `))),
  };
}
