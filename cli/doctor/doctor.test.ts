import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { commands, run } from '#cli/octroi.ts';
import { withSubcommands } from '#cli/run-program.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { checks } from '#doctor/examine.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-cli-doctor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const terminal = captureTerminal();
beforeEach(() => {
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('names what is wrong with its meaning and its remedy, and exits with 3', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://octroi:unsaid@127.0.0.1:1/octroi');
  expect(await run(['doctor', '--only', 'database', 'node'])).toBe(exitCodes.faults);
  expect(terminal.out).toContain('✗ database');
  expect(terminal.out).toContain('Nothing works without it.');
  expect(terminal.out).toContain('→ Start PostgreSQL');
  expect(terminal.out).toContain('2 checks: 1 fault, 0 warnings.');
  expect(terminal.out).not.toContain('unsaid');
  expect(terminal.errors).toContain('Something is wrong with this installation.');
});

test('goes on to the end when the settings are broken and the database is down', async () => {
  for (const name of ['PORTAL_URL', 'GATEWAY_URL', 'PDF_WORKERS', 'NODE_ENV', 'SUPPLIER_GSTIN', 'HSTS'])
    vi.stubEnv(name, '?');
  vi.stubEnv('DATABASE_URL', 'nonsense');
  vi.stubEnv('CATALOG_DIR', join(folder, 'gone'));
  expect(await run(['doctor', '--json'])).toBe(exitCodes.faults);
  const found = z
    .object({ healthy: z.boolean(), findings: z.array(z.looseObject({ check: z.string(), level: z.string() })) })
    .parse(JSON.parse(terminal.out));
  expect(found.healthy).toBe(false);
  expect(new Set(found.findings.map(({ check }) => check))).toEqual(new Set(checks.map(({ name }) => name)));
});

test('says that all is well, reads the settings file that is named, and lists its checks', async () => {
  expect(await run(['doctor', '--only', 'node', '--verbose'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`✓ node`);
  const file = join(folder, 'octroi.env');
  writeFileSync(file, 'RAZORPAY_KEY_SECRET=changeme\n', { mode: 0o600 });
  expect(await run(['doctor', '--only', 'placeholders', '--settings', file])).toBe(exitCodes.faults);
  expect(terminal.out).toContain('RAZORPAY_KEY_SECRET looks like a placeholder');
  expect(await run(['doctor', '--only', 'weather'])).toBe(exitCodes.usage);
  expect(terminal.errors).toContain('No such check: weather');
  expect(await run(['doctor', '--list'])).toBe(exitCodes.done);
  for (const { about } of checks) expect(terminal.out).toContain(about);
});

test.each([
  ['gone.env', 'gone.env does not exist.'],
  ['.', "can't be read: it is a folder."],
])('a settings file %s is a wrong command line, also when Node starts the command', (name, message) => {
  const words = [builtProgram('octroi'), 'doctor', '--settings', join(folder, name)];
  const ended = spawnSync(process.execPath, words, { cwd: projectFolder(), encoding: 'utf8' });
  expect(ended.stderr).toContain(message);
  expect(ended.status).toBe(exitCodes.usage);
});

test('no option has the name of one that Node takes for its own behind a program', () => {
  const names = commands()
    .flatMap(withSubcommands)
    .flatMap((command) => command.options.map(({ long }) => long));
  expect(names).toContain('--settings');
  expect(names.filter((name) => name?.startsWith('--env-file'))).toEqual([]);
});
