import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { dayOf } from '#shared/domain/day.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { sampleLetter, startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const folder = mkdtempSync(join(tmpdir(), 'octroi-tds-'));
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

async function declared(): Promise<string> {
  const buyer = await newBuyer(portal, { gstin: '29ZZZCA0001A1Z0' });
  const quarter = quarterOf(dayOf(portal.portal.clock()));
  const body = { tan: 'MUMA12345B', amount: 127.03, quarter, name: 'form.pdf', certificate: sampleLetter };
  const params = { billingCycleId: await buyer.buy(0) };
  const { claim } = await portal.ask(declareTds, { params, body }, buyer.token);
  return claim?.id ?? '';
}
const because = ['--reason', 'In Form 26AS', '--actor', 'asha'];

test('claims are listed, their certificate is saved, and one is accepted, which the audit log keeps', async () => {
  const claim = await declared();
  expect(await run(['tds', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`${claim}  WAITING  ₹127.03 of ₹1,270.34`);
  const file = join(folder, 'form.pdf');
  expect(await run(['tds', 'certificate', claim, file])).toBe(exitCodes.done);
  expect(readFileSync(file).toString('base64')).toBe(sampleLetter);

  terminal.out = '';
  expect(await run(['tds', 'accept', claim, ...because, '--dry-run'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('When it is accepted, ₹127.03 is refunded to the customer.');
  expect(await run(['tds', 'accept', claim, ...because])).toBe(exitCodes.usage);
  expect(await portal.portal.db.selectFrom('refunds').select('id').execute()).toEqual([]);
  terminal.out = '';
  expect(await run(['tds', 'accept', claim, ...because, '--yes', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ decided: true, id: claim, status: 'ACCEPTED' });
  const [action] = await listActions(portal.portal.db, { limit: 1 });
  expect(action).toMatchObject({ action: 'tds.accept', target: claim, actor: 'asha', reason: 'In Form 26AS' });
  for (const how of ['--yes', '--dry-run']) {
    terminal.errors = '';
    expect(await run(['tds', 'accept', claim, ...because, how])).toBe(exitCodes.failed);
    expect(terminal.errors).toContain('is accepted already');
  }
  terminal.out = '';
  expect(await run(['tds', 'receivable', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject([{ tan: 'MUMA12345B', section: '393(1)', claims: 1, amount: 127.03 }]);
});

test('a claim is refused with a reason; an unknown one is named', async () => {
  const claim = await declared();
  expect(await run(['tds', 'refuse', claim])).toBe(exitCodes.usage);
  expect(await run(['tds', 'refuse', claim, '--reason', 'x'.repeat(501), '--dry-run'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('a reason of at most 500 characters');
  expect(await run(['tds', 'refuse', claim, '--reason', 'Another deductee', '--yes'])).toBe(exitCodes.done);
  terminal.out = '';
  expect(await run(['tds', 'list', '--status', 'REFUSED'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('Another deductee');
  expect(await run(['tds', 'accept', 'TDS-NONE', ...because, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no claim TDS-NONE');
});
