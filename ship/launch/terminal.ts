import { styleText } from 'node:util';
import { z } from 'zod';
import { hideSecrets } from '#shared/platform/log.ts';
import { aboutSetting, envName, flagName } from '#shared/platform/read-config.ts';
import type { Addresses } from './processes.ts';
import { allSettings } from './settings.ts';

type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

const colourful = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;

export function paint(style: Style, text: string): string {
  return colourful ? styleText(style, text) : text;
}

export function say(text = ''): void {
  process.stdout.write(`${text}\n`);
}

/** Both spellings of a log line that our processes use. */
const logLine = z.object({
  level: z.string().default('info'),
  msg: z.string().optional(),
  message: z.string().optional(),
  err: z.object({ message: z.string() }).optional(),
});

const quietLevels = new Set(['trace', 'debug', 'info']);

function parseLogLine(text: string): z.output<typeof logLine> | undefined {
  try {
    return logLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Shows a process's line when it is a warning or an error, or always when `verbose`. */
export function sayLogLine(name: string, text: string, stream: 'stdout' | 'stderr', verbose: boolean): void {
  const line = parseLogLine(text);
  const level = line?.level ?? (stream === 'stderr' ? 'warn' : 'info');
  if (!verbose && quietLevels.has(level)) return;
  const shown = line === undefined ? text : [line.msg ?? line.message, line.err?.message].filter(Boolean).join(': ');
  const style = level === 'warn' ? 'yellow' : quietLevels.has(level) ? 'dim' : 'red';
  say(`  ${paint('dim', name.padEnd(9))} ${paint(style, level.padEnd(5))} ${hideSecrets(shown)}`);
}

export interface Welcome {
  addresses: Addresses;
  dataDir: string;
  database: string;
  tookMs: number;
}

/** One line of a welcome. */
export function row(label: string, value: string, note: string, style: Style = 'bold'): void {
  say(`  ${paint('dim', label.padEnd(10))} ${paint(style, value.padEnd(26))} ${paint('dim', note)}`);
}

/** What the stand-in of Razorpay takes. */
export function sayHowToPay(razorpay: string): void {
  say(`  To pay: card 4100 2800 0000 1007 with any CVV and OTP 1234, or by UPI, approved at ${razorpay}/phone.`);
}

/** The running parts with their addresses, and the first steps. */
export function sayWelcome({ addresses, dataDir, database, tookMs }: Welcome): void {
  say();
  say(
    `  ${paint('green', '●')} ${paint('bold', 'Octroi is running')}  ${paint('dim', `${(tookMs / 1000).toFixed(1)} s`)}`,
  );
  say();
  row('Portal', addresses.portal, 'sign in, choose an API, pay, take a key', 'cyan');
  row('Gateway', addresses.gateway, 'the APIs, for callers', 'cyan');
  if (addresses.google !== undefined) row('Google', addresses.google, 'stand-in: sign in as anyone, no password');
  if (addresses.razorpay !== undefined) row('Razorpay', addresses.razorpay, 'stand-in: no money moves');
  if (addresses.gstn !== undefined) row('GST', addresses.gstn, 'stand-in: taxpayers and e-invoices');
  if (addresses.razorpay !== undefined && addresses.google !== undefined) {
    row('Playground', `${addresses.razorpay}/play`, 'move the clock, choose payment outcomes');
  }
  row('Data', dataDir, `with the logs; ${database}`);
  say();
  say(`  First: open ${paint('cyan', addresses.portal)} and sign in.`);
  if (addresses.razorpay !== undefined) sayHowToPay(addresses.razorpay);
  say(`  ${paint('dim', 'Ctrl-C stops everything.')}`);
  say();
}

/** Every setting, with its flag, its name in the environment, its default and its description. */
export function sayHelp(): void {
  // The reader of a pipe, such as head, may go before everything is written.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  say(
    '\nOctroi: customer portal, billing and metering gateway\n\nUsage: npm start -- [--data DIR] [--setting value …], or octroi start with the same settings\n',
  );
  say('Every setting can also be set in the environment or in a file .env in this folder.\n');
  for (const [name, field] of allSettings()) {
    const about = aboutSetting(field);
    const fallback = about.default === undefined || about.secret ? '' : ` (${JSON.stringify(about.default)})`;
    say(
      `  ${flagName(name).padEnd(28)} ${envName(name)}${paint('dim', fallback)}\n${' '.repeat(31)}${paint('dim', about.description)}`,
    );
  }
  say();
}
