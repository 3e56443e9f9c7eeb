import { Command } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { migrate } from '#shared/database/migrate.ts';
import { requireSessions } from '#shared/database/require-database.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { readOperatorSettings } from '#server/config.ts';
import { withDatabaseUrl } from '#server/operator-database.ts';

/** `octroi migrate`: creates or updates the tables of DATABASE_URL, or of the embedded database in the data folder. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create or update the tables of the database. Run it before starting a new version.')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://octroi@db/octroi octroi migrate')
    .action(async ({ json }: { json?: true }) => {
      loadEnvFile();
      const applied = await withDatabaseUrl(readOperatorSettings({ env: process.env }), async (databaseUrl) => {
        await requireSessions(databaseUrl);
        return migrate(databaseUrl);
      });
      printResult(json, { applied }, [
        ...applied.map((name) => `applied ${name}`),
        applied.length === 0 ? 'The database was already up to date.' : 'The database is up to date.',
      ]);
    });
}
