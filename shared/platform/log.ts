import { type DestinationStream, type Logger, pino } from 'pino';
import { logFields } from './work-context.ts';

export type Log = Logger;

const hiddenFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-razorpay-signature',
  'apiKey',
  'keySecret',
  'secret',
  'password',
  'token',
  'sessionToken',
  'idToken',
  'credential',
  'signature',
  'databaseUrl',
];

/** Field paths to redact: on the object itself, one level down, and in request and response headers. */
const hiddenPaths = hiddenFields.flatMap((field) => {
  const quoted = `["${field}"]`;
  return [quoted, `*${quoted}`, `req.headers${quoted}`, `res.headers${quoted}`, `err.config${quoted}`];
});

/**
 * Secrets that travel inside a longer text (an error message, a URL): API keys, bearer and basic credentials,
 * JSON Web Tokens, passwords in an address, secrets of Razorpay, of webhooks, of Google and of age.
 */
const hiddenTexts: [RegExp, string][] = [
  [/\b([a-z]{2,10}_(?:live|test)_)[0-9A-Za-z]{30,}/g, '$1[hidden]'],
  [/\b(Bearer|Basic) +[\w.~+/=-]{8,}/gi, '$1 [hidden]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, '[hidden]'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^:/@\s"]*:)[^/@\s"][^@\s"]*@/gi, '$1[hidden]@'],
  [/\b(rzp_sandbox_secret_|whsec_|GOCSPX-|AGE-SECRET-KEY-(?:PQ-)?1)[\w-]+/g, '$1[hidden]'],
];

/** Removes secrets from a text before it is logged. Idempotent. */
export function hideSecrets(text: string): string {
  return hiddenTexts.reduce((shown, [pattern, replacement]) => shown.replaceAll(pattern, replacement), text);
}

/**
 * Creates the log of one process: JSON lines on standard output, with `name` on each and times in ISO 8601 UTC. Secrets
 * are hidden twice: by field name, and by their format anywhere in the line. Parts of a process use
 * `log.child({ part: 'payments' })`.
 */
export function createLog(name: string, options: { level?: string; destination?: DestinationStream } = {}): Log {
  return pino(
    {
      name,
      level: options.level ?? 'info',
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: hiddenPaths, censor: '[hidden]' },
      // Of the request or job that the line is about.
      mixin: logFields,
      hooks: { streamWrite: hideSecrets },
    },
    options.destination ?? pino.destination({ fd: 1, sync: true }),
  );
}
