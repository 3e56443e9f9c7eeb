import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStandins, type Standins } from '#standins/standins.ts';
import { EInvoiceRefusal } from './e-invoices.ts';
import { createGspEInvoices } from './gsp.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'octroi-gsp-'));
let standins: Standins;
beforeAll(async () => {
  standins = await startStandins({
    dataDir,
    google: { port: 0, clientId: 'x', issuer: 'https://accounts.google.com' },
    gstn: { port: 0, clientId: 'mine', clientSecret: 'right' },
    razorpay: {
      port: 0,
      keyId: 'rzp_test_LOCAL000000001',
      keySecret: 'x',
      webhookSecret: 'x',
      webhookUrl: 'http://localhost:1',
    },
  });
});
afterAll(async () => {
  await standins.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const active = '27ZZZCA0001A1Z4';
const unknown = '36ZZZCA0001A1Z5';
const portalOf = (gstin: string) => {
  const client = { url: standins.gstnUrl ?? '', clientId: 'mine', clientSecret: 'right' };
  return createGspEInvoices({ ...client, user: 'kaveri', password: 'a-password', gstin }, Date.now);
};

test('a supplier whom the invoice portal does not know is a refusal of the login, not an unknown buyer', async () => {
  const asked = portalOf(unknown).statusOf(active);
  await expect(asked).rejects.toBeInstanceOf(EInvoiceRefusal);
  await expect(asked).rejects.toThrow(`does not know the supplier's own GSTIN ${unknown}`);
});

test('a known supplier learns that a buyer is unknown, and an unknown one that it is', async () => {
  expect(await portalOf(active).statusOf(unknown)).toBe('unknown');
  expect(await portalOf(active).statusOf('29ZZZCA0001A1Z0')).toBe('active');
  expect(await portalOf(unknown).statusOf(unknown)).toBe('unknown');
});
