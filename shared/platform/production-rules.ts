import type { z } from 'zod';
import { aboutSetting, envName } from './read-config.ts';

/** The stand-ins' own accounts. They are published with the source, so production refuses every one of them. */
export const standinAccounts = {
  googleClientId: 'octroi-local.apps.googleusercontent.com',
  razorpayKeyId: 'rzp_test_LOCAL000000001',
  razorpayKeySecret: 'rzp_sandbox_secret_0000',
  razorpayWebhookSecret: 'whsec_local_1',
  gspClientId: 'octroi-local-gsp',
  gspClientSecret: 'gsp_sandbox_secret_0000',
} as const;

/** How the accounts that `octroi rehearse` makes up begin: a rehearsal accepts no others, and production none of these. */
export const rehearsalPrefixes = { googleClientId: 'octroi-rehearsal-', razorpayKeyId: 'rzp_rehearsal_' } as const;

/** One setting value that production refuses. docs/operating/security.md lists them all; a test compares the two. */
export interface ProductionRule<Settings extends z.ZodObject = z.ZodObject> {
  setting: keyof z.output<Settings> & string;
  /** Whether the rule is for production alone, or for a rehearsal of it alone; both if not set. */
  only?: 'real' | 'rehearsal';
  /** Follows the name of the setting in a sentence: `must begin with https://`. */
  must: string;
  /** `sample`: the default of the setting. */
  isRefused: (value: unknown, sample: unknown) => boolean;
}

type Rule = Omit<ProductionRule, 'setting'>;

const published: ReadonlySet<unknown> = new Set(Object.values(standinAccounts));

/** Compare without case and white space, so that no variant of a sample passes. */
const folded = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim().replaceAll(/\s+/g, ' ').toLowerCase() : value;

/** Refuses the sample value that is the default. */
export const notTheSample: Rule = {
  must: 'must be your own, not the sample value',
  isRefused: (value, sample) => folded(value) === folded(sample),
};
/** Refuses accounts and secrets of the stand-ins; some settings hold two, separated by a comma. */
export const notTheStandins: Rule = {
  must: 'must be your own, not the stand-in’s',
  isRefused: (value) => typeof value === 'string' && value.split(',').some((part) => published.has(part.trim())),
};
/** Traffic to this address must not be readable or changeable on the way. */
export const onlyHttps: Rule = {
  must: 'must begin with https://',
  isRefused: (value) => typeof value === 'string' && !value.startsWith('https://'),
};
/** The same for an address that may also be something else, such as a folder. */
export const notUnencrypted: Rule = {
  must: 'must not begin with http://',
  isRefused: (value) => typeof value === 'string' && value.startsWith('http://'),
};
/** Domains reserved for examples (RFC 2606) and their subdomains; an address may stand in angle brackets, or before others. */
const exampleDomain = /[@.](?:example\.(?:com|org|net)|example|test|invalid|localhost)\s*>?\s*(?:$|,)/i;
export const notAnExampleAddress: Rule = {
  must: 'must be your own, not one at example.com or another domain for examples',
  isRefused: (value) => typeof value === 'string' && exampleDomain.test(value),
};
export const notATestKey: Rule = {
  must: 'must not begin with rzp_test_, as no money would move',
  isRefused: (value) => typeof value === 'string' && /^\s*rzp_test_/i.test(value),
};
const beginsWith = (value: unknown, prefix: string): boolean =>
  typeof value === 'string' && value.trim().toLowerCase().startsWith(prefix);
/** Refuses, outside a rehearsal, the account that one made up. */
export const notOfARehearsal = (prefix: string): Rule & { only: 'real' } => ({
  only: 'real',
  must: `must not begin with ${prefix}, as no money would move`,
  isRefused: (value) => beginsWith(value, prefix),
});
/** A rehearsal never uses a real account. */
export const ofTheRehearsal = (prefix: string): Rule & { only: 'rehearsal' } => ({
  only: 'rehearsal',
  must: `must begin with ${prefix}`,
  isRefused: (value) => value !== undefined && !beginsWith(value, prefix),
});
export const leadsToThisMachine = (value: unknown): boolean =>
  typeof value === 'string' &&
  URL.canParse(value) &&
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(value).hostname);
/** Services of others are never on this machine, where a rehearsal has its stand-ins. */
export const notOnThisMachine: Rule & { only: 'real' } = {
  only: 'real',
  must: 'must not lead to this machine',
  // Without https it is refused anyway.
  isRefused: (value) => leadsToThisMachine(value) && !onlyHttps.isRefused(value, undefined),
};
/** Nothing of a rehearsal leaves the machine. */
export const onThisMachine: Rule & { only: 'rehearsal' } = {
  only: 'rehearsal',
  must: 'must lead to this machine',
  isRefused: (value) => value !== undefined && !leadsToThisMachine(value),
};
export const notSwitchedOn: Rule = { must: 'must not be set', isRefused: (value) => value === true };

/** One sentence for each setting that production refuses; none outside production. */
export function productionFaults<Settings extends z.ZodObject>(
  settings: Settings,
  rules: readonly ProductionRule<Settings>[],
  config: Partial<z.output<Settings>> & { nodeEnv?: unknown; rehearsal?: unknown },
): string[] {
  const isRehearsal = config.rehearsal === true;
  if (config.nodeEnv !== 'production')
    return isRehearsal ? ['REHEARSAL must not be set unless NODE_ENV is production: octroi rehearse sets both.'] : [];
  const where = isRehearsal ? 'a rehearsal' : 'production';
  const skipped = isRehearsal ? 'real' : 'rehearsal';
  return rules.flatMap(({ setting, only, must, isRefused }) => {
    if (only === skipped) return [];
    const field = settings.shape[setting];
    const sample = field === undefined ? undefined : aboutSetting(field).default;
    return isRefused(config[setting], sample) ? [`${envName(setting)} ${must} in ${where}.`] : [];
  });
}
