import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { spawnTestGateway } from '#server/test/gateway.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const folder = mkdtempSync(join(tmpdir(), 'octroi-journals-'));
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
  rmSync(folder, { recursive: true });
});
const settle = (journal: string, ...more: string[]) =>
  run(['journals', 'settle', journal, '--reason', 'The machine is gone', '--actor', 'asha', ...more]);

test('the journal of a gateway is settled once the gateway is gone, and not before; a folder without one is named', async () => {
  const gateway = await spawnTestGateway({
    DATABASE_URL: portal.portal.settings.databaseUrl,
    DATA_DIR: folder,
    UPSTREAM_TAX_LOOKUP_API: 'http://127.0.0.1:9',
  });
  const journal = join(folder, 'journal');
  const id = readFileSync(join(journal, 'id'), 'utf8').trim();
  for (const word of ['--dry-run', '--yes']) {
    terminal.errors = '';
    expect(await settle(journal, word)).toBe(exitCodes.failed);
    expect(terminal.errors).toContain('Another gateway is using the journal');
  }
  await gateway.stop();
  expect(await settle(journal, '--dry-run')).toBe(exitCodes.done);
  expect(terminal.out).toContain('will be counted');
  expect(await run(['journals', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('No stopped gateway holds any quota.');
  expect(await settle(journal)).toBe(exitCodes.usage);
  vi.stubEnv('REHEARSAL', 'true');
  for (const command of [settle(journal, '--yes'), run(['journals', 'list'])]) {
    expect(await command).toBe(exitCodes.failed);
    expect(terminal.errors).toContain('this database is not a rehearsal’s');
  }
  vi.stubEnv('REHEARSAL', undefined);
  expect(await listActions(portal.portal.db, { limit: 1 })).toEqual([]);
  terminal.out = '';
  expect(await settle(journal, '--yes', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toEqual({ settled: true, id, calls: 0, uncounted: [] });
  const actions = await listActions(portal.portal.db, { limit: 5 });
  expect(actions).toMatchObject([
    { action: 'journals.settle', target: id, actor: 'asha', effect: { folder: journal, calls: 0 } },
  ]);
  expect(await settle(join(folder, 'nothing'), '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no journal in');
});
