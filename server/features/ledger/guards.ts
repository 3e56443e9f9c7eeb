import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '#shared/database/connect.ts';
import { readMigrations } from '#shared/database/migrate.ts';
import { laterVersionIn } from '#shared/database/schema-objects.ts';
import { shippedFingerprints, type StandingObject, standingObjects } from '#shared/database/schema-parts.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/**
 * What may be set for a database or a user: limits, logs, and how statements are planned. Anything else could change what our statements mean or what
 * survives a crash, such as `search_path`, `session_replication_role` and `synchronous_commit`.
 */
const harmlessSettings = [
  '(statement|lock|transaction|deadlock|idle_session|idle_in_transaction_session)_timeout',
  'default_transaction_read_only',
  'tcp_\\w+',
  'client_connection_check_interval',
  'timezone',
  'application_name',
  'client_min_messages',
  'lc_messages',
  'log_\\w+',
  'track_\\w+',
  '(auto_explain|pg_stat_statements|pgaudit)\\.\\w+',
  '(maintenance_)?work_mem',
  'hash_mem_multiplier',
  'temp_(buffers|file_limit)',
  'effective_\\w+',
  '\\w+_cost',
  '(enable|jit|geqo)_?\\w*',
  '(max_)?parallel_\\w+',
  'plan_cache_mode',
];

/** Triggers that are off, also those of foreign keys, and what else makes PostgreSQL pass over them. */
const switchedOff = `
  select 'trigger ' || tgname || ' of ' || tgrelid::regclass || ' is off' as fault from pg_trigger join pg_class r on r.oid = tgrelid
  where relnamespace = 'public'::regnamespace and tgenabled not in ('O', 'A')
  union all
  select 'the rule ' || rulename || ' of ' || ev_class::regclass || ' is not of this version' from pg_rewrite join pg_class r on r.oid = ev_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  union all
  select 'row security of ' || oid::regclass || ' is on' from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity
  union all
  select 'sessions of ' || case setrole when 0 then 'all users' else setrole::regrole::text end || ' begin with ' || setting
  from pg_db_role_setting cross join unnest(setconfig) setting
  where split_part(setting, '=', 1) !~* '^(${harmlessSettings.join('|')})$' and setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and (setrole = 0 or setrole = (select oid from pg_roles where rolname = session_user) or exists (select from pg_class c cross join aclexplode(coalesce(c.relacl, acldefault('r', c.relowner)))
      where c.oid = 'public.schema_migrations'::regclass and setrole in (c.relowner, grantee)))`;

/** What the fingerprints of tables, views, functions and indexes leave out: who may write, whose they are, whether they outlast a crash, and what is unique. */
const loosened = (ours: string): string => `
  select 'everybody has rights on ' || r.oid::regclass as fault from pg_class r
  where relnamespace = 'public'::regnamespace and relname in (${ours}) and (exists (select from aclexplode(relacl) where grantee = 0)
    or exists (select from pg_attribute a, aclexplode(a.attacl) x where a.attrelid = r.oid and x.grantee = 0))
  union all
  select r.oid::regclass || ' belongs to another user than the other tables' from pg_class r
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and relname in (${ours})
    and relowner <> (select relowner from pg_class where oid = 'public.schema_migrations'::regclass)
  union all
  select 'function ' || p.oid::regprocedure || ' belongs to another user than the tables' from pg_proc p
  where pronamespace = 'public'::regnamespace and proname in (${ours})
    and proowner <> (select relowner from pg_class where oid = 'public.schema_migrations'::regclass)
  union all
  select r.oid::regclass || ' is not in the log of the database' from pg_class r
  where relnamespace = 'public'::regnamespace and relpersistence <> 'p' and relkind in ('r', 'p', 'S')
  union all
  select 'constraint ' || c.conname || ' of ' || c.conrelid::regclass || ' no longer makes unique' from pg_constraint c join pg_index i on i.indexrelid = c.conindid
  where connamespace = 'public'::regnamespace and contype in ('p', 'u') and not (indisunique and indisvalid and indisready and indislive)
  union all
  select 'index ' || i.indexrelid::regclass || ' no longer makes unique' from pg_index i join pg_class r on r.oid = i.indexrelid
  where relnamespace = 'public'::regnamespace and indisunique and not (indisvalid and indisready and indislive)
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`;

