import { Command, Option } from 'commander';
import { safeParse, type z } from 'zod';
import { type Part, partList, type PartName } from '#ship/launch/parts.ts';
import { portCount } from '#ship/launch/rehearsal/ports.ts';
import { allSettings } from '#ship/launch/settings.ts';
import { aboutSetting, envName, flagName } from '#shared/platform/read-config.ts';
import { becomeProgram } from './programs.ts';

/** The names of the commands that become a process. */
export const processNames: readonly string[] = ['start', 'rehearse', ...partList.map(({ name }) => name)];

/** `octroi start`, `portal`, `gateway` and `products`: everything together, or one part. */
export function processCommands(): Command[] {
  return [startCommand(), rehearseCommand(), ...partList.map(partCommand)];
}

function startCommand(): Command {
  const start = new Command('start')
    .summary('Start everything: PostgreSQL, portal, gateway, products.')
    .description(
      'Start everything on this machine and keep it running: PostgreSQL (unless DATABASE_URL names yours), portal, gateway, products, and stand-ins for those of Google, Razorpay and the GST systems that are not set up. Updates the tables first. Ctrl-C stops all of it.',
    )
    .addHelpText('after', '\nExamples:\n  octroi start\n  octroi start --data-dir /srv/octroi --portal-port 8000');
  return withSettings(start, allSettings()).action(async (options: Record<string, string>) => {
    applySettings(options);
    await becomeProgram('launch');
  });
}

function rehearseCommand(): Command {
  return new Command('rehearse')
    .summary('Start a rehearsal of production on this machine: all its refusals, and no money moves.')
    .description(
      'Start everything on this machine as in production: NODE_ENV=production with all its checks, TLS, users of the database with the least rights, backups to a store. Stand-ins take the places of Google, Razorpay, the GST systems, the mail server and the store, so no money moves, and every page, mail and document says so. It has a folder of its own; your company, catalogue and brand are those of your settings. Ctrl-C stops all of it.',
    )
    .option('--folder <folder>', 'everything that it keeps', './rehearsal')
    .option('--port <port>', `first of its ${portCount} ports`, '4440')
    .addHelpText('after', '\nExamples:\n  octroi rehearse\n  octroi rehearse --folder /srv/rehearsal --port 5440')
    .action(({ folder, port }: { folder: string; port: string }) =>
      becomeProgram('rehearse', ['--folder', folder, '--port', port]),
    );
}

function partCommand(part: Part & { name: PartName }): Command {
  const { name, what, needs, keeps, ports } = part;
  const settings = new Map<string, z.core.$ZodType>(Object.entries(part.settings.shape));
  const required = [...settings]
    .filter(([, field]) => !safeParse(field, undefined).success)
    .map(([setting]) => envName(setting));
  const health = ports.map(({ setting, healthPath }) => `GET ${healthPath} on ${envName(setting)}`);
  const example = ports.map(({ setting }) => `${flagName(setting)} 8000`)[0] ?? '';
  const command = new Command(name)
    .summary(`Start one part: ${what}.`)
    .description(`Start one part of Octroi: ${what}. The tables must be up to date (octroi migrate).`)
    .addHelpText(
      'after',
      `
Needs: ${needs}
Must be set: ${required.length === 0 ? 'nothing' : required.join(', ')}
Keeps: ${keeps}
Ready when it responds with 200: ${health.join(', ')}

Examples:
  octroi ${name}
  octroi ${name} ${example}`,
    );
  return withSettings(command, settings).action(async (options: Record<string, string>) => {
    applySettings(options);
    await becomeProgram(name);
  });
}

/** Every setting is an option too; the environment and .env stay the usual place. */
function withSettings(command: Command, settings: ReadonlyMap<string, z.core.$ZodType>): Command {
  for (const [name, field] of settings) {
    const about = aboutSetting(field);
    const fallback = about.default === undefined || about.secret ? '' : `, default ${JSON.stringify(about.default)}`;
    command.addOption(new Option(`${flagName(name)} <value>`, `${about.description} (${envName(name)}${fallback})`));
  }
  return command;
}

/** Options win over the environment, which wins over .env. */
function applySettings(options: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(options)) process.env[envName(name)] = value;
}
