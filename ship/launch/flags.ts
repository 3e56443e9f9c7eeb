import { parseArgs } from 'node:util';
import { envName, flagName } from '#shared/platform/read-config.ts';

export interface Flags {
  help: boolean;
  /** Settings by their name in the environment. */
  env: Record<string, string>;
  /** One sentence for each argument that was not understood. */
  faults: string[];
}

const shortNames: Record<string, string> = { data: 'dataDir' };

/**
 * Reads the command line: every setting is a flag (`portalPort` is `--portal-port 4000` or `--portal-port=4000`), and
 * `--data` is short for `--data-dir`.
 */
export function readFlags(args: readonly string[], settings: Iterable<string>): Flags {
  const names = new Map([...settings].map((name) => [flagName(name).replace('--', ''), name]));
  for (const [flag, name] of Object.entries(shortNames)) names.set(flag, name);
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries([...names.keys()].map((name) => [name, { type: 'string' as const }])),
      help: { type: 'boolean', short: 'h' },
    },
    // Not strict, to report all faults at once.
    strict: false,
    tokens: true,
  });
  const flags: Flags = { help: false, env: {}, faults: [] };
  const refuse = (word: string) => flags.faults.push(`${word} is not a setting; --help lists them all.`);
  for (const token of tokens) {
    if (token.kind === 'positional') refuse(token.value);
    if (token.kind !== 'option') continue;
    const { rawName, value } = token;
    const name = names.get(token.name);
    if (token.name === 'help') flags.help = true;
    else if (name === undefined) refuse(value === undefined ? rawName : `${rawName}=${value}`);
    else if (value === undefined) flags.faults.push(`${rawName} needs a value after it.`);
    else if (token.inlineValue || !value.startsWith('--')) flags.env[envName(name)] = value;
    else {
      // parseArgs took the next flag as the value.
      const { help, env, faults } = readFlags(args.slice(token.index + 1), names.values());
      return {
        help: flags.help || help,
        env: { ...flags.env, ...env },
        faults: [...flags.faults, `${rawName} needs a value after it.`, ...faults],
      };
    }
  }
  return flags;
}
