import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { type RunningProgram, spawnProgram } from '#ship/launch/test-programs.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { freePort } from '#shared/platform/free-ports.ts';
import { standinAccounts } from '#shared/platform/production-rules.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

/** A real portal in its own process, and commands beside it that have other settings. */

const terminal = captureTerminal();
let world: TestPortal;
let program: RunningProgram;
let paymentId = '';
const place = mkdtempSync(join(tmpdir(), 'octroi-place-'));

beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  await world.behave({ webhooks: { enabled: false } });
  const buyer = await newBuyer(world, { ...placeIn('29'), gstin: '29ZZZCA0001A1Z0' });
  await buyer.buy(0);
  paymentId = (await world.portal.db.selectFrom('payments').select('provider_payment_id').executeTakeFirstOrThrow())
    .provider_payment_id;
  const { settings } = world.portal;
  program = spawnProgram(builtProgram('portal'), {
    DATABASE_URL: settings.databaseUrl,
    CATALOG_DIR: settings.catalogDir,
    PORTAL_PORT: String(await freePort()),
    GOOGLE_CLIENT_ID: standinAccounts.googleClientId,
    RAZORPAY_KEY_ID: standinAccounts.razorpayKeyId,
    RAZORPAY_KEY_SECRET: standinAccounts.razorpayKeySecret,
    RAZORPAY_WEBHOOK_SECRET: standinAccounts.razorpayWebhookSecret,
    RAZORPAY_API_URL: settings.razorpayApiUrl,
    INVOICE_PREFIX: 'ABC',
    DOCUMENTS_PLACE: place,
    GSP_URL: `http://127.0.0.1:${await freePort()}`,
    GSP_CLIENT_ID: standinAccounts.gspClientId,
    GSP_CLIENT_SECRET: standinAccounts.gspClientSecret,
    E_INVOICE_USER: 'supplier',
    E_INVOICE_PASSWORD: 'supplier-password',
  });
  await vi.waitUntil(() => program.output().includes('"ready"') || program.child.exitCode !== null, {
    timeout: 60_000,
  });
  vi.stubEnv('DATABASE_URL', settings.databaseUrl);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  program.child.kill('SIGTERM');
  await program.ended;
  await world.close();
  rmSync(place, { recursive: true });
});

const refund = (more: Record<string, string>) => {
  for (const [name, value] of Object.entries(more)) vi.stubEnv(name, value);
  terminal.out = '';
  terminal.errors = '';
  return run(['refund', paymentId, '--amount', '100', '--reason', 'Goodwill', '--yes']);
};
const notes = () =>
  world.portal.db.selectFrom('documents').select(['number', 'needs_irn']).where('kind', '=', 'CREDIT_NOTE').execute();

test('a command whose settings would issue other documents than the portal refuses and names both; with the same ones, or none, it issues as the portal does', async () => {
  expect(program.output()).toContain('"ready"');
  expect(await refund({})).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('E_INVOICE_PASSWORD is set for the portal and not for this command.');
  expect(await refund({ E_INVOICE_PASSWORD: 'supplier-password', INVOICE_PREFIX: 'ZZZ' })).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('INVOICE_PREFIX is "ZZZ" for this command, and "ABC" for the portal.');
  const earlier = { INVOICE_PREFIX: '', E_INVOICE_EARLIER_LOGINS: '29ZZZCA0001A1Z0:earlier:a-password' };
  expect(await refund(earlier)).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('E_INVOICE_EARLIER_LOGINS is set for this command and not for the portal.');
  expect(await notes()).toEqual([]);
  expect(await refund({ E_INVOICE_EARLIER_LOGINS: '' })).toBe(exitCodes.done);
  expect(await notes()).toEqual([{ number: expect.stringMatching(/^ABC\//), needs_irn: true }]);
});

test('PDFs move to the place of the portal, and to no other', async () => {
  const move = () => {
    terminal.out = '';
    terminal.errors = '';
    return run(['documents', 'move', '--dry-run', '--json']);
  };
  vi.stubEnv('DOCUMENTS_PLACE', 'database');
  expect(await move()).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`DOCUMENTS_PLACE is database for this command, and ${place} for the portal`);
  for (const given of [undefined, '', `${place}/`]) {
    vi.stubEnv('DOCUMENTS_PLACE', given);
    expect(await move()).toBe(exitCodes.done);
    expect(JSON.parse(terminal.out)).toMatchObject({ place });
  }
});
