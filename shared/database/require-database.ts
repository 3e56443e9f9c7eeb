import type { Client } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { openClient } from './clients.ts';
import { lowestPostgres } from './lowest-postgres.ts';
import { appliedMigrations, checkHistory, readMigrations } from './migrate.ts';
import { dueIn, namesOf } from './schema-objects.ts';
import { refusalOf } from './setback.ts';
import { sqlState } from './transaction.ts';

/**
 * `away`: no connection; `missing`: there is no database yet; `changed`: its migrations are not those of this version. `full`, `slow` and `denied` are
 * refusals of PostgreSQL itself, and `failed` any other; `rehearsal`: it is a rehearsal's and the settings are not, or the reverse; `setback`: it
 * may lack what was committed before, and is not finished.
 */
type Unfitness =
  | 'away'
  | 'missing'
  | 'old'
  | 'pooler'
  | 'empty'
  | 'behind'
  | 'changed'
  | 'full'
  | 'slow'
  | 'denied'
  | 'failed'
  | 'rehearsal'
  | 'setback';

/** What PostgreSQL's error codes say of a database that is there. */
const refusals: Readonly<Record<string, Unfitness>> = { '42501': 'denied', '53300': 'full', '57014': 'slow' };

/** Why a process cannot use its database, in one sentence for the operator. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase';
  readonly why: Unfitness;

  constructor(message: string, why: Unfitness, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

/**
 * Transaction pooling shares a server connection as soon as it is idle; check several times, as other sessions may take
 * it in between.
 */
const looks = 5;

/**
 * Makes sure, before a process starts working, that its database can be reached, is new enough, keeps a session on one
 * connection, has every migration of this version and no other, and is a rehearsal's if this is one.
 * @throws UnfitDatabase with one sentence that says what to do
 */
export async function requireDatabase(
  databaseUrl: string,
  { isRehearsal = false, migrations = readMigrations(), isFinishing = false } = {},
): Promise<void> {
  const [one, other] = await Promise.all([connectOrRefuse(databaseUrl), connectOrRefuse(databaseUrl)]);
  try {
    await requireVersion(one);
    await requireOwnSessions(one, other);
    const applied = await appliedMigrations(one);
    if (applied.length === 0) {
      throw new UnfitDatabase('The database is empty. Create its tables first: octroi migrate', 'empty');
    }
    requireHistory(() => checkHistory(applied, migrations));
    const missing = migrations.slice(applied.length);
    if (missing.length > 0) {
      const which = missing.length === 1 ? 'one migration' : `${missing.length} migrations`;
      throw new UnfitDatabase(
        `The database is older than this version of Octroi: it lacks ${which}, beginning with ${missing[0]?.name ?? ''}. Bring it up to date first: octroi migrate`,
        'behind',
      );
    }
    const whole = migrations[0]?.whole;
    const due = whole === undefined ? [] : namesOf(await dueIn(one, whole));
    if (due.length > 0)
      throw new UnfitDatabase(
        `The database is older than this version of Octroi: the ${due[0] ?? ''} is missing or an earlier one (${due.length} in all). Bring it up to date first: octroi migrate`,
        'behind',
      );
    const found = await readInstallation(one);
    requireKind(found, isRehearsal);
    if (!isFinishing) requireFinished(found);
  } catch (error) {
    throw error instanceof UnfitDatabase ? error : refusedBy(error);
  } finally {
    await Promise.allSettled([one.end(), other.end()]);
  }
}

const installationRow = z.object({
  is_rehearsal: z.boolean(),
  setback: z.string().nullable(),
  setback_reason: z.string().nullable(),
});
type InstallationRow = z.output<typeof installationRow>;

async function readInstallation(client: Client): Promise<InstallationRow | undefined> {
  const found = await client.query('select is_rehearsal, setback, setback_reason from installation');
  return checkedRows(installationRow, found)[0];
}

