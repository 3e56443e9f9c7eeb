import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { checks, examine, type NamedFinding } from '#doctor/examine.ts';
import { recordRun } from '#shared/database/doctor-runs.ts';
import { withInstallation } from '#doctor/installation.ts';
import { readEnvFile } from '#shared/platform/env-file.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

interface DoctorOptions {
  settings?: string;
  only?: string[];
  list?: true;
  verbose?: true;
  record?: string;
  every?: number;
  slow?: true;
  json?: true;
}

/** `octroi doctor`: names what is wrong with an installation, what it means, and the remedy. */
export function doctorCommand(): Command {
  return (
    new Command('doctor')
      .description(
        'Examine this installation: name what is wrong, what it means, and what to do. Changes nothing but an order of ₹1 at Razorpay, which nobody pays; by a timer at most one a day.',
      )
      // Node takes an --env-file behind its program for its own (nodejs/node#54232).
      .option('--settings <file>', 'file with the settings, such as /etc/octroi/octroi.env; default: .env')
      .option('--only <checks...>', 'run these checks only')
      .option('--list', 'list the checks and run none')
      .option('--verbose', 'also show what is in order')
      .option('--record <place>', 'also keep under this name which checks complain, for metrics and alerts')
      .option('--every <minutes>', 'look again and again, until it is stopped', minutes)
      .option('--slow', 'also try whether what is in front waits for the slowest API; takes as long as that may')
      .option('--json', 'print the result as JSON')
      .addHelpText(
        'after',
        `
Works also while the database is down or the settings are wrong. Run it as the user that runs Octroi, with its settings.
Exits with 3 when something is wrong; warnings alone don't count.

Examples:
  octroi doctor
  octroi doctor --settings /etc/octroi/octroi.env
  octroi doctor --only razorpay-keys razorpay-webhook --verbose`,
      )
      .action(runAll)
  );
}

function minutes(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999.');
  return Number(text);
}

async function runAll(options: DoctorOptions): Promise<void> {
  if (options.every === undefined) return run(options);
  for (;;) {
    await run(options).catch((error: unknown) => {
      if (!(error instanceof CommandFailed)) throw error;
      process.stderr.write(`${error.message}\n`);
    });
    await sleep(options.every * 60_000);
  }
}

async function run({ settings, only, list, verbose, record, every, slow, json }: DoctorOptions): Promise<void> {
  if (list === true) {
    printResult(
      json,
      checks.map(({ name, about }) => ({ name, about })),
      checks.map(({ name, about }) => `${name.padEnd(width)}${about}`),
    );
    return;
  }
  const unknown = only?.filter((name) => checks.every((check) => check.name !== name)) ?? [];
  if (unknown.length > 0)
    throw new CommandFailed(`No such check: ${unknown.join(', ')}. octroi doctor --list names all.`, exitCodes.usage);
  const chosen = checks.filter(({ name }) => only?.includes(name) ?? true);
  const isTimed = record !== undefined || every !== undefined;
  const findings = await withInstallation(
    { ...readSettings(settings), isTimed, isSlow: slow === true },
    async (installation) => {
      const found = await examine(installation, chosen);
      // Without a database, the alerts notice that nothing is recorded.
      if (record !== undefined && installation.db !== undefined) await recordRun(installation.db, record, found);
      return found;
    },
  );
  const faults = findings.filter(({ level }) => level === 'fault').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  const shown = findings.filter(({ level }) => verbose === true || level === 'fault' || level === 'warning');
  printResult(json, { healthy: faults === 0, faults, warnings, findings }, [
    ...shown.flatMap(describe),
    `${chosen.length} checks: ${counted(faults, 'fault')}, ${counted(warnings, 'warning')}.`,
  ]);
  if (faults > 0) throw new CommandFailed('Something is wrong with this installation.', exitCodes.faults);
}

const width = 22;
const marks = { ok: '✓', warning: '!', fault: '✗', unchecked: '-' };

function describe({ check, level, found, means, remedy }: NamedFinding): string[] {
  const indent = ' '.repeat(width + 2);
  return [
    `${marks[level]} ${check.padEnd(width)}${found}`,
    ...(means === undefined ? [] : [`${indent}${means}`]),
    ...(remedy === undefined ? [] : [`${indent}→ ${remedy}`]),
  ];
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The environment wins over the file, as when a process starts. */
function readSettings(given: string | undefined) {
  const file = given ?? projectFolder('.env');
  if (!existsSync(file)) {
    if (given !== undefined) throw new CommandFailed(`${given} does not exist.`, exitCodes.usage);
    return { env: process.env };
  }
  try {
    return { env: { ...readEnvFile(file), ...process.env }, envFile: file };
  } catch (error) {
    throw new CommandFailed(error instanceof Error ? error.message : String(error), exitCodes.usage);
  }
}
