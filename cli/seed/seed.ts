import { Command, InvalidArgumentError } from 'commander';
import { readCatalog } from '#catalog/catalog.ts';
import { CommandFailed, printResult } from '#cli/command-result.ts';
import { openClient } from '#database/clients.ts';
import { migrate } from '#database/migrate.ts';
import { seed } from '#database/seed.ts';
import { loadEnvFile } from '#platform/env-file.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { readOperatorSettings } from '#server/config.ts';
import { withDatabaseUrl } from '#server/operator-database.ts';

interface SeedFlags {
  customers: number;
  callersAmong: number;
  json?: true;
}

/** `octroi seed`: sample customers, to measure how an installation copes with growth. */
export function seedCommand(): Command {
  return new Command('seed')
    .description(
      'Fill an empty database with sample customers, to measure with. Refused in production and where there are customers.',
    )
    .option('--customers <number>', 'how many; each has 12 paid cycles with their documents', positive, 1000)
    .option('--callers-among <number>', 'every how many customers one has calls on each day', positive, 10)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://octroi@db/measure octroi seed --customers 100000')
    .action(async ({ customers, callersAmong, json }: SeedFlags) => {
      loadEnvFile();
      if (process.env['NODE_ENV'] === 'production')
        throw new CommandFailed('Sample customers are refused in production.');
      const plan = readCatalog(projectFolder('catalog'))
        .find('tax-lookup-api')
        ?.plans.find(({ planId }) => planId === 'growth');
      if (plan === undefined) throw new CommandFailed('The shipped catalogue has no plan Growth.');
      const beganMs = performance.now();
      await withDatabaseUrl(readOperatorSettings({ env: process.env }), async (databaseUrl) => {
        await migrate(databaseUrl);
        const client = openClient({ connectionString: databaseUrl });
        await client.connect();
        try {
          await seed(client, { customers, callersAmong, plan: { ...plan, gstRateBasisPoints: 1800 }, say });
        } finally {
          await client.end();
        }
      });
      const seconds = Math.round((performance.now() - beganMs) / 1000);
      printResult(json, { customers, cycles: customers * 12, seconds }, [
        `${customers} customers with ${customers * 12} paid cycles were made in ${seconds} s.`,
      ]);
    });
}

const say = (what: string): void => void process.stderr.write(`making ${what}\n`);

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 10_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 10,000,000.');
  return number;
}
