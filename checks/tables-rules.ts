import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '#platform/project-folder.ts';

export interface Column {
  /** As PostgreSQL names it: `timestamp with time zone`. */
  type: string;
  /** `?` for a column of a view, for which PostgreSQL doesn't report it. */
  isNullable: boolean | '?';
  /** The database can set it. */
  hasDefault: boolean;
  /** The only values of a text column, by its check. */
  values: readonly string[] | undefined;
}

/** Tables and views, and their columns, by name. */
export type Schema = ReadonlyMap<string, ReadonlyMap<string, Column>>;

/** How values arrive in JavaScript: database/value-parsers.ts and the defaults of pg. */
const typesOf: Readonly<Record<string, string>> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  inet: 'string',
  integer: 'number',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
  uuid: 'string',
  xid8: 'string',
};

const unquoted = (name: string) => name.replaceAll('"', '');
const stringsIn = (text: string) => [...text.matchAll(/'([^']*)'/g)].map(([, value = '']) => value);

/** Reads the text of `describeSchema`. */
export function readSchema(sql: string): { schema: Schema; enums: ReadonlyMap<string, readonly string[]> } {
  const schema = new Map<string, Map<string, Column>>();
  for (const [, table = '', body = ''] of sql.matchAll(/^create table (\S+) \(\n(.*?)\n\);$/gms)) {
    const columns = new Map<string, Column>();
    const checks = new Map(
      [...body.matchAll(/^ {2}constraint \S+ CHECK \(\((\S+) = ANY \(ARRAY\[(.*)\]\)\)\),?$/gm)].map(
        ([, name = '', values = '']) => [name.replaceAll(/[("]/g, ''), stringsIn(values)],
      ),
    );
    for (const line of body.split('\n')) {
      // Columns come first; PostgreSQL may write a constraint over several lines.
      if (line.startsWith('  constraint ')) break;
      const [, name = '', type = '', notNull, set] =
        /^ {2}(\S+) (.+?)( not null)?( default .+| generated .+)?,?$/.exec(line) ?? [];
      if (name === '') throw new Error(`${table} has a line that is not a column: ${line}`);
      const values = checks.get(unquoted(name));
      columns.set(unquoted(name), { type, isNullable: notNull === undefined, hasDefault: set !== undefined, values });
    }
    schema.set(unquoted(table), columns);
  }
  for (const [, view = '', list = ''] of sql.matchAll(/^create view (\S+) as\n.*?^-- columns: ([^\n]*)$/gms)) {
    const columns = list.split(', ').map((column): [string, Column] => {
      const [name = '', ...type] = column.split(' ');
      return [unquoted(name), { type: type.join(' '), isNullable: '?', hasDefault: true, values: undefined }];
    });
    schema.set(unquoted(view), new Map(columns));
  }
  const enums = [...sql.matchAll(/^create type (\S+) as enum \((.*)\);$/gm)];
  return { schema, enums: new Map(enums.map(([, name = '', values = '']) => [name, stringsIn(values)])) };
}

/** The TypeScript type of a value that isn't null. */
function typeOf({ type, values }: Column, enums: ReadonlyMap<string, readonly string[]>): string {
  const element = type.replace(/\[\]$/, '').replace(/\(\d+\)/, '');
  const allowed = values ?? enums.get(type);
  if (type === 'jsonb') return 'object';
  const one = allowed?.map((value) => `'${value}'`).join(' | ') ?? typesOf[element] ?? `'unknown type ${type}'`;
  return type.endsWith('[]') ? `(${one})[]` : one;
}

const preamble = `import type { InsertType, SelectType } from 'kysely';
type Is<Given extends Wanted, Wanted> = Given;
type None<A extends never> = A;
`;

/** A line of TypeScript for each requirement, which fails to compile when it is violated, with the error to report. */
export function assertionsOf({ schema, enums }: ReturnType<typeof readSchema>): { code: string; fault: string }[] {
  const names = [...schema.keys()].map((name) => `'${name}'`).join(' | ');
  const lines = [
    { code: `None<Exclude<keyof Tables, ${names}>>`, fault: 'it has a table that the database does not have' },
  ];
  for (const [table, columns] of schema) {
    const known = [...columns.keys()].map((name) => `'${name}'`).join(' | ');
    lines.push(
      { code: `Is<'${table}', keyof Tables>`, fault: `it does not have the table ${table}` },
      {
        code: `None<Exclude<keyof Tables['${table}'], ${known}>>`,
        fault: `${table} has a column that the database does not have`,
      },
    );
    for (const [name, column] of columns) {
      const at = `Tables['${table}']['${name}']`;
      const type = typeOf(column, enums);
      const value = `NonNullable<SelectType<${at}>>`;
      const kind = column.values?.join(' | ') ?? column.type;
      const shown = `${kind}${column.isNullable === false ? ' not null' : ''}${column.hasDefault ? ' with a default' : ''}`;
      const fault = `${table}.${name} is not what the database says: ${shown}`;
      lines.push({ code: `Is<${value}, ${type}>`, fault });
      if (type !== 'object') lines.push({ code: `Is<${type}, ${value}>`, fault });
      if (column.isNullable === true) lines.push({ code: `Is<null, SelectType<${at}>>`, fault });
      if (column.isNullable === false) {
        lines.push({ code: `None<Extract<SelectType<${at}> | InsertType<${at}>, null>>`, fault });
        if (!column.hasDefault) lines.push({ code: `None<Extract<InsertType<${at}>, undefined>>`, fault });
      }
    }
  }
  return lines;
}

/** Errors in the TypeScript types of tables, found by the compiler itself. */
export async function tableFaults(sql: string, tablesFile: string): Promise<string[]> {
  const read = readSchema(sql);
  if (read.schema.size === 0) return ['the database has no tables; the check looked in the wrong place'];
  const assertions = assertionsOf(read);
  const folder = mkdtempSync(join(tmpdir(), 'octroi-tables-'));
  try {
    const head = `${preamble}import type { Tables } from '${tablesFile}';\n`;
    const body = assertions.map(({ code }, index) => `export type A${index} = ${code};`);
    writeFileSync(join(folder, 'assertions.ts'), head + body.join('\n'));
    const compilerOptions = {
      noEmit: true,
      typeRoots: [projectFolder('node_modules', '@types')],
      paths: { kysely: [projectFolder('node_modules', 'kysely')] },
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: projectFolder('tsconfig.json'), compilerOptions, include: ['*.ts'], files: [] }),
    );
    const output = await runCompiler(folder);
    const before = head.split('\n').length;
    const faults = output.split('\n').flatMap((line) => {
      const [, number] = /assertions\.ts\((\d+),\d+\): error/.exec(line) ?? [];
      const assertion = number === undefined ? undefined : assertions[Number(number) - before];
      if (assertion !== undefined) return [assertion.fault];
      return line.includes('error') ? [line] : [];
    });
    return [...new Set(faults)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runCompiler(folder: string): Promise<string> {
  const program = projectFolder('node_modules', 'typescript', 'bin', 'tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [program, '-p', folder, '--pretty', 'false'], (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
