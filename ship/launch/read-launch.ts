import { resolve } from 'node:path';
import { ConfigFaults, envName, readConfig } from '#shared/platform/read-config.ts';
import { readFlags } from './flags.ts';
import { partList } from './parts.ts';
import { sharedEnv } from './processes.ts';
import { allSettings, type LauncherSettings, launcherSettings } from './settings.ts';

export interface Launch {
  settings: LauncherSettings;
  /** The environment with the flags applied, for the processes. */
  env: Record<string, string>;
  help: boolean;
}

/** One sentence per invalid combination of settings. */
function wrongTogether(config: Partial<LauncherSettings>): string[] {
  const faults: string[] = [];
  if (config.nodeEnv === 'production') {
    for (const name of ['googleClientId', 'razorpayKeyId'] as const) {
      if (config[name] === undefined) {
        faults.push(`${envName(name)} must be set in production: the stand-ins do not run there.`);
      }
    }
  }
  const account = ['razorpayKeyId', 'razorpayKeySecret', 'razorpayWebhookSecret'] as const;
  const missing = account.filter((name) => config[name] === undefined).map(envName);
  if (missing.length > 0 && missing.length < account.length) {
    const verb = missing.length === 1 ? 'is' : 'are';
    faults.push(`A Razorpay account needs all three settings, and ${missing.join(' and ')} ${verb} missing.`);
  }
  return faults;
}

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigFaults) return error.faults;
    throw error;
  }
}

/**
 * The settings that are valid by themselves, so that the processes' checks run even when another setting is invalid.
 */
function soundEnv(env: Record<string, string>): Record<string, string> {
  const valid = { ...env };
  for (const [name, field] of Object.entries(launcherSettings.shape)) {
    if (!field.safeParse(valid[envName(name)] || undefined).success) delete valid[envName(name)];
  }
  return valid;
}

/**
 * Reads flags and environment.
 * @throws ConfigFaults with all errors, in the launcher's own settings and in those of every process
 */
export function readLaunch(args: readonly string[], environment: NodeJS.ProcessEnv): Launch {
  const flags = readFlags(args, allSettings().keys());
  const env: Record<string, string> = { ...flags.env };
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) env[name] ??= value;

  const settings = readConfig(launcherSettings, { env: soundEnv(env) });
  const trial = { ...sharedEnv(settings, env, settings.databaseUrl ?? 'postgres://not-started-yet@127.0.0.1/octroi') };
  const faults = [
    ...flags.faults,
    ...faultsOf(() => readConfig(launcherSettings, { env }, wrongTogether)),
    ...partList.flatMap(({ check }) => faultsOf(() => check(trial))),
  ];
  if (faults.length > 0 && !flags.help) throw new ConfigFaults([...new Set(faults)]);
  return { settings: { ...settings, dataDir: resolve(settings.dataDir) }, env, help: flags.help };
}
