import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

test('name and address of a buyer are corrected, the invoices that name others are listed, and the audit log names neither', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const account = () => portal.ask(readAccount, {}, buyer.token);
  const { user, profile: before } = await account();
  const correct = (...more: string[]) =>
    run(['customers', 'details', user.id, '--reason', 'Renamed', '--actor', 'asha', ...more]);
  const name = ['--name', 'Kosi Renamed Pvt Ltd'];
  expect(await correct(...name, '--dry-run')).toBe(exitCodes.done);
  expect(terminal.out).toContain(`octroi documents correct ${invoice?.number}`);
  expect((await account()).profile).toEqual(before);
  expect(await correct(...name, '--yes')).toBe(exitCodes.done);
  expect((await account()).profile).toEqual({ ...before, legalName: 'Kosi Renamed Pvt Ltd' });
  expect(await correct(...name, '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('say so already');
  // The PIN code of another State would change the tax.
  expect(await correct('--pin', '110001', '--yes')).toBe(exitCodes.failed);
  const [action] = await listActions(portal.portal.db, { limit: 1 });
  expect(action).toMatchObject({
    action: 'customers.details',
    effect: { changed: ['legalName'], otherInvoices: [invoice?.number] },
  });
  expect(await run(['documents', 'correct', invoice?.number ?? '', '--reason', 'Renamed', '--yes'])).toBe(
    exitCodes.done,
  );
  terminal.out = '';
  expect(await correct('--city', 'Nashik', '--dry-run')).toBe(exitCodes.done);
  expect(terminal.out).toContain('Nashik');
});
