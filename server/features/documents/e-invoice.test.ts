import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { readDocument } from '#shared/contract/documents.ts';
import { irnOf } from '#shared/domain/irn.ts';
import { firstDayOf, lastDayOf, monthOf } from '#shared/domain/month.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import { salesRegister } from '#server/features/bookkeeping/registers.ts';
import { selectPeriodDocuments } from '#server/features/bookkeeping/store.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { eraseByOperator } from '#server/features/privacy/operator-erasure.ts';
import { cancelEInvoice, correctInvoice } from '#server/features/refunds/refunds.ts';
import { lockMonth, unlockMonth } from '#server/features/period-locks/period-locks.ts';
import { createGspEInvoices } from '#server/e-invoice/gsp.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startGstn } from '#ship/standins/gstn/gstn.ts';
import { finishDocument, finishDocumentJob } from './finish.ts';
import { purchaseRegister } from './register.ts';
import { newBuyer } from './test-buyer.ts';

const gstin = '29ZZZCA0001A1Z0';
const by = (reason: string) => ({ reason, actor: 'asha' });
const secrets = { clientId: 'local', clientSecret: 'local-secret' };
const supplier = { user: 'supplier', password: 'supplier-password', gstin: '27ZZZCA0001A1Z4' };
const folder = mkdtempSync(join(tmpdir(), 'gstn-'));
let portal: TestPortal;
let gstn: Awaited<ReturnType<typeof startGstn>>;
let offsetMs = 0;