/** A rehearsal's customers have paid with no money: its database never becomes production's, and production's is never rehearsed on. */
function requireKind(found: InstallationRow | undefined, isRehearsal: boolean): void {
  if ((found?.is_rehearsal ?? false) === isRehearsal) return;
  throw new UnfitDatabase(
    isRehearsal
      ? 'REHEARSAL is set, and this database is not a rehearsal’s. Start rehearsals with octroi rehearse, which has a data folder of its own.'
      : 'This database is a rehearsal’s, in which no money moved. Use it with octroi rehearse alone, and give production a database of its own.',
    'rehearsal',
  );
}

/** Nothing starts on a database of which somebody has to say first that it lacks the newest changes. */
function requireFinished(found: InstallationRow | undefined): void {
  const refusal = refusalOf(found?.setback, found?.setback_reason);
  if (refusal !== undefined) throw new UnfitDatabase(refusal, 'setback');
}

/**
 * The commands that change tables need their own session as well: an advisory lock would be lost between two
 * statements.
 */
export async function requireSessions(databaseUrl: string): Promise<void> {
  const [one, other] = await Promise.all([connectOrRefuse(databaseUrl), connectOrRefuse(databaseUrl)]);
  try {
    await requireVersion(one);
    await requireOwnSessions(one, other);
  } finally {
    await Promise.allSettled([one.end(), other.end()]);
  }
}

/**
 * The driver takes any text for an address, and calls one with a # or / in its password an invalid URL, without saying
 * which. An address may name no host, or be the path of a socket.
 */
function requireAddress(databaseUrl: string): void {
  if (/^(?:socket:|\/)/.test(databaseUrl)) return;
  if (/^postgres(?:ql)?:/.test(databaseUrl) && URL.canParse(databaseUrl.replace('@/', '@host/'))) return;
  throw new UnfitDatabase(
    'DATABASE_URL is not an address such as postgres://user:password@host:5432/name; in a password, # is written %23, / is %2F and @ is %40.',
    'away',
  );
}

async function connectOrRefuse(databaseUrl: string): Promise<Client> {
  requireAddress(databaseUrl);
  const client = openClient({
    connectionString: databaseUrl,
    application_name: 'octroi start',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  });
  try {
    await client.connect();
    return client;
  } catch (error) {
    const why = refusals[sqlState(error) ?? ''] ?? 'away';
    throw new UnfitDatabase(`Cannot connect to the database in DATABASE_URL: ${reasonOf(error)}`, why, {
      cause: error,
    });
  }
}

function requireHistory(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new UnfitDatabase(reasonOf(error), 'changed', { cause: error });
  }
}

function refusedBy(error: unknown): UnfitDatabase {
  const why = refusals[sqlState(error) ?? ''] ?? 'failed';
  // So it is after a restore, whose database is new.
  const remedy =
    why === 'denied' ? '. Give the users their rights, with a user that may create some: octroi database roles' : '';
  return new UnfitDatabase(`PostgreSQL did not answer a question: ${reasonOf(error)}${remedy}`, why, { cause: error });
}

/** An attempt at several addresses fails with one error per address and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

async function requireVersion(client: Client): Promise<void> {
  const shown = await client.query('show server_version');
  const version = checkedRows(z.object({ server_version: z.string() }), shown)[0]?.server_version ?? '';
  if (Number.parseInt(version, 10) >= lowestPostgres) return;
  throw new UnfitDatabase(`PostgreSQL ${version} is too old: Octroi needs ${lowestPostgres} or newer.`, 'old');
}

/**
 * Two open sessions never share a PostgreSQL process, unless a pooler assigns connections per transaction or per
 * statement: then LISTEN, advisory locks and prepared statements are lost without an error.
 */
async function requireOwnSessions(one: Client, other: Client): Promise<void> {
  for (let look = 0; look < looks; look += 1) {
    if ((await pidOf(one)) === (await pidOf(other))) {
      throw new UnfitDatabase(
        'DATABASE_URL leads to a pooler (such as PgBouncer) in transaction mode; set its pool_mode to session, or connect to PostgreSQL directly.',
        'pooler',
      );
    }
  }
}

async function pidOf(client: Client): Promise<number | undefined> {
  const session = await client.query('select pg_backend_pid() as pid');
  return checkedRows(z.object({ pid: z.number() }), session)[0]?.pid;
}
