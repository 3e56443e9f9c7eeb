import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Command, CommanderError } from 'commander';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import writeSheets from 'write-excel-file/node';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { commands, run } from '#cli/octroi.ts';
import { createProgram, withSubcommands } from '#cli/run-program.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { firstDayOf, monthBefore, monthOf } from '#shared/domain/month.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import { turnRefund } from '#server/features/refunds/operator-transfers.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { commandsIn, type DocumentedCommand, documentedCommands } from './documented-commands.ts';
import { runElsewhere } from './run-elsewhere.ts';

const documented = documentedCommands();
const withoutSettings = (text: string): string => text.replace(/^(?:[A-Z][A-Z_]*=\S+ )+/, '');
const elsewhere = (text: string) => {
  if (text.startsWith('octroi ') && text.endsWith(' --help')) return undefined;
  return Object.keys(runElsewhere).find((start) => `${withoutSettings(text)} `.startsWith(`${start} `));
};

/** The words of a shell line, and the files that it reads and writes. */
function shellWords(line: string) {
  const found = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c = '']) => a ?? b ?? c);
  const fileAfter = (sign: string) => (found.includes(sign) ? found[found.indexOf(sign) + 1] : undefined);
  const end = found.findIndex((word) => word === '<' || word === '>');
  return { words: end < 0 ? found : found.slice(0, end), input: fileAfter('<'), output: fileAfter('>') };
}

/** The command that words name, and how many of them do. */
function resolve(program: Command, words: readonly string[]): { command: Command; depth: number } {
  const next = program.commands.find((each) => each.name() === words[0]);
  if (next === undefined) return { command: program, depth: 0 };
  const { command, depth } = resolve(next, words.slice(1));
  return { command, depth: depth + 1 };
}

/** Prose may name a command without its arguments. */
function isOnlyNamed(command: Command, rest: readonly string[]): boolean {
  const needs =
    command.commands.length > 0 ||
    command.registeredArguments.some(({ required }) => required) ||
    command.options.some(({ mandatory }) => mandatory);
  return needs && rest.every((word) => word === '…');
}

const octroi = documented.filter(({ text }) => withoutSettings(text).startsWith('octroi '));

test('commands are found in shell blocks, indented blocks and code spans', () => {
  const page =
    'Run `octroi actions` or `DATA_DIR=/x octroi migrate`, not `actions`.\n```sh\noctroi keys find - < a.txt # b\n```\n    octroi hsn import x\n';
  expect(commandsIn('a.md', page)).toEqual([
    { place: 'a.md:1', text: 'octroi actions' },
    { place: 'a.md:1', text: 'DATA_DIR=/x octroi migrate' },
    { place: 'a.md:3', text: 'octroi keys find - < a.txt' },
    { place: 'a.md:5', text: 'octroi hsn import x' },
  ]);
  expect(octroi.length).toBeGreaterThan(30);
});

test('every documented command is one of octroi, or is run elsewhere; and that list names nothing that is gone', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(projectFolder('package.json'), 'utf8')));
  const unknown = documented.filter(
    ({ text }) => !octroi.some((each) => each.text === text) && elsewhere(text) === undefined,
  );
  expect(unknown).toEqual([]);
  const gone = documented.filter(({ text }) => {
    const [, script] = /^npm run ([\w:-]+)/.exec(text) ?? [];
    return script !== undefined && !(script in scripts);
  });
  expect(gone).toEqual([]);
  const starts = new Set(documented.map(({ text }) => elsewhere(text)));
  expect(Object.keys(runElsewhere).filter((start) => !starts.has(start))).toEqual([]);
  const lost = Object.values(runElsewhere).filter(({ by, title }) => {
    const text = existsSync(projectFolder(by)) ? readFileSync(projectFolder(by), 'utf8') : undefined;
    return text === undefined || (title !== undefined && !text.includes(`test('${title}'`));
  });
  expect(lost).toEqual([]);
});

test('every example in the help is a correct command line', async () => {
  const examples = withSubcommands(createProgram(commands())).flatMap((command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
    return [...help.matchAll(/^ {2}(?:[A-Z_]+=\S+ )*octroi (.+)$/gm)].map(([, line = '']) => line);
  });
  expect(examples.length).toBeGreaterThan(50);
  for (const line of examples) {
    const program = createProgram(commands());
    for (const each of withSubcommands(program)) each.configureOutput({ writeErr: () => undefined }).action(() => {});
    const parsed = await program.parseAsync(shellWords(line).words, { from: 'user' }).catch((error: unknown) => error);
    expect(parsed instanceof CommanderError ? `octroi ${line}: ${parsed.message}` : undefined).toBeUndefined();
  }
});

const cell = (value: string) => ({ value, type: String });
let portal: TestPortal;
/** What the documents’ sample values stand for here. */
const values = new Map<string, string>();
const folder = mkdtempSync(join(tmpdir(), 'octroi-documented-'));
const before = process.cwd();
const terminal = captureTerminal();

beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
  const { db } = portal.portal;
  const catalogDir = join(folder, 'catalog');
  cpSync(projectFolder('ship', 'standins', 'catalog'), catalogDir, { recursive: true });
  const abroad = await newBuyer(portal, { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' });
  const cycleId = await abroad.buy(0);
  const { provider_payment_id: paymentId, customer_id: customerId } = await db
    .selectFrom('payments')
    .select(['provider_payment_id', 'customer_id'])
    .executeTakeFirstOrThrow();
  const body = { keyName: 'leak', isTest: false };
  const { apiKey } = await portal.ask(
    createApiKey,
    { params: { activationId: abroad.activationId }, body },
    abroad.token,
  );
  const refunded = await newBuyer(portal);
  const reason = 'Not needed';
  const { refundIds } = await makeRefund(portal.portal, { of: await refunded.buy(0), reason }, 'test');
  const [refundId = ''] = refundIds;
  const refusedAt = new Date(portal.portal.clock());
  await db
    .updateTable('refunds')
    .set({ refused_at: refusedAt, refusal: 'too little balance' })
    .where('id', '=', refundId)
    .execute();
  await turnRefund(portal.portal, refundId, { actor: 'test', reason });
  const today = dayOf(portal.portal.clock());
  await db.updateTable('clock').set({ reached_day: today }).execute();
  const month = monthOf(today);
  const over = monthBefore(month);
  for (const [written, meant] of [
    ['2026-11-20', today],
    ['2026-10-31', addDays(firstDayOf(month), -1)],
    ['2026-11', month],
    ['2026-10', over],
    ['pay_N8FUmetkCE2hZP', paymentId],
    ['CYC-7K2M9QX4TB01', cycleId],
    ['CUS-7K2M9QX4TB01', customerId],
    ['ACT-7K2M9QX4TB01', abroad.activationId],
    ['RFD-7K2M9QX4TB01', refundId],
    ['find PAYMENT', `find ${paymentId}`],
    ['show PAYMENT', `show ${paymentId}`],
    ['set weather ', 'set tax-lookup-api '],
    ['find KEY', `find ${apiKey.slice(0, 16)}`],
    ['gstk_live_Ab12Cd', apiKey.slice(0, 16)],
    ['/mnt/backups', join(folder, 'backups')],
    ['revert 3 ', 'revert 1 '],
  ] as const)
    values.set(written, meant);
  process.chdir(folder);
  for (const [name, value] of Object.entries({
    DATABASE_URL: portal.portal.settings.databaseUrl,
    DATA_DIR: join(folder, 'data'),
    CATALOG_DIR: catalogDir,
    BACKUP_DIR: join(folder, 'nightly'),
  }))
    vi.stubEnv(name, value);
  writeFileSync('leaked.txt', `${apiKey}\n`);
  const paths = { '/v1/shops': { get: { summary: 'All shops', responses: { 200: { description: 'Shops' } } } } };
  const info = { title: 'Shops', version: '1', description: 'Finds shops.' };
  writeFileSync(
    'openapi.yaml',
    JSON.stringify({ openapi: '3.0.3', info, servers: [{ url: 'http://127.0.0.1:9' }], paths }),
  );
  await writeSheets(
    [
      ['HSN_CD', 'HSN_Description'],
      ['0103', 'Live swine'],
    ].map((row) => row.map(cell)),
  ).toFile('HSN_SAC.xlsx');
});
afterAll(async () => {
  process.chdir(before);
  vi.unstubAllEnvs();
  await portal.close();
  rmSync(folder, { recursive: true });
});

/** What a person does after a command, before the next one. */
const afterwards: Readonly<Record<string, () => void>> = {
  'octroi backup key > octroi-backup-key.txt': () => {
    const [key = ''] = /age1[a-z0-9]+/.exec(readFileSync('octroi-backup-key.txt', 'utf8')) ?? [];
    values.set('age1…', key);
    vi.stubEnv('BACKUP_RECIPIENT', key);
  },
};

const isKey = ({ text }: DocumentedCommand) => text.startsWith('octroi backup key');

/** The line with what is meant instead of what is written. Each place once: what is meant by a month may be written for another. */
function meantBy(text: string): string {
  const longestFirst = [...values.keys()].toSorted((a, b) => b.length - a.length);
  const pattern = longestFirst.map((written) => written.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  return text.replaceAll(new RegExp(pattern, 'g'), (written) => values.get(written) ?? written);
}

/** Runs one line as a shell in the fresh folder would; returns the exit code. */
async function runLine(text: string): Promise<number> {
  const line = meantBy(text);
  for (const [, name = '', value = ''] of line.matchAll(/(?:^|\s)([A-Z][A-Z_]*)=(\S+)(?= .*octroi )/g))
    vi.stubEnv(name, value);
  const { words, input, output } = shellWords(withoutSettings(line).replace(/^octroi /, ''));
  const { command } = resolve(createProgram(commands()), words);
  const isAsked = command.options.some(({ long }) => long === '--yes') && !words.includes('--dry-run');
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
  if (input !== undefined)
    Object.defineProperty(process, 'stdin', { value: Readable.from([readFileSync(input)]), configurable: true });
  terminal.out = '';
  const code = await run(isAsked ? [...words, '--yes'] : words);
  Object.defineProperty(process, 'stdin', stdin);
  if (output !== undefined) writeFileSync(output, terminal.out);
  return code;
}

test('every documented command of octroi works on a fresh folder, in the order of the documents', async () => {
  const program = createProgram(commands());
  // A key is needed before the first backup of the pages.
  const keyFirst = [...octroi.filter(isKey), ...octroi.filter((each) => !isKey(each))];
  const done = new Set<string>();
  const failed: string[] = [];
  for (const { place, text } of keyFirst) {
    const { words } = shellWords(withoutSettings(text).replace(/^octroi /, ''));
    const { command, depth } = resolve(program, words);
    if (depth === 0) failed.push(`${place} ${text}: octroi has no such command`);
    if (depth === 0 || done.has(text) || elsewhere(text) !== undefined || isOnlyNamed(command, words.slice(depth)))
      continue;
    done.add(text);
    terminal.errors = '';
    const code = await runLine(text);
    if (code !== exitCodes.done) failed.push(`${place} ${text}: exit code ${code}\n${terminal.errors}`);
    afterwards[text]?.();
  }
  expect(failed).toEqual([]);
  expect(done.size).toBeGreaterThan(20);
});
