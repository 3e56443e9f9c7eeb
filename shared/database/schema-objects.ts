import type { ClientBase } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { octroiVersion } from '#shared/platform/version.ts';
import { type SchemaFiles, type SchemaObject, statementsIn } from './schema-files.ts';
import { standingObjects } from './schema-parts.ts';

type Query = (text: string) => Promise<{ rows: unknown[] }>;

/** Each object has its hash and the version that put it in as its comment in the database. */
const marksOfObjects = `
  select mark from (
    select obj_description(oid, 'pg_proc') as mark from pg_proc where pronamespace = 'public'::regnamespace
    union all select obj_description(oid, 'pg_class') from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
    union all select obj_description(t.oid, 'pg_trigger') from pg_trigger t join pg_class r on r.oid = tgrelid
      where relnamespace = 'public'::regnamespace and not tgisinternal) marks
  where mark ~ '^octroi \\d+\\.\\d+\\.\\d+ [0-9a-f]{64}$'`;

const byNumbers = new Intl.Collator('en', { numeric: true });
const isLater = (version: string, than: string): boolean => byNumbers.compare(version, than) > 0;

/** Creates functions, views and triggers, or puts them in the place of those that stand. */
export async function putIn(
  client: ClientBase,
  objects: readonly SchemaObject[],
  version = octroiVersion(),
): Promise<void> {
  // Functions may name what is created after them.
  await client.query('set local check_function_bodies = off');
  for (const { name, sql, hash } of objects) {
    const again = name.startsWith('trigger ')
      ? `drop ${name.replace(/^trigger (\w+)/, 'trigger if exists $1')};\n`
      : '';
    await client.query(`${again}${sql}comment on ${name} is 'octroi ${version} ${hash}'`).catch((error: unknown) => {
      throw new Error(`The ${name} can't be put in: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    });
  }
}

interface Mark {
  version: string;
  hash: string;
}

function readMark(comment: string): Mark | undefined {
  const [, version, hash] = /^octroi (\d+\.\d+\.\d+) ([0-9a-f]{64})$/.exec(comment) ?? [];
  return version === undefined || hash === undefined ? undefined : { version, hash };
}

async function readMarks(query: Query): Promise<Mark[]> {
  const found = checkedRows(z.object({ mark: z.string() }), await query(marksOfObjects));
  return found.flatMap(({ mark }) => readMark(mark) ?? []);
}

/** The later version that put in an object with this comment; undefined for one of this version, an earlier one or nobody's. */
export function laterVersionIn(comment = '', version = octroiVersion()): string | undefined {
  const mark = readMark(comment);
  return mark && isLater(mark.version, version) ? mark.version : undefined;
}

/** What a database lacks of this version, or has in another form; nothing where a later version has put in its own. */
interface Due {
  parts: SchemaFiles['parts'];
  objects: SchemaObject[];
}

/** Tables that are missing, and functions, views and triggers that are missing or have another text. */
export async function dueIn(
  client: ClientBase,
  { parts, objects }: SchemaFiles,
  version = octroiVersion(),
): Promise<Due> {
  const marks = await readMarks((text) => client.query(text));
  if (marks.some((mark) => isLater(mark.version, version))) return { parts: [], objects: [] };
  const standing = new Set(marks.map(({ hash }) => hash));
  const named = parts.flatMap(({ table }) => (table === undefined ? [] : [table]));
  const found = await client.query(
    // Not to_regclass: the processes may not look into the schema of partitions.
    `select name from unnest($1::text[]) as name where not exists (select from pg_class r join pg_namespace s on s.oid = r.relnamespace
       where s.nspname || '.' || r.relname = case when strpos(name, '.') > 0 then name else 'public.' || name end)`,
    [named],
  );
  const missing = new Set(checkedRows(z.object({ name: z.string() }), found).map(({ name }) => name));
  return {
    parts: parts.filter(({ table }) => table !== undefined && missing.has(table)),
    objects: objects.filter(({ hash }) => !standing.has(hash)),
  };
}

/** What a fingerprint and an object of the files have in common of their names. */
const shortName = (name: string): string => name.replace(/\(.*/s, '').replace(/^(trigger \w+) on /, '$1 of ');

/**
 * The same, with objects that were changed or switched off by hand since they were put in: their comments still name this version. Writing out all
 * that stands takes a tenth of a second.
 */
export async function dueOrChangedIn(client: ClientBase, files: SchemaFiles, version = octroiVersion()): Promise<Due> {
  const due = await dueIn(client, files, version);
  if (files.fingerprints === undefined) return due;
  const standing = await standingObjects((text) => client.query(text));
  if ([...standing.values()].some(({ mark }) => laterVersionIn(mark, version) !== undefined)) return due;
  const differing = [...files.fingerprints()].filter(([name, hash]) => standing.get(name)?.hash !== hash);
  const changed = new Set(differing.map(([name]) => shortName(name)));
  const known = new Set(due.objects);
  return {
    ...due,
    objects: files.objects.filter((object) => known.has(object) || changed.has(shortName(object.name))),
  };
}

export const namesOf = ({ parts, objects }: Due): string[] => [
  ...parts.map(({ table }) => `table ${table}`),
  ...objects.map(({ name }) => name),
];

/** In a transaction: creates the tables that are missing and puts in the objects that are due. Returns the names of what it put in. */
export async function refreshObjects(
  client: ClientBase,
  files: SchemaFiles,
  version = octroiVersion(),
): Promise<string[]> {
  const due = await dueOrChangedIn(client, files, version);
  if (due.parts.length > 0) {
    await client.query('set local check_function_bodies = off');
    for (const { sql, table } of files.parts) if (table === undefined) await client.query(repeatable(sql));
  }
  for (const { sql } of due.parts) await client.query(sql);
  await putIn(client, due.objects, version);
  for (const { calls } of due.parts) await client.query(calls);
  return namesOf(due);
}

/** What stands above the tables, such as a type or a function that a constraint calls: made where it is missing. */
function repeatable(sql: string): string {
  return statementsIn(sql)
    .map((statement) => {
      const [, kind = '', name = ''] = /^create (type|sequence|schema) (\w+)/i.exec(statement) ?? [];
      const look = { type: 'to_regtype', sequence: 'to_regclass', schema: 'to_regnamespace' }[kind.toLowerCase()];
      if (look === undefined) return statement;
      return `do $make$ begin if ${look}('${name}') is null then ${statement} end if; end $make$;`;
    })
    .join('\n');
}
