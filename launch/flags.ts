import { envName, flagName } from '#platform/read-config.ts';

export interface Flags {
  help: boolean;
  /** Settings by their name in the environment. */
  env: Record<string, string>;
  /** One sentence for each word that was not understood. */
  faults: string[];
}

const shortNames: Record<string, string> = { '--data': 'dataDir' };

/**
 * Reads the command line: every setting is a flag (`portalPort` is `--portal-port 4000` or `--portal-port=4000`), and
 * `--data` is short for `--data-dir`.
 */
export function readFlags(args: readonly string[], settings: Iterable<string>): Flags {
  const names = new Map([...settings].map((name) => [flagName(name), name]));
  for (const [flag, name] of Object.entries(shortNames)) names.set(flag, name);
  const flags: Flags = { help: false, env: {}, faults: [] };
  for (let index = 0; index < args.length; index += 1) {
    const [flag = '', ...rest] = (args[index] ?? '').split('=');
    const name = names.get(flag);
    if (flag === '--help' || flag === '-h') flags.help = true;
    else if (name === undefined) flags.faults.push(`${args[index]} is not a setting; --help lists them all.`);
    else if (rest.length > 0) flags.env[envName(name)] = rest.join('=');
    else if (args[index + 1] === undefined || args[index + 1]?.startsWith('--') === true) {
      flags.faults.push(`${flag} needs a value after it.`);
    } else {
      flags.env[envName(name)] = args[index + 1] ?? '';
      index += 1;
    }
  }
  return flags;
}
