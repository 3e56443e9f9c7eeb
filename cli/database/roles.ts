import { Command } from 'commander';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { openClient } from '#shared/database/clients.ts';
import { repeatedOnConflict } from '#shared/database/transaction.ts';
import { createRoles, roleKinds, rolesNamed, urlsOfRoles } from '#shared/database/roles.ts';
import { requireDatabase } from '#shared/database/require-database.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { createLog } from '#shared/platform/log.ts';
import { readOperatorSettings } from '#server/config.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import { withDatabase } from '#server/operator-database.ts';

interface RolesOptions {
  prefix: string;
  newPasswords?: true;
  json?: true;
}

const purposes = {
  migrate: 'octroi migrate: owns the tables',
  run: 'portals, gateways, products and the octroi command: no changes of tables, ledger or audit log',
  read: 'reports: reads everything but secrets',
};

/** `octroi database …` */
export function databaseCommands(): Command {
  const database = new Command('database').description('The database: its users.');
  database
    .command('roles')
    .description('Create three users instead of one: for migrations, for the processes, and for reports.')
    .option('--prefix <name>', 'their names begin with it', 'octroi')
    .option('--new-passwords', 'give them new passwords if they exist')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Run it with a DATABASE_URL that may create users. It prints the new DATABASE_URLs once: keep them. Running processes go on with the old one until they are restarted.

Example:
  DATABASE_URL=postgres://postgres:…@db/octroi octroi database roles`,
    )
    .action(makeRoles);
  return database;
}

/** PostgreSQL's own sentence names no remedy. */
function refusedRights(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '42501')
    throw new CommandFailed(
      `The user of DATABASE_URL may not do this: ${error.message}. Use one that may create users.`,
    );
  throw error;
}

async function makeRoles({ prefix, newPasswords, json }: RolesOptions): Promise<void> {
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(prefix))
    throw new CommandFailed('--prefix must be small letters, digits and _.', exitCodes.usage);
  loadEnvFile();
  const settings = readOperatorSettings({ env: process.env });
  const { databaseUrl } = settings;
  if (databaseUrl === undefined)
    throw new CommandFailed('Set DATABASE_URL: the embedded PostgreSQL has one user, on this machine alone.');
  await requireDatabase(databaseUrl, { isRehearsal: settings.rehearsal });
  // The queue makes its own tables, which the processes may not do any more.
  await withDatabase(settings, async (db) => {
    const jobs = await openJobs(db, createLog('operator', { level: 'error' }), { onlySends: true });
    await jobs.stop();
  });
  const client = openClient({ connectionString: databaseUrl, application_name: 'octroi roles' });
  await client.connect();
  try {
    // A process that runs may hold what changes its owner.
    const passwords = await repeatedOnConflict(() =>
      createRoles(client, prefix, { newPasswords: newPasswords === true }),
    ).catch(refusedRights);
    const names = rolesNamed(prefix);
    const urls = urlsOfRoles(databaseUrl, names, passwords);
    const roles = roleKinds.map((kind) => ({
      role: names[kind],
      purpose: purposes[kind],
      databaseUrl: passwords[kind] === undefined ? null : urls[kind],
    }));
    printResult(
      json,
      { roles },
      roles.flatMap(({ role, purpose, databaseUrl: url }) => [
        `${role}: ${purpose}`,
        url === null ? '  exists, with its password as before' : `  DATABASE_URL=${url}`,
      ]),
    );
  } finally {
    await client.end();
  }
}
