import { z } from 'zod';

/**
 * The kinds of values a setting may have. Every setting arrives as text (environment or flag); each kind says in one
 * phrase what it must be, and `readConfig` puts the setting's name in front of it.
 */

/**
 * Ports that browsers refuse to open ("bad ports" of the Fetch standard, https://fetch.spec.whatwg.org/#port-blocking).
 * Node's fetch refuses them too, but only after the process has started.
 */
const badPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]);
const badPortPhrase = 'names a port that browsers refuse to open; choose another one, such as 8080';

const anyPort = (phrase = 'must be a whole number from 1 to 65535') =>
  z
    .string()
    .regex(/^\d{1,5}$/, phrase)
    .transform(Number)
    .refine((value) => value >= 1 && value <= 65_535, phrase)
    .refine((value) => !badPorts.has(value), badPortPhrase);

/** A TCP port. */
export function port(defaultPort: number, description: string) {
  return anyPort().default(defaultPort).describe(description);
}

/** Where a process serves its metrics: a setting of its own for each, because all of them read one `.env`. */
export function metricsPort(process: string) {
  return anyPort()
    .optional()
    .describe(`Port of the metrics of ${process}, at /metrics (OpenMetrics); if not set, they are not served`);
}

/** They name no customer, but they are the operator's alone. */
export const metricsHost = z.string().default('127.0.0.1').describe('Address on which metrics are served');

/** A whole number from min to max, both allowed; its unit belongs in the setting's name. */
export function wholeNumber(defaultValue: number, min: number, max: number, description: string) {
  const phrase = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, phrase)
    .transform(Number)
    .refine((value) => value >= min && value <= max, phrase)
    .default(defaultValue)
    .describe(description);
}

/** The mode this process runs in. Anything else, such as `prod` or `Production`, would silently run as development. */
export const nodeEnv = z
  .enum(['development', 'test', 'production'], 'must be one of: development, test, production')
  .default('development')
  .describe('production refuses stand-ins, sample values and addresses without https');

/** Set by `octroi rehearse` alone. It must agree with what the database says, so neither can be taken for the other. */
export const rehearsal = yesNo(
  false,
  'Is this a rehearsal of production, in which no money moves? Set by octroi rehearse; the database must be a rehearsal’s too',
);

/** An http or https address, kept without a trailing slash. */
export function webAddress(description: string) {
  return z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
    .refine((value) => !URL.canParse(value) || !badPorts.has(Number(new URL(value).port)), badPortPhrase)
    .transform((value) => value.replace(/\/+$/, ''))
    .describe(description);
}

/** Addresses and networks (CIDR), IPv4 or IPv6, separated by commas; empty by default. */
export function networks(description: string) {
  const one = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or networks such as 10.0.0.0/8');
  return z
    .string()
    .default('')
    .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(one))
    .describe(description);
}

/** Where calls are forwarded to: a web address, or `file:` and a module that runs in the gateway's own process. */
export function upstreamAddress(description: string) {
  return z
    .string()
    .refine((value) => /^file:.+\.m?[jt]s$/.test(value) || (/^https?:/.test(value) && URL.canParse(value)), {
      error: 'must be an address that starts with http:// or https://, or file: and the path of a module',
    })
    .transform((value) => value.replace(/\/+$/, ''))
    .describe(description);
}

/** Any text that is not empty. */
export function text(description: string) {
  return z.string().describe(description);
}

/** Texts separated by commas. */
export function texts(description: string) {
  return z
    .string()
    .transform((value) => value.split(',').map((each) => each.trim()))
    .describe(description);
}

/** A text that must never be printed: errors and .env.example leave its value out. */
export function secret(description: string) {
  return z.string().describe(description).meta({ secret: true });
}

/** A text that `parse` reads, or throws the reason why it can't; empty if not set. */
export function parsed<Value>(description: string, parse: (value: string) => Value) {
  return z
    .string()
    .default('')
    .transform((value, context) => {
      try {
        return parse(value);
      } catch (error) {
        const message = `is wrong: ${error instanceof Error ? error.message : 'unreadable'}`;
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
    })
    .describe(description);
}

/** yes or no (also true, false, 1, 0, on, off). */
export function yesNo(defaultValue: boolean, description: string) {
  return z
    .stringbool({ truthy: ['yes', 'true', '1', 'on'], falsy: ['no', 'false', '0', 'off'], error: 'must be yes or no' })
    .default(defaultValue)
    .describe(description);
}

export const logLevel = choice(['debug', 'info', 'warn', 'error'], 'info', 'Minimum log level');

/** One of a closed list of values. */
export function choice<const Words extends readonly [string, ...string[]]>(
  words: Words,
  defaultWord: Words[number],
  description: string,
) {
  return z
    .enum(words, `must be one of: ${words.join(', ')}`)
    .default(defaultWord)
    .describe(description);
}
