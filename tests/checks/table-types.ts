import { z } from 'zod';
import type { TableFact } from '#shared/database/fact-builders.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** How values arrive in JavaScript: shared/database/value-parsers.ts and the defaults of pg. */
const typesOf: Readonly<Record<string, string>> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  inet: 'string',
  integer: 'number',
  jsonb: 'unknown',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
  uuid: 'string',
  xid8: 'string',
};

const columnRow = z.object({
  table: z.string(),
  isView: z.boolean(),
  column: z.string(),
  type: z.string(),
  isArray: z.boolean(),
  isNullable: z.boolean(),
  hasDefault: z.boolean(),
  isGenerated: z.boolean(),
  /** The values of an enum. */
  labels: z.array(z.string()),
  /** The checks of this column alone. */
  checks: z.array(z.string()),
});
type Column = z.output<typeof columnRow>;

/** PostgreSQL doesn't say which columns of a view can be null: none of ours is. */
const columnsQuery = `
  select c.relname as "table", c.relkind = 'v' as "isView", a.attname as "column",
    regexp_replace(format_type(a.atttypid, null), '\\[\\]$', '') as type, format_type(a.atttypid, null) like '%[]' as "isArray",
    c.relkind <> 'v' and not a.attnotnull as "isNullable", a.atthasdef or a.attidentity <> '' as "hasDefault",
    a.attidentity = 'a' or a.attgenerated <> '' as "isGenerated",
    array(select enumlabel::text from pg_enum where enumtypid = a.atttypid order by enumsortorder) as labels,
    array(select pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid and contype = 'c' and conkey = array[a.attnum]) as checks
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and c.relname <> 'schema_migrations'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by 2, 1, a.attnum`;

const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '');

/** The only values of a column: those of its enum, or of a check such as `status in ('OPEN', 'CLOSED')`. */
function valuesOf({ labels, checks }: Column): string[] {
  if (labels.length > 0) return labels;
  const [, list = ''] =
    checks.map((check) => /^CHECK \(\(\w+ = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(check)).find(Boolean) ?? [];
  return [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"));
}

/** The type of a value that isn't null. */
function valueType(column: Column, shape: string | undefined): string {
  const values = valuesOf(column);
  const one =
    shape ??
    (values.length > 0
      ? values.map((value) => `'${value.replaceAll("'", String.raw`\'`)}'`).join(' | ')
      : typesOf[column.type]);
  if (one === undefined) throw new Error(`${column.table}.${column.column} has the type ${column.type}, unknown here`);
  if (!column.isArray) return one;
  return one.includes(' ') ? `(${one})[]` : `${one}[]`;
}

/** `ColumnType` of Kysely for a column: selected, inserted and updated as. */
function columnType(column: Column, fact: TableFact | undefined): string {
  const shape = fact?.json?.[column.column]?.split(' of ')[0];
  const orNull = column.isNullable ? ' | null' : '';
  const selected = valueType(column, shape) + orNull;
  const isRead = column.isGenerated || words(fact?.setByTrigger).includes(column.column);
  if (fact === undefined || fact.writtenBy !== undefined || isRead) return `Read<${selected}>`;
  const written = column.type === 'jsonb' ? `string${orNull}` : selected;
  const changes = words(fact.changes).includes(column.column);
  if (changes && !column.hasDefault && written === selected) return selected;
  if (!changes && !column.hasDefault && written === selected) return `Fixed<${selected}>`;
  const inserted = column.hasDefault ? `${written} | undefined` : written;
  return `ColumnType<${selected}, ${inserted}, ${changes ? written : 'never'}>`;
}

/** Names of tables and columns in the facts that the database doesn't have. */
function unknownNames(columns: readonly Column[], facts: ReadonlyMap<string, TableFact>): string[] {
  const known = new Set(columns.flatMap(({ table, column }) => [table, `${table}.${column}`]));
  return [...facts].flatMap(([table, { changes, json = {}, secret, setByTrigger, customer }]) => {
    const named = [changes, secret, setByTrigger].flatMap(words);
    const ofCustomer =
      typeof customer === 'string' ? [] : [customer.file?.column ?? [], customer.leaveOut ?? []].flat();
    const all = [...named, ...Object.keys(json), ...ofCustomer].map((column) => `${table}.${column}`);
    return [table, ...all].filter((name) => !known.has(name));
  });
}

/** shared/database/tables.ts: the types of all tables and views, from the database itself and from shared/database/table-facts.ts. */
export async function tableTypes(
  query: (text: string) => Promise<{ rows: unknown[] }>,
  facts: ReadonlyMap<string, TableFact>,
): Promise<{ text: string; faults: string[] }> {
  const columns = checkedRows(columnRow, await query(columnsQuery));
  const interfaceOf = (name: string, ofViews: boolean): string => {
    const tables = groupBy(
      columns.filter(({ isView }) => isView === ofViews),
      ({ table }) => table,
    );
    const bodies = [...tables].map(([table, its]) => {
      const lines = its.map((column) => `    ${column.column}: ${columnType(column, facts.get(table))};\n`);
      return `  ${table}: {\n${lines.join('')}  };\n`;
    });
    return `export interface ${name} {\n${bodies.join('')}}\n`;
  };
  const shapes = [...facts.values()].flatMap(({ json = {} }) => Object.values(json));
  const imports = [...new Set(shapes)].toSorted().flatMap((shape) => {
    const [name, file] = shape.split(' of ');
    return file === undefined ? [] : [`import type { ${name} } from '${file}';\n`];
  });
  const text = `// Generated by npm run schema from shared/database/schema and shared/database/table-facts.ts.
import type { ColumnType } from 'kysely';
${imports.join('')}
/** Set once. */
type Fixed<T> = ColumnType<T, T, never>;
/** Written by the database alone. */
type Read<T> = ColumnType<T, never, never>;

${interfaceOf('BaseTables', false)}
${interfaceOf('Views', true)}
export type Tables = BaseTables & Views;
`;
  const tables = new Set(columns.flatMap(({ isView, table }) => (isView ? [] : [table])));
  return {
    text,
    faults: [
      ...unknownNames(columns, facts).map(
        (name) => `shared/database/table-facts.ts names ${name}, which the database doesn't have`,
      ),
      ...[...tables]
        .filter((table) => !facts.has(table))
        .map((table) => `shared/database/table-facts.ts says nothing about the table ${table}`),
    ],
  };
}
