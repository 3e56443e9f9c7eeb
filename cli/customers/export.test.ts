import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#contract/account.ts';
import { startTestPortal, type TestPortal } from '#server/test-portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();
const folder = mkdtempSync(join(tmpdir(), 'octroi-export-'));

beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
  rmSync(folder, { recursive: true });
});

test('an operator exports a customer into a file that only its owner can read', async () => {
  const { user } = await portal.ask(readAccount, {}, await portal.newCustomer());
  const file = join(folder, 'one.zip');
  expect(await run(['customers', 'export', user.id, file])).toBe(exitCodes.done);
  expect(terminal.errors).toContain('data/account/customers.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Object.keys(unzipSync(readFileSync(file)))).toContain('data/account/customers.json');
});

test('an unknown customer or a folder that is not there leaves no file', async () => {
  terminal.errors = '';
  expect(await run(['customers', 'export', 'CUS-NONE', join(folder, 'none.zip')])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no customer CUS-NONE');
  const { user } = await portal.ask(readAccount, {}, await portal.newCustomer());
  expect(await run(['customers', 'export', user.id, join(folder, 'missing', 'x.zip')])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain("can't be written: there is no such file or folder");
  expect(readdirSync(folder).filter((name) => name !== 'one.zip')).toEqual([]);
});