beforeAll(async () => {
  gstn = await startGstn({ port: 0, ...secrets, folder }, () => Date.now() + offsetMs);
  portal = await startTestPortal({ eInvoices: eInvoicesWithin() });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(async () => {
  await portal.close();
  await gstn.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => behave({}));

/** The invoice portal, given up after `timeoutMs`; by default after as long as in the product. */
const eInvoicesWithin = (timeoutMs?: number) =>
  createGspEInvoices({ url: gstn.url, ...secrets, ...supplier }, () => Date.now(), timeoutMs);

const tellGstn = (method: string, path: string, body: object) =>
  fetch(`${gstn.url}/standin/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const behave = (behaviour: object) => tellGstn('PUT', 'behaviour', behaviour);

/** A customer with one invoice. */
async function invoiced(profile: object) {
  const buyer = await newBuyer(portal, profile);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  if (!invoice) throw new Error('no invoice');
  return { buyer, invoice };
}

test.each([
  ['a business of another State', { gstin }],
  ['a business of the same State', { gstin: '27ZZZFA0003C2ZR', ...placeIn('27') }],
  ['an SEZ unit', { gstin, sez: true }],
  ['a buyer abroad', { country: 'SG', stateCode: '96', pin: '018956', city: 'Singapore' }],
])('an invoice to %s is registered under the expected IRN and shows the signed QR code', async (_, profile) => {
  const { buyer, invoice } = await invoiced(profile);
  await buyer.download(invoice.id);
  const [registered] = await buyer.documents();
  const [, year = ''] = invoice.number.split('/');
  const parts = { supplierGstin: '27ZZZCA0001A1Z4', financialYear: `20${year}`, documentNumber: invoice.number };
  expect(registered?.irn).toBe(irnOf({ ...parts, documentType: 'INV' }));
});

test('a credit note is registered with a reference to its invoice; a sale to a consumer is not registered', async () => {
  const { buyer, invoice } = await invoiced({ gstin });
  await portal.ask(
    updateProfile,
    { body: { ...sampleProfile, gstin: '27ZZZFA0003C2ZR', ...placeIn('27') } },
    buyer.token,
  );
  const customer = await portal.portal.db
    .selectFrom('documents')
    .select('customer_id')
    .where('id', '=', invoice.id)
    .executeTakeFirstOrThrow();
  const { creditNote } = await correctInvoice(portal.portal, { customerId: customer.customer_id }, invoice.id);
  await buyer.download(creditNote?.id ?? '');
  const note = (await buyer.documents()).find((document) => document.id === creditNote?.id);
  expect(note?.irn).toMatch(/^[0-9a-f]{64}$/);
  const consumer = await invoiced({});
  await consumer.buyer.download(consumer.invoice.id);
  expect((await consumer.buyer.documents())[0]?.irn).toBeNull();
});

test('while the invoice portal is down the invoice exists but can’t be downloaded; afterwards it can', async () => {
  await behave({ register: 'down' });
  const { buyer, invoice } = await invoiced({ gstin });
  const ask = () =>
    portal.send(readDocument, { params: { documentId: invoice.id }, query: { version: 'current' } }, buyer.token);
  expect((await ask()).body).toMatchObject({ status: 409, code: 'document_in_preparation' });
  await behave({});
  expect((await ask()).status).toBe(200);
});

test('a registration whose response was lost is found again and not duplicated', async () => {
  await behave({ register: 'timeout-after-register' });
  const { buyer, invoice } = await invoiced({ gstin });
  const impatient = { ...portal.portal, eInvoices: eInvoicesWithin(2000) };
  await expect(finishDocument(impatient, invoice.id)).rejects.toThrow(/did not respond/);
  await behave({});
  await buyer.download(invoice.id);
  expect((await buyer.documents())[0]?.irn).toMatch(/^[0-9a-f]{64}$/);
});

test('of a simultaneous cancellation and correction one succeeds, and documents agree with the money', async () => {
  const { buyer, invoice } = await invoiced({ gstin });
  await buyer.download(invoice.id);
  await portal.ask(
    updateProfile,
    { body: { ...sampleProfile, gstin: '27ZZZFA0003C2ZR', ...placeIn('27') } },
    buyer.token,
  );
  const { customer_id: customerId } = await portal.portal.db
    .selectFrom('documents')
    .select('customer_id')
    .where('id', '=', invoice.id)
    .executeTakeFirstOrThrow();
  const done = await Promise.allSettled([
    cancelEInvoice(portal.portal, invoice.number, 'data-entry-mistake', by('Wrong buyer')),
    correctInvoice(portal.portal, { customerId }, invoice.id),
  ]);
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const documents = await buyer.documents();
  const isCancelled = documents.some(({ cancelled }) => cancelled);
  const kinds = documents.map(({ kind }) => kind);
  expect(kinds).toEqual(isCancelled ? ['INVOICE', 'INVOICE'] : ['INVOICE', 'INVOICE', 'CREDIT_NOTE']);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
  // If it was not cancelled here, it must not be cancelled at the invoice portal: cancelling it still works.
  const irn = documents[0]?.irn ?? '';
  if (!isCancelled)
    await portal.portal.eInvoices?.cancel({ irn, gstin: '27ZZZCA0001A1Z4' }, 'other', 'It is still registered');
});

test('after a change of GSTIN the document of an earlier one waits for its login, and is registered and cancelled with that', async () => {
  const withLogins = (earlierLogins: (typeof supplier)[]) => {
    const account = { url: gstn.url, ...secrets, ...supplier, gstin: '29ZZZCA0001A1Z0', earlierLogins };
    return { ...portal.portal, eInvoices: createGspEInvoices(account, () => Date.now()) };
  };
  await behave({ register: 'down' });
  const waiting = await invoiced({ gstin });
  await behave({});
  await expect(finishDocument(withLogins([]), waiting.invoice.id)).rejects.toThrow(
    'login: no login for 27ZZZCA0001A1Z4 is set',
  );
  // It waits: a final refusal would need a correction.
  expect((await waiting.buyer.documents())[0]).toMatchObject({ irn: null, refused: null });
  const ready = withLogins([supplier]);
  await finishDocument(ready, waiting.invoice.id);
  expect((await waiting.buyer.documents())[0]?.irn).toMatch(/^[0-9a-f]{64}$/);
  const cancelled = await cancelEInvoice(ready, waiting.invoice.number, 'data-entry-mistake', by('Wrong buyer'));
  expect(cancelled.number).toBe(waiting.invoice.number);
});

test('the invoice of an erased customer keeps its registration, as no invoice can replace it', async () => {
  const { buyer, invoice } = await invoiced({ gstin });
  await buyer.download(invoice.id);
  const { db } = portal.portal;
  const { customer_id: id } = await db
    .selectFrom('documents')
    .select('customer_id')
    .where('id', '=', invoice.id)
    .executeTakeFirstOrThrow();
  await eraseByOperator(portal.portal, id, by('Asked'), { endPlans: true, withinYear: true });
  const told: string[] = [];
  const { eInvoices } = portal.portal;
  if (eInvoices === undefined) throw new Error('no e-invoices');
  const listening = {
    ...portal.portal,
    eInvoices: { ...eInvoices, cancel: async ({ irn }: { irn: string }) => void told.push(irn) },
  };
  const cancelling = cancelEInvoice(listening, invoice.number, 'data-entry-mistake', by('Wrong buyer'));
  await expect(cancelling).rejects.toThrow('is erased');
  expect(told).toEqual([]);
  const registered = db.selectFrom('e_invoices').select('cancelled_at').where('document_id', '=', invoice.id);
  expect(await registered.execute()).toEqual([{ cancelled_at: null }]);
});

test('a registration cancelled by the operator within 24 hours: the invoice is replaced, its PDF is marked, and the customer gets a mail', async () => {
  const { buyer, invoice } = await invoiced({ gstin });
  const before = await buyer.download(invoice.id);
  const cancelled = await cancelEInvoice(portal.portal, invoice.number, 'data-entry-mistake', by('Wrong buyer'));
  const documents = await buyer.documents();
  expect(documents.map(({ number, cancelled: gone }) => [number, gone])).toEqual([
    [invoice.number, true],
    [cancelled.replacedBy, false],
  ]);
  // The PDF as issued is kept; what is downloaded says that it no longer counts.
  const kept = await portal.portal.db
    .selectFrom('document_files')
    .select('pdf')
    .where('document_id', '=', invoice.id)
    .execute();
  expect(kept.map(({ pdf }) => pdf?.equals(before))).toEqual([true]);
  const marked = await buyer.download(invoice.id);
  expect(marked.equals(before)).toBe(false);
  expect(marked.subarray(0, 5).toString()).toBe('%PDF-');
  const mails = await portal.portal.db.selectFrom('mails').select(['subject', 'dedupe_key']).execute();
  expect(mails.filter(({ dedupe_key: key }) => key === `cancelled:${invoice.id}`)).toMatchObject([
    { subject: `Invoice ${invoice.number} is cancelled` },
  ]);
  await expect(cancelEInvoice(portal.portal, invoice.number, 'other', by('again'))).rejects.toThrow(
    /already been cancelled/,
  );
});

test('in the customer’s register and the provider’s, a cancelled invoice is zero and its replacement counts', async () => {
  const { db } = portal.portal;
  const { buyer, invoice } = await invoiced({ gstin });
  await buyer.download(invoice.id);
  const { replacedBy } = await cancelEInvoice(portal.portal, invoice.number, 'data-entry-mistake', by('Wrong buyer'));
  const { customer_id: customerId } = await db
    .selectFrom('documents')
    .select('customer_id')
    .where('id', '=', invoice.id)
    .executeTakeFirstOrThrow();
  const amountsIn = (csv: string) => {
    const [head = '', ...lines] = csv.trim().split('\r\n');
    const columns = head.split(',');
    // The columns after the description contain no commas.
    const cell = (line: string, name: string) => line.split(',').at(columns.indexOf(name) - columns.length);
    return lines
      .filter((line) => [invoice.number, replacedBy].some((number) => line.includes(`,${number},`)))
      .filter((line) => line.startsWith('Tax invoice') || line.includes(',Tax invoice,'))
      .map((line) => ['Taxable value', 'IGST', 'Total', 'Status'].map((name) => cell(line, name)));
  };
  const expected = [
    ['0', '0', '0', 'Cancelled'],
    ['1270.34', '228.66', '1499', 'Awaits registration'],
  ];
  expect(amountsIn(await purchaseRegister(portal.portal, { customerId }, invoice.date, invoice.date))).toEqual(
    expected,
  );
  const documents = await selectPeriodDocuments(
    db,
    firstDayOf(monthOf(invoice.date)),
    lastDayOf(monthOf(invoice.date)),
  );
  expect(amountsIn(salesRegister(documents))).toEqual(expected);
});

test('a registration can’t be cancelled once the month of its invoice is locked, by the command or in the database', async () => {
  const { db } = portal.portal;
  const { buyer, invoice } = await invoiced({ gstin });
  await buyer.download(invoice.id);
  const month = monthOf(invoice.date);
  await lockMonth(db, month, by('GSTR-1 filed'), () => readTrialBalance(db, lastDayOf(month)));
  await expect(cancelEInvoice(portal.portal, invoice.number, 'other', by('late'))).rejects.toThrow(/month are locked/);
  const set = { cancelled_at: new Date(), cancel_reason: 'other: late' };
  const cancelled = db.updateTable('e_invoices').set(set).where('document_id', '=', invoice.id).execute();
  await expect(cancelled).rejects.toThrow(/that month is locked/);
  const [unchanged] = await buyer.documents();
  expect(unchanged).toMatchObject({ number: invoice.number, cancelled: false });
  await unlockMonth(db, month, by('A correction'));
});

test('after 24 hours a registration can’t be cancelled', async () => {
  const { buyer, invoice } = await invoiced({ gstin });
  await buyer.download(invoice.id);
  const dayMs = 24 * 3_600_000 + 1000;
  portal.moveClock(dayMs);
  offsetMs += dayMs;
  await expect(cancelEInvoice(portal.portal, invoice.number, 'other', by('late'))).rejects.toThrow(
    /more than 24 hours/,
  );
});

test('a document that is registered already is no refused one, although the invoice portal does not return its registration', async () => {
  const { buyer, invoice } = await invoiced({ gstin });
  const isWaiting = async (reason: string) => {
    await expect(finishDocumentJob(portal.portal, invoice.id)).rejects.toThrow(reason);
    expect((await buyer.documents())[0]).toMatchObject({ irn: null, refused: null });
  };
  await behave({ register: 'elsewhere' });
  await isWaiting('it is registered already, but the invoice portal does not return it (2295');
  await behave({ register: 'timeout-after-register' });
  const impatient = { ...portal.portal, eInvoices: eInvoicesWithin(2000) };
  await expect(finishDocument(impatient, invoice.id)).rejects.toThrow(/did not respond/);
  await behave({});
  await tellGstn('POST', 'clock', { advanceMs: 3 * 86_400_000 });
  await isWaiting('(2283: IRN details cannot be provided');
});