/** Rows of PostgreSQL's catalogues that have changed have another `xmin`, which an owner of the tables can't choose. */
const fingerprint = `
  select current_database() || ' ' || md5(string_agg(row, ',' order by row)) as key from (
    select 'class ' || oid || ' ' || xmin as row from pg_class where relnamespace = 'public'::regnamespace
    union all select 'column ' || attrelid || ' ' || attnum || ' ' || a.xmin from pg_attribute a join pg_class r on r.oid = attrelid
      where relnamespace = 'public'::regnamespace
    union all select 'default ' || d.oid || ' ' || d.xmin from pg_attrdef d join pg_class r on r.oid = adrelid where relnamespace = 'public'::regnamespace
    union all select 'constraint ' || oid || ' ' || xmin from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'index ' || indexrelid || ' ' || i.xmin from pg_index i join pg_class r on r.oid = indexrelid where relnamespace = 'public'::regnamespace
    union all select 'trigger ' || t.oid || ' ' || t.xmin from pg_trigger t join pg_class r on r.oid = tgrelid where relnamespace = 'public'::regnamespace
    union all select 'rule ' || w.oid || ' ' || w.xmin from pg_rewrite w join pg_class r on r.oid = ev_class where relnamespace = 'public'::regnamespace
    union all select 'function ' || oid || ' ' || xmin from pg_proc where pronamespace = 'public'::regnamespace
    union all select 'type ' || oid || ' ' || xmin from pg_type where typnamespace = 'public'::regnamespace
    union all select 'setting ' || setdatabase || ' ' || setrole || ' ' || xmin from pg_db_role_setting
    union all select 'migration ' || name from schema_migrations) rows`;

/** What was found last: writing out all that stands in a database takes a tenth of a second, and changes are rare. */
let last: { key: string; guards: Guards } | undefined;

export interface Guards {
  faults: string[];
  /** What only a newer version knows and was not compared: its migrations, with tables and indexes, and its functions, views and triggers. */
  newer: string[];
}

/**
 * Compares tables, constraints, indexes, views, functions and triggers with those of this version: one that is missing, off or another one lets through what
 * the rules of money and quota forbid. Beside a newer version, what that version put in is passed over; once a migration of it is applied, which may have
 * changed tables and dropped what was there, so are tables and indexes, and what is missing.
 */
export async function readGuards(tx: Tx): Promise<Guards> {
  const found = await sql`${sql.raw(fingerprint)}`.execute(tx);
  const key = checkedRows(z.object({ key: z.string() }), found)[0]?.key ?? '';
  if (last?.key !== key) last = { key, guards: await compareGuards(tx) };
  return last.guards;
}

interface Shipped {
  /** The names of the migrations. */
  migrations: ReadonlySet<string>;
  fingerprints: ReadonlyMap<string, string>;
  /** The names of our tables, views and functions, as a list in SQL: others may have theirs beside them. */
  ourNames: string;
}

/** Read once, by the first check of a process: the files of a later version may take their place while it runs. */
let shipped: Shipped | undefined;

function readShipped(): Shipped {
  const fingerprints = shippedFingerprints();
  const named = [...fingerprints.keys()].flatMap((name) => /^(?:table|view|function) (\w+)/.exec(name)?.[1] ?? []);
  return {
    migrations: new Set(readMigrations().map(({ name }) => name)),
    fingerprints,
    ourNames: named.map((name) => `'${name}'`).join(),
  };
}

async function compareGuards(tx: Tx): Promise<Guards> {
  const { migrations, fingerprints, ourNames } = (shipped ??= readShipped());
  const off = await sql`${sql.raw(`${switchedOff} union all ${loosened(ourNames)}`)}`.execute(tx);
  const faults = checkedRows(z.object({ fault: z.string() }), off).map(({ fault }) => fault);
  const applied = await sql`select name from schema_migrations order by name`.execute(tx);
  const names = checkedRows(z.object({ name: z.string() }), applied).map(({ name }) => name);
  const later = names.filter((name) => !migrations.has(name));
  const standing = await standingObjects(async (text) => sql`${sql.raw(text)}`.execute(tx));
  const versions = new Map([...standing].map(([name, { mark }]) => [name, laterVersionIn(mark)]));
  const differing = differencesOf(standing, fingerprints, later.length > 0).filter(
    ({ name }) => versions.get(name) === undefined && !faults.some((fault) => fault.startsWith(`${name} `)),
  );
  const passedOver = groupBy([...versions], ([, version]) => version);
  return {
    faults: [...faults, ...differing.map(({ name, how }) => `${name} ${how}`)],
    newer: [
      ...later.map((name) => `the migration ${name}`),
      ...[...passedOver].flatMap(([version, objects]) =>
        version === undefined ? [] : `${objects.map(([name]) => name).join(', ')} from Octroi ${version}`,
      ),
    ],
  };
}

/** What differs from this version. Triggers that it doesn't know do too: they may undo what others do. */
function differencesOf(
  standing: ReadonlyMap<string, StandingObject>,
  fingerprints: ReadonlyMap<string, string>,
  besideLaterMigration: boolean,
): { name: string; how: string }[] {
  const isCompared = (name: string) => !besideLaterMigration || /^(?:view|function|trigger) /.test(name);
  const other = [...standing]
    .filter(([name, { hash }]) =>
      fingerprints.has(name) ? fingerprints.get(name) !== hash : name.startsWith('trigger '),
    )
    .filter(([name]) => isCompared(name))
    .map(([name]) => ({ name, how: 'is not the one of this version' }));
  if (besideLaterMigration) return other;
  const missing = [...fingerprints.keys()].filter((name) => !standing.has(name));
  return [...other, ...missing.map((name) => ({ name, how: 'is missing' }))];
}

/** In which a fault is named, as for the other rules. */
export const guardRule = 'what guards the money stands as this version made it';
