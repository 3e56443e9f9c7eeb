import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { UnfitDatabase } from '#shared/database/require-database.ts';
import { finishing, readSetback } from '#shared/database/setback.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import type { Installation } from '#doctor/installation.ts';

const remedies: Record<UnfitDatabase['why'], { means: string; remedy: string }> = {
  away: {
    means: 'Nothing works without it.',
    remedy:
      'Start PostgreSQL, and compare DATABASE_URL with its address, user and password: psql "$DATABASE_URL" -c "select 1"',
  },
  missing: {
    means: 'Nothing is installed here yet, or DATA_DIR is another folder.',
    remedy: 'Set DATA_DIR or DATABASE_URL to those of the installation, or create one: npm start',
  },
  old: { means: 'Octroi uses what newer versions have.', remedy: 'Upgrade PostgreSQL; its data stays: pg_upgrade' },
  pooler: {
    means: 'Locks and messages between the processes would be lost without an error.',
    remedy: 'Set pool_mode = session in PgBouncer, or connect to PostgreSQL directly.',
  },
  empty: { means: 'The processes do not start.', remedy: 'Create the tables: octroi migrate' },
  behind: { means: 'The processes do not start.', remedy: 'Make a backup, then update: octroi migrate' },
  full: {
    means: 'PostgreSQL takes no more connections, so processes and customers wait or fail.',
    remedy: 'Raise max_connections of PostgreSQL (and restart it), or run fewer processes: docs/operating/sizing.md',
  },
  slow: {
    means: 'PostgreSQL cancels statements after too short a time; so would those of customers be.',
    remedy:
      'Look for a statement_timeout of the user, the database or the server, and reset it: alter role … reset statement_timeout',
  },
  denied: {
    means: 'The user in DATABASE_URL lacks rights that the processes need.',
    remedy: 'Give the users their rights again: octroi database roles',
  },
  failed: { means: 'The processes do not start.', remedy: 'Look at the log of PostgreSQL at this time.' },
  changed: {
    means: 'This program and the database do not belong together.',
    remedy: 'Start the version of Octroi that wrote the database, or a newer one.',
  },
  setback: {
    means:
      'The processes do not start. Documents since then are on paper, and what was ended, revoked or decided since is as it was before.',
    remedy: `${finishing}, and go through the list that it prints: docs/operating/backups.md#restore`,
  },
  rehearsal: {
    means: 'The processes do not start.',
    remedy:
      'Run this with the settings that belong to the database: those of a rehearsal are in octroi.env of its folder.',
  },
};

export const database: Check = {
  name: 'database',
  about: 'PostgreSQL: reachable, new enough, with the tables of this version',
  examine: async ({ db, databaseFault }) => {
    if (databaseFault !== undefined) {
      const { means, remedy } = remedies[databaseFault.why];
      return [fault(databaseFault.message, means, remedy)];
    }
    const found = await read(db, sql`show server_version`, z.object({ server_version: z.string() }));
    return [fine(`PostgreSQL ${found?.server_version ?? ''}, with the tables of this version.`)];
  },
};

async function read<Row extends z.ZodType>(
  db: Installation['db'],
  query: RawBuilder<unknown>,
  row: Row,
): Promise<z.output<Row> | undefined> {
  return db && checkedRows(row, await query.execute(db))[0];
}

export const setbacks: Check = {
  name: 'database-moved',
  about: 'does PostgreSQL go on elsewhere, as after a fail-over, without somebody having said what was lost?',
  examine: async ({ db }) => {
    if (db === undefined) return unread;
    const found = await readSetback(db);
    if (found === undefined) return [fine('PostgreSQL goes on where it did, or what was lost is dealt with.')];
    return [
      fault(
        `The database ${found.about}. Documents go on in new series.`,
        'Unless the new server had every change, what was revoked, ended or decided last is as it was before.',
        `If nothing was lost (a replica that follows synchronously): ${finishing} --nothing-lost. Otherwise ${finishing}, which ends sessions and tokens and prints what to compare.`,
      ),
    ];
  },
};

const unread = [unchecked('The database cannot be read.')];

export const standby: Check = {
  name: 'database-standby',
  about: 'does DATABASE_URL lead to a server that can be written to?',
  examine: async ({ db }) => {
    const query = sql`select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') = 'on' as readonly`;
    const found = await read(db, query, z.object({ standby: z.boolean(), readonly: z.boolean() }));
    if (found === undefined) return unread;
    if (found.standby)
      return [
        fault(
          'DATABASE_URL leads to a standby.',
          'It can only be read: nobody can sign in, pay or make a key.',
          'Promote it if the primary is lost (select pg_promote()), or set DATABASE_URL to the primary.',
        ),
      ];
    if (found.readonly)
      return [
        fault(
          'The user or database of DATABASE_URL has default_transaction_read_only = on.',
          'Nobody can sign in, pay or make a key.',
          'alter role … reset default_transaction_read_only, and the same for the database',
        ),
      ];
    return [fine('It can be written to.')];
  },
};

