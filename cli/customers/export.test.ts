import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

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

const because = ['--reason', 'Asked by letter', '--actor', 'asha', '--yes'];

test('an operator exports a customer into a file that only its owner can read, and the customer reads why', async () => {
  const session = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, session);
  const file = join(folder, 'one.zip');
  expect(await run(['customers', 'export', user.id, file, ...because])).toBe(exitCodes.done);
  expect(terminal.errors).toContain('data/account/customers.json');
  const { providerActions } = await portal.ask(readAccount, {}, session);
  expect(providerActions).toMatchObject([{ action: 'customers.export', reason: 'Asked by letter' }]);
  const actions = new TextDecoder().decode(unzipSync(readFileSync(file))['data/audit/operator_actions.json']);
  expect(actions).toContain('Asked by letter');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Object.keys(unzipSync(readFileSync(file)))).toContain('data/account/customers.json');
});

test('an export without a reason is refused, and a preview writes neither file nor entry', async () => {
  const session = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, session);
  const file = join(folder, 'preview.zip');
  expect(await run(['customers', 'export', user.id, file, '--yes'])).toBe(exitCodes.usage);
  expect(await run(['customers', 'export', user.id, file, ...because, '--dry-run'])).toBe(exitCodes.done);
  expect(existsSync(file)).toBe(false);
  expect((await portal.ask(readAccount, {}, session)).providerActions).toEqual([]);
});

test('an unknown customer or a folder that is not there leaves no file', async () => {
  terminal.errors = '';
  expect(await run(['customers', 'export', 'CUS-NONE', join(folder, 'none.zip'), ...because])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no customer CUS-NONE');
  const { user } = await portal.ask(readAccount, {}, await portal.newCustomer());
  expect(await run(['customers', 'export', user.id, join(folder, 'missing', 'x.zip'), ...because])).toBe(
    exitCodes.failed,
  );
  expect(terminal.errors).toContain("can't be written: there is no such file or folder");
  expect(readdirSync(folder).filter((name) => name !== 'one.zip')).toEqual([]);
});
