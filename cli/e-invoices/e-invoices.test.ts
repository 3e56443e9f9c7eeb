import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount, updateProfile } from '#shared/contract/account.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { createGspEInvoices } from '#server/e-invoice/gsp.ts';
import { finishDocumentJob } from '#server/features/documents/finish.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startGstn } from '#ship/standins/gstn/gstn.ts';

const supplier = { user: 'supplier', password: 'supplier-password', gstin: '27ZZZCA0001A1Z4' };
const folder = mkdtempSync(join(tmpdir(), 'octroi-e-invoices-'));
const terminal = captureTerminal();
let portal: TestPortal;
let gstn: Awaited<ReturnType<typeof startGstn>>;

beforeAll(async () => {
  const client = { clientId: 'local', clientSecret: 'local-secret' };
  gstn = await startGstn({ port: 0, ...client, folder }, () => Date.now());
  const account = { url: gstn.url, ...client, ...supplier };
  portal = await startTestPortal({ jobs: false, eInvoices: createGspEInvoices(account, () => Date.now()) });
  await portal.behave({ webhooks: { enabled: false } });
  const env = {
    DATABASE_URL: portal.portal.settings.databaseUrl,
    GSP_URL: gstn.url,
    GSP_CLIENT_ID: client.clientId,
    GSP_CLIENT_SECRET: client.clientSecret,
    E_INVOICE_USER: supplier.user,
    E_INVOICE_PASSWORD: supplier.password,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
  await gstn.close();
  rmSync(folder, { recursive: true, force: true });
});

async function invoiced(profile: object) {
  const buyer = await newBuyer(portal, profile);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  if (!invoice) throw new Error('there is no invoice');
  return { buyer, invoice };
}
const behave = (behaviour: object) =>
  fetch(`${gstn.url}/standin/behaviour`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(behaviour),
  });
const because = (reason: string) => ['--reason', reason, '--actor', 'asha'];

test('a registration is cancelled within its 24 hours, the invoice issued again, and the customer reads why', async () => {
  const { buyer, invoice } = await invoiced({ gstin: '29ZZZCA0001A1Z0' });
  const cancel = (...more: string[]) =>
    run([
      'e-invoices',
      'cancel',
      invoice.number,
      ...because('Wrong buyer'),
      '--because',
      'data-entry-mistake',
      ...more,
    ]);
  expect(await cancel('--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('is not a registered invoice');
  await buyer.download(invoice.id);
  await portal.ask(
    updateProfile,
    { body: { ...sampleProfile, gstin: '27ZZZFA0003C2ZR', ...placeIn('27') } },
    buyer.token,
  );
  expect(await cancel('--dry-run')).toBe(exitCodes.done);
  expect(await cancel()).toBe(exitCodes.usage);
  expect((await buyer.documents()).filter(({ cancelled }) => cancelled)).toEqual([]);
  terminal.out = '';
  expect(await cancel('--yes', '--json')).toBe(exitCodes.done);
  const documents = await buyer.documents();
  expect(JSON.parse(terminal.out)).toMatchObject({
    cancelled: true,
    number: invoice.number,
    replacedBy: documents[1]?.number,
    buyer: { gstin: '27ZZZFA0003C2ZR' },
    refunded: 0,
  });
  const { providerActions } = await portal.ask(readAccount, {}, buyer.token);
  expect(providerActions).toMatchObject([
    { action: 'e-invoices.cancel', target: invoice.number, reason: 'Wrong buyer' },
  ]);
  expect(await run(['e-invoices', 'cancel', 'OCT/1', ...because('x'), '--because', 'mood', '--yes'])).toBe(
    exitCodes.usage,
  );
});

test('a refused document is listed with its ways out, and registered again after a retry', async () => {
  await behave({ master: 'down' });
  const { invoice } = await invoiced({ gstin: '07ZZZCA0001A1Z6', ...placeIn('07') });
  await behave({});
  await finishDocumentJob(portal.portal, invoice.id);
  expect(await run(['e-invoices', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`${invoice.number}  REFUSED`);
  expect(terminal.out).toContain(`octroi e-invoices retry ${invoice.number}`);
  const retry = ['e-invoices', 'retry', invoice.number, ...because('The GSTIN is active again')];
  expect(await run([...retry, '--dry-run'])).toBe(exitCodes.done);
  expect(await run([...retry, '--yes'])).toBe(exitCodes.done);
  expect(await run([...retry, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`The invoice portal has not refused ${invoice.number}`);
});
