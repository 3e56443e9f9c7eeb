import { z } from 'zod';
import { looksSecret } from './secret-looking.ts';

/** Where settings come from. A flag wins over the environment; an empty text counts as not set. */
export interface ConfigSource {
  env: Record<string, string | undefined>;
  /** By setting name (camelCase), as `readFlags` gives them. */
  flags?: Record<string, string | undefined>;
}

/** Every error in the configuration, one sentence each; the message holds them all. */
export class ConfigFaults extends Error {
  override readonly name = 'ConfigFaults';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      [
        `The configuration has ${faults.length === 1 ? 'an error' : `${faults.length} errors`}:`,
        ...faults.map((fault) => `  - ${fault}`),
      ].join('\n'),
    );
    this.faults = faults;
  }
}

/** `portalPort` → `PORTAL_PORT`, the name in the environment. */
export function envName(setting: string): string {
  return setting.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** `portalPort` → `--portal-port`, the name on the command line. */
export function flagName(setting: string): string {
  return `--${setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Reads and checks all settings of one process.
 * @param settings a zod object with camelCase names (`portalPort` is read from `PORTAL_PORT` or `--portal-port`); its
 *   fields take text (see settings.ts).
 * @param rules one sentence per combination of settings that is not allowed; it sees every setting that is valid alone.
 * @throws ConfigFaults with every error at once.
 */
export function readConfig<Settings extends z.ZodObject>(
  settings: Settings,
  source: ConfigSource,
  rules: (config: Partial<z.output<Settings>>) => string[] = () => [],
): z.output<Settings> {
  const given = givenSettings(settings, source);
  const parsed = settings.safeParse(given);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => sentence(settings, issue, given));
  const combinations = rules(parsed.success ? parsed.data : soundSettings(settings, given));
  if (!parsed.success || combinations.length > 0) throw new ConfigFaults([...new Set([...faults, ...combinations])]);
  return parsed.data;
}

/** The settings that are valid, each by itself; the others are missing. For a program that has to work with a broken configuration. */
export function readSoundSettings<Settings extends z.ZodObject>(
  settings: Settings,
  source: ConfigSource,
): Partial<z.output<Settings>> {
  return soundSettings(settings, givenSettings(settings, source));
}

function givenSettings(settings: z.ZodObject, source: ConfigSource): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(settings.shape)) {
    const value = source.flags?.[name] || source.env[envName(name)];
    if (value !== undefined && value !== '') given[name] = value;
  }
  return given;
}

function sentence(settings: z.ZodObject, issue: z.core.$ZodIssue, given: Record<string, string>): string {
  const name = String(issue.path[0] ?? '');
  const field = settings.shape[name];
  if (field === undefined) return issue.message;
  const label = `${envName(name)} (or ${flagName(name)})`;
  const value = given[name];
  if (value === undefined) return `${label} is not set, and it has no default: ${aboutSetting(field).description}`;
  const about = aboutSetting(field);
  const isHidden = about.secret || about.besideSecret === true || looksSecret(value);
  const shown = isHidden ? 'its value is not shown' : `it is "${value}"`;
  return `${label} ${issue.message}; ${shown}.`;
}

/** What a setting's schema says about it: its description, its default, and whether its value must never be printed. */
export function aboutSetting(field: z.core.$ZodType): {
  description: string;
  secret: boolean;
  /** Not secret itself, but easily taken for a secret, so that a wrong value is not printed. */
  besideSecret?: true;
  default?: unknown;
} {
  const about = z.globalRegistry.get(field) ?? {};
  const own = {
    ...(about.description === undefined ? {} : { description: about.description }),
    ...(about['secret'] === true ? { secret: true } : {}),
    ...(about['besideSecret'] === true ? { besideSecret: true as const } : {}),
    ...(field instanceof z.ZodDefault ? { default: field.def.defaultValue } : {}),
  };
  const wraps = field instanceof z.ZodDefault || field instanceof z.ZodOptional;
  return { ...(wraps ? aboutSetting(field.def.innerType) : { description: '', secret: false }), ...own };
}

function soundSettings<Settings extends z.ZodObject>(settings: Settings, given: Record<string, string>) {
  const valid: Partial<z.output<Settings>> = {};
  for (const [name, field] of Object.entries(settings.shape)) {
    const parsed = z.safeParse(field, given[name]);
    if (parsed.success) Object.assign(valid, { [name]: parsed.data });
  }
  return valid;
}
