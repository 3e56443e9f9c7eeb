/**
 * Expand and contract: a new version runs beside the one before it, so a migration only adds. What the version before still uses goes in a
 * later release, in a migration that begins with `-- contract of 061: why nothing uses it any more`, where 061 is the migration that stopped its use.
 * One that only looks dangerous begins with `-- safe beside older versions: why`.
 */
export interface MigrationKind {
  name: string;
  /** What an older version running beside it could stumble over. */
  contractions: string[];
  /** The migration whose release must be running everywhere before this one is applied; undefined when it only adds. */
  contractOf: string | undefined;
}

interface MigrationText {
  name: string;
  sql: string;
}

/** Comments and bodies of functions and strings removed: what is left are the statements themselves. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\/\*[\s\S]*?\*\/|--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$/g, (found) =>
      /^[-/]/.test(found) ? ' ' : "''",
    )
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '');
}

/** Of statements as a whole. */
const contractingStatements: readonly (readonly [RegExp, string])[] = [
  [
    /^drop (table|view|materialized view|type|function|procedure|schema|sequence|domain)\b/,
    'drops what an older version may use',
  ],
  [/^alter (view|type|function|schema|sequence) .*\brename\b/, 'renames what an older version may use'],
  [/^create unique index\b/, 'adds a unique index that rows of an older version may break'],
  [/^(truncate|delete from)\b/, 'removes rows'],
  [/^revoke\b/, 'takes rights away'],
];

/** Of the parts of an ALTER TABLE. */
const contractingClauses: readonly (readonly [RegExp, string])[] = [
  [/^rename\b/, 'renames what an older version may use'],
  [/^drop (?!constraint\b|default\b|not\b)/, 'drops a column that an older version may read or write'],
  [/^alter (column )?\w+ (set data )?type\b/, 'changes the type of a column'],
  [/^alter (column )?\w+ set not null\b/, 'requires a column that an older version may not write'],
  [/^alter (column )?\w+ drop default\b/, 'takes away a default that an older version may rely on'],
  [
    /^add (?!constraint\b|check\b|unique\b|foreign\b|exclude\b|primary\b)(?!.*\b(default|generated)\b).*\bnot null\b/,
    'adds a column without a default that an older version does not write',
  ],
  [
    /^add (constraint \w+ )?(check|unique|foreign key|exclude|primary key)\b/,
    'adds a constraint that rows of an older version may break',
  ],
];

/** `alter table`, its table, and its clauses. */
function clausesOf(statement: string): { table: string; clauses: string[] } | undefined {
  const [, table, rest] = /^alter table (?:if exists )?(?:only )?([\w.]+) (.*)$/.exec(statement) ?? [];
  if (table === undefined || rest === undefined) return undefined;
  let depth = 0;
  const clauses = [''];
  for (const letter of rest) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) clauses.push('');
    else clauses.push(`${clauses.pop() ?? ''}${letter}`);
  }
  return { table, clauses: clauses.map((clause) => clause.trim()) };
}

const matchOf = (text: string, patterns: readonly (readonly [RegExp, string])[]): string | undefined =>
  patterns.find(([pattern]) => pattern.test(text))?.[1];

/** Why an older version could stumble over a statement of a migration, if it could. */
function contractionsIn(statement: string, created: ReadonlySet<string>): string[] {
  const whole = matchOf(statement, contractingStatements);
  const [, indexed = ''] = /^create unique index .*?\bon (?:only )?([\w.]+)/.exec(statement) ?? [];
  if (whole !== undefined && !created.has(indexed)) return [`${statement.slice(0, 80)}: ${whole}`];
  const { table = '', clauses = [] } = clausesOf(statement) ?? {};
  if (created.has(table)) return [];
  // A check that is dropped and added again under its name takes more values than before.
  const replaced = new Set(clauses.flatMap((clause) => /^drop constraint (\w+)/.exec(clause)?.[1] ?? []));
  return clauses.flatMap((clause) => {
    const why = matchOf(clause, contractingClauses);
    const isReplacement = replaced.has(/^add constraint (\w+) check/.exec(clause)?.[1] ?? '');
    return why === undefined || isReplacement ? [] : [`alter table ${table} ${clause.slice(0, 60)}: ${why}`];
  });
}

/** Says of a migration whether an older version can run beside it. */
export function kindOfMigration({ name, sql }: MigrationText): MigrationKind {
  const statements = statementsOf(sql);
  // Nothing older knows the tables that it creates itself.
  const created = new Set(
    statements.flatMap(
      (statement) => /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/.exec(statement)?.[1] ?? [],
    ),
  );
  const isSafe = /^-- safe beside older versions: \S/.test(sql);
  const contractions = isSafe ? [] : statements.flatMap((statement) => contractionsIn(statement, created));
  const [, contractOf] = /^-- contract of (\d{3}): \S/.exec(sql) ?? [];
  return { name, contractions, contractOf };
}

/** The newest migration that a program must know to run on tables with this one: `000` when it only adds. */
export function needsOf(migration: MigrationText): string {
  const { name, contractions, contractOf } = kindOfMigration(migration);
  return contractOf ?? (contractions.length === 0 ? '000' : name.slice(0, 3));
}

/** One sentence for each migration that breaks the rule. */
export function ruleFaults(migrations: readonly MigrationText[]): string[] {
  return migrations.map(kindOfMigration).flatMap(({ name, contractions, contractOf }) => {
    if (contractOf !== undefined && contractOf >= name.slice(0, 3))
      return [`${name} is the contract of ${contractOf}, which must be an earlier migration.`];
    if (contractions.length === 0 || contractOf !== undefined) return [];
    return contractions.map(
      (each) =>
        `${name} does more than add: ${each}. Do it in a later release, in a migration that begins with "-- contract of NNN: why nothing uses it any more"; or say why no older version minds, with "-- safe beside older versions: why".`,
    );
  });
}
