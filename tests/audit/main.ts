import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { buildPrograms } from '#tests/audit/world/programs.ts';
import { removeServers } from '#tests/audit/world/server.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { runAll } from './run.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { tableOf, verdictOf } from './table.ts';

const usage = `Usage: npm run audit -- [--only NAME]... [--json] [--jobs N] [--list]

Plays every scenario against a running portal, and compares to the paisa what the scenario expects with the portal's API, the
ledger, Razorpay's book and GSTR-1. Exits with 1 when anything differs.
`;

const say = (text: string) => void process.stdout.write(text);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      json: { type: 'boolean', default: false },
      jobs: { type: 'string', default: String(availableParallelism()) },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) say(usage);
  if (values.list) say(scenarios.map(({ name, title }) => `${name.padEnd(36)} ${title}\n`).join(''));
  if (values.help || values.list) return 0;

  const only = values.only ?? [];
  const chosen = scenarios.filter(({ name }) => only.length === 0 || only.some((text) => name.includes(text)));
  const jobs = Number(values.jobs);
  if (chosen.length === 0) throw new RangeError(`No scenario is named ${only.join(', ')}. --list shows them all.`);
  if (!Number.isInteger(jobs) || jobs < 1) throw new RangeError('--jobs must be a positive whole number.');

  await buildPrograms();
  const began = Date.now();
  const outcomes = await runAll(chosen, jobs, (outcome) => {
    if (!values.json) process.stderr.write(`${verdictOf(outcome).padEnd(7)}${outcome.name} (${outcome.seconds} s)\n`);
  });
  if (values.json) say(`${JSON.stringify(outcomes, null, 2)}\n`);
  else say(`\n${tableOf(outcomes)}${Math.round((Date.now() - began) / 1000)} seconds.\n`);
  return outcomes.every((outcome) => verdictOf(outcome) === 'agree') ? 0 : 1;
}

// The processes of the product run from their bundles; they must not inherit the loader that runs this program.
process.execArgv = [];
withCleanUp(main, removeServers).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
