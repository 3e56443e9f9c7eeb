import { Command, InvalidArgumentError } from 'commander';
import { termsOf } from '#catalog/catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { samplePlan } from '#catalog/sample-plan.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { openClient } from '#shared/database/clients.ts';
import { migrate } from '#shared/database/migrate.ts';
import { seed } from '#shared/database/seed.ts';
import { dayOf } from '#shared/domain/day.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { readCatalogDir, readOperatorSettings } from '#server/config.ts';
import { withDatabaseUrl } from '#server/operator-database.ts';

interface SeedFlags {
  customers: number;
  callersAmong: number;
  product?: string;
  plan?: string;
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
    .option('--product <id>', 'what they have bought; default: the first with a paid plan of at most a month')
    .option('--plan <id>', 'its plan; default: the first such plan')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  DATABASE_URL=postgres://octroi@db/measure octroi seed --customers 100000\n  octroi seed --product weather --plan pro',
    )
    .action(async ({ customers, callersAmong, product, plan, json }: SeedFlags) => {
      loadEnvFile();
      if (process.env['NODE_ENV'] === 'production')
        throw new CommandFailed('Sample customers are refused in production.');
      const catalogDir = readCatalogDir({ env: process.env });
      const sample = samplePlan(readCatalog(catalogDir), { product, plan });
      if (sample === undefined)
        throw new CommandFailed(
          product === undefined && plan === undefined
            ? `No product in ${catalogDir} has a paid plan of at most a month. Name one: --product, --plan.`
            : `There is no such product with such a paid plan in ${catalogDir}.`,
          exitCodes.usage,
        );
      const terms = termsOf(sample.plan, dayOf(systemClock()));
      const beganMs = performance.now();
      await withDatabaseUrl(readOperatorSettings({ env: process.env }), async (databaseUrl) => {
        await migrate(databaseUrl);
        const client = openClient({ connectionString: databaseUrl });
        await client.connect();
        try {
          await seed(client, { customers, callersAmong, product: sample.product, plan: terms, say });
        } finally {
          await client.end();
        }
      });
      const seconds = Math.round((performance.now() - beganMs) / 1000);
      const bought = { product: sample.product.id, plan: terms.planId };
      printResult(json, { customers, cycles: customers * 12, ...bought, seconds }, [
        `${customers} customers with ${customers * 12} paid cycles of ${bought.product}, ${bought.plan} were made in ${seconds} s.`,
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
