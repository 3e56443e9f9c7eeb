import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inv01Of } from '#shared/domain/e-invoice.ts';
import { testDocument } from '#shared/domain/test-document.ts';
import { startStandins, type Standins } from '#ship/standins/standins.ts';
import { EInvoiceRefusal } from './e-invoices.ts';
import { createGspEInvoices } from './gsp.ts';
import { createTaxpayerSearch } from './taxpayer-search.ts';

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
const unit = '27ZZZFA0003C2ZR';
const client = () => ({ url: standins.gstnUrl ?? '', clientId: 'mine', clientSecret: 'right' });
const portalOf = (gstin: string) =>
  createGspEInvoices({ ...client(), user: 'kaveri', password: 'a-password', gstin }, Date.now);

/** The GSP ends every token that it has issued, hours before we expect it. */
const endTokens = () =>
  fetch(`${standins.gstnUrl}/standin/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceMs: 7 * 3_600_000 }),
  });

test('a supplier whom the invoice portal does not know is no unknown buyer', async () => {
  const asked = portalOf(unknown).statusOf(active);
  await expect(asked).rejects.toBeInstanceOf(EInvoiceRefusal);
  await expect(asked).rejects.toThrow(`the supplier's own GSTIN ${unknown} is unknown`);
});

test('a known supplier learns that a buyer is unknown, and an unknown one that it is', async () => {
  expect(await portalOf(active).statusOf(unknown)).toBe('unknown');
  expect(await portalOf(active).statusOf('29ZZZCA0001A1Z0')).toBe('active');
  expect(await portalOf(unknown).statusOf(unknown)).toBe('unknown');
});

test('a refused document is the fault of the supplier that it names, an earlier registration too, and of no other', async () => {
  const invoice = inv01Of(testDocument({ recipient: { kind: 'registered', gstin: '29ZZZCA0001A1Z0' } }));
  const login = { user: 'kaveri', password: 'a-password' };
  const registered = (now: string, earlier: string) => {
    const account = { ...client(), ...login, gstin: now, earlierLogins: [{ ...login, gstin: earlier }] };
    const document = { ...invoice, Version: '1.03', SellerDtls: { ...invoice.SellerDtls, Gstin: earlier } };
    return createGspEInvoices(account, Date.now).register(document, 'a'.repeat(64));
  };
  await expect(registered(active, unknown)).rejects.toMatchObject({ code: 'supplier' });
  await expect(registered(unknown, active)).rejects.toMatchObject({ code: '2140' });
});

test('after the GSP ended the token, the first search and the first check of a GSTIN log in again', async () => {
  const [search, portal] = [createTaxpayerSearch(client(), Date.now), portalOf(active)];
  const ask = async () => [(await search.find(unit)).found?.type, await portal.statusOf(unit)];
  expect(await ask()).toEqual(['SEZ Unit', 'active']);
  await endTokens();
  expect(await ask()).toEqual(['SEZ Unit', 'active']);
});