export const durability: Check = {
  name: 'database-durability',
  about: 'does PostgreSQL keep what it confirmed when the power fails?',
  examine: async ({ db, isProduction }) => {
    const query = sql`select name, source from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`;
    if (db === undefined) return unread;
    if (!isProduction) return [unchecked('Only production needs it.')];
    const off = checkedRows(z.object({ name: z.string(), source: z.string() }), await query.execute(db));
    if (off.length === 0) return [fine('fsync, full_page_writes and synchronous_commit are on.')];
    return off.map(({ name, source }) =>
      fault(
        `${name} is off.`,
        'After a power cut, payments and counted calls that were confirmed may be lost, or the database damaged.',
        remedyOf(name, source),
      ),
    );
  },
};

/** `source`: of a setting in pg_settings. What is set for a role or a database wins over that of the server. */
function remedyOf(name: string, source: string): string {
  if (source === 'user') return `alter role … reset ${name}`;
  if (source === 'database') return `alter database … reset ${name}`;
  if (source === 'database user') return `alter role … in database … reset ${name}`;
  return `alter system set ${name} = on; select pg_reload_conf()`;
}

export const dates: Check = {
  name: 'database-dates',
  about: 'the form of dates, and the time zone of India',
  examine: async ({ db }) => {
    const query = sql`select current_setting('DateStyle') as style, current_setting('TimeZone') as zone,
      ('2026-01-01 00:00+00'::timestamptz at time zone 'Asia/Kolkata')::text like '%05:30%' as india`;
    const found = await read(db, query, z.object({ style: z.string(), zone: z.string(), india: z.boolean() }));
    if (found === undefined) return unread;
    const findings: Finding[] = [];
    if (!found.style.startsWith('ISO'))
      findings.push(
        fault(
          `DateStyle is ${found.style}.`,
          'Days are misread: plans and documents get wrong dates.',
          "alter database … reset datestyle, and the same for the role: it must be 'ISO'",
        ),
      );
    if (!found.india)
      findings.push(
        fault(
          'PostgreSQL does not know the time zone Asia/Kolkata as UTC+05:30.',
          'Billing days are wrong.',
          'Install the system’s tzdata and restart PostgreSQL.',
        ),
      );
    return findings.length > 0 ? findings : [fine(`Dates are ISO; its own time zone is ${found.zone}.`)];
  },
};

/** Connections of one process of each kind: its pool, and what it listens with. */
const connectionsOf = { portal: 27, gateway: 10, products: 12 };
const spare = 10;

export const connections: Check = {
  name: 'database-connections',
  about: 'are there enough connections for all processes?',
  examine: async ({ db }) => {
    const query = sql`select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as server,
      (select datconnlimit from pg_database where datname = current_database()) as database,
      (select rolconnlimit from pg_roles where rolname = current_user) as role,
      greatest(1, (select count(*) from gateways where lease_until > clock_timestamp()))::int as gateways,
      (select count(*) from pg_stat_activity where datname = current_database())::int as used`;
    const row = z.object({
      server: z.number(),
      database: z.number(),
      role: z.number(),
      gateways: z.number(),
      used: z.number(),
    });
    const found = await read(db, query, row);
    if (found === undefined) return unread;
    const limits = [found.server, found.database, found.role].filter((limit) => limit >= 0);
    const limit = Math.min(...limits);
    // A second portal at least while a new version starts beside the old one.
    const needed = 2 * connectionsOf.portal + found.gateways * connectionsOf.gateway + connectionsOf.products + spare;
    const what = `PostgreSQL allows ${limit} connections; two portals, ${found.gateways} gateways and the products need ${needed}, and ${found.used} are in use.`;
    const means = 'Processes wait for connections, or do not start beside each other.';
    const remedy =
      limit === found.server
        ? `alter system set max_connections = ${Math.max(100, needed * 2)}, and restart PostgreSQL`
        : `Raise the limit of the database and of the role: alter database … connection limit ${needed * 2}`;
    if (limit < needed) return [fault(what, means, remedy)];
    return found.used > limit * 0.9 ? [warning(what, means, remedy)] : [fine(what)];
  },
};

export const databaseUser: Check = {
  name: 'database-user',
  about: 'does the user of DATABASE_URL have more rights than the processes need?',
  examine: async ({ db, isProduction, given }) => {
    const query = sql`select rolsuper as super, current_user as name,
      (select tableowner = current_user from pg_tables where schemaname = 'public' and tablename = 'ledger_head') as owner
      from pg_roles where rolname = current_user`;
    const found = await read(db, query, z.object({ super: z.boolean(), name: z.string(), owner: z.boolean() }));
    if (found === undefined) return unread;
    if (!isProduction || !given['DATABASE_URL']) return [unchecked('Only your own PostgreSQL in production needs it.')];
    if (!found.super && !found.owner) return [fine(`${found.name} can change neither tables nor the ledger.`)];
    return [
      warning(
        `${found.name} ${found.super ? 'is a superuser' : 'owns the tables'}.`,
        'Somebody who takes over a process could change the ledger and the audit log.',
        'Make users with the least rights: octroi database roles.',
      ),
    ];
  },
};
