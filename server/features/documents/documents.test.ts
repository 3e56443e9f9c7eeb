import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice, type Document } from '#shared/contract/documents.ts';
import { listHistory, readInvoice } from '#shared/contract/invoices.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { runRounds } from '#server/start-rounds.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { newBuyer, sampleLetters } from './test-buyer.ts';

const dayMs = 86_400_000;
let portal: TestPortal;

beforeAll(async () => {
  const catalogDir = changedCatalog({ 'invoicing-system': { onDeactivate: 'refund-unused' } });
  portal = await startTestPortal({ catalogDir, env: { LETTERS_OF_UNDERTAKING: sampleLetters() } });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const said = (documents: readonly Document[]) => documents.map(({ kind, total }) => ({ kind, total }));

test('a cycle that starts today gets its tax invoice with the payment', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(0);
  const [invoice] = await buyer.documents();
  expect(invoice).toMatchObject({
    kind: 'INVOICE',
    date: buyer.today(),
    billingCycleId: cycleId,
    placeOfSupply: '29 Karnataka',
    taxableValue: 1270.34,
    igst: 228.66,
    cgst: 0,
    total: 1499,
    refersTo: null,
    correctable: true,
  });
  const [entry] = await portal.ask(listHistory, { params: { id: buyer.activationId } }, buyer.token);
  expect(entry).toMatchObject({ invoiceId: invoice?.number, documents: [{ number: invoice?.number }] });
});

test('an advance gets a receipt voucher, and one invoice that cites it when the cycle starts', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(10);
  const [voucher] = await buyer.documents();
  expect(voucher).toMatchObject({ kind: 'RECEIPT_VOUCHER', total: 1499, correctable: false });
  expect(voucher?.number).toMatch(/^OCT\/\d\d-\d\d\/R\d{4}$/);
  const link = await portal.ask(readInvoice, { params: { billingCycleId: cycleId } }, buyer.token);
  expect(link.invoiceId).toBe(voucher?.number);
  await runRounds(portal.portal);
  expect(await buyer.documents()).toHaveLength(1);
  // The portal was down on the start date.
  portal.moveClock(12 * dayMs);
  await Promise.all([runRounds(portal.portal), runRounds(portal.portal), runRounds(portal.portal)]);
  const after = await buyer.documents();
  expect(said(after)).toEqual([
    { kind: 'RECEIPT_VOUCHER', total: 1499 },
    { kind: 'INVOICE', total: 1499 },
  ]);
  expect(after[1]).toMatchObject({ refersTo: voucher?.number, date: buyer.today() });
  const now = await portal.ask(readInvoice, { params: { billingCycleId: cycleId } }, buyer.token);
  expect(now.invoiceId).toBe(after[1]?.number);
});

test('a refunded advance gets a refund voucher and no invoice', async () => {
  const buyer = await newBuyer(portal);
  await buyer.end(await buyer.buy(5));
  const [voucher, refund] = await buyer.documents();
  expect(refund).toMatchObject({ kind: 'REFUND_VOUCHER', total: 1499, refersTo: voucher?.number });
  expect(refund?.number).toMatch(/\/V\d{4}$/);
  portal.moveClock(6 * dayMs);
  await runRounds(portal.portal);
  expect(await buyer.documents()).toHaveLength(2);
});

test('refunded unused days get a credit note to the invoice, with tax at the same rate', async () => {
  const buyer = await newBuyer(portal, placeIn('27'));
  const cycleId = await buyer.buy(0);
  portal.moveClock(9 * dayMs);
  await buyer.end(cycleId);
  const [invoice, note] = await buyer.documents();
  expect(invoice).toMatchObject({ cgst: 114.33, sgst: 114.33, igst: 0 });
  expect(note).toMatchObject({
    kind: 'CREDIT_NOTE',
    refersTo: invoice?.number,
    total: 999.33,
    cgst: 76.22,
    sgst: 76.22,
  });
  const parts = note && [note.taxableValue, note.cgst, note.sgst, note.roundOff];
  expect(parts?.reduce((sum, part) => sum + Math.round(part * 100), 0)).toBe(99_933);
});

test('a cycle that has started without an invoice is invoiced before it is credited', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(1);
  portal.moveClock(dayMs);
  await buyer.end(cycleId);
  expect((await buyer.documents()).map((document) => document.kind)).toEqual([
    'RECEIPT_VOUCHER',
    'INVOICE',
    'CREDIT_NOTE',
  ]);
});

test.each([
  ['a consumer of the same State', placeIn('27'), { cgst: 114.33, sgst: 114.33, utgst: 0, igst: 0 }],
  ['a business of the same State', { ...placeIn('27'), gstin: '27ZZZPA0002B1ZA' }, { cgst: 114.33, sgst: 114.33 }],
  ['a business of another State', { gstin: '29ZZZCA0001A1Z0' }, { igst: 228.66, cgst: 0 }],
  ['a Union territory', { ...placeIn('04'), gstin: '04ZZZCA0001A1ZC' }, { igst: 228.66, utgst: 0 }],
  [
    'an SEZ of the same State, under LUT',
    { ...placeIn('27'), gstin: '27ZZZFA0003C2ZR', sez: true },
    { igst: 0, taxableValue: 1499 },
  ],
  [
    'a buyer abroad, under LUT',
    { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' },
    { igst: 0, taxableValue: 1499, placeOfSupply: '96 Other Countries' },
  ],
])('an invoice to %s has the taxes of its place of supply', async (_, profile, amounts) => {
  const buyer = await newBuyer(portal, profile);
  await buyer.buy(0);
  expect((await buyer.documents())[0]).toMatchObject({ total: 1499, ...amounts });
});

test('a correction of the buyer’s details issues one credit note and one new invoice; no money moves', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(0);
  const [wrong] = await buyer.documents();
  const correct = () => portal.send(correctInvoice, { params: { documentId: wrong?.id ?? '' } }, buyer.token);
  expect((await correct()).body).toMatchObject({ code: 'nothing_to_correct' });
  const profile = { ...sampleProfile, legalName: 'Kaveri Traders LLP', gstin: '29ZZZCA0001A1Z0' };
  await portal.ask(updateProfile, { body: profile }, buyer.token);
  const responses = await Promise.all([correct(), correct(), correct()]);
  expect(responses.map((response) => String(response.status)).toSorted()).toEqual(['200', '409', '409']);
  const documents = await buyer.documents();
  expect(said(documents)).toEqual([
    { kind: 'INVOICE', total: 1499 },
    { kind: 'INVOICE', total: 1499 },
    { kind: 'CREDIT_NOTE', total: 1499 },
  ]);
  const [, right, note] = documents;
  expect([right?.refersTo, note?.refersTo]).toEqual([wrong?.number, wrong?.number]);
  const link = await portal.ask(readInvoice, { params: { billingCycleId: cycleId } }, buyer.token);
  expect(link.invoiceId).toBe(right?.number);
  expect(await portal.portal.db.selectFrom('refunds').selectAll().where('cycle_id', '=', cycleId).execute()).toEqual(
    [],
  );
});

test('once the last day for notes is over, an invoice can no longer be corrected', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  await portal.ask(updateProfile, { body: { ...sampleProfile, legalName: 'Another' } }, buyer.token);
  portal.moveClock(2 * 366 * dayMs);
  try {
    const response = await portal.send(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
    expect(response.body).toMatchObject({ code: 'too_late_to_correct' });
  } finally {
    portal.moveClock(-2 * 366 * dayMs);
  }
});

test('a document’s own link and its cycle’s link return the same bytes', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const first = await buyer.download(invoice?.id ?? '');
  expect(first.subarray(0, 5).toString()).toBe('%PDF-');
  portal.moveClock(40 * dayMs);
  expect((await buyer.download(invoice?.id ?? '')).equals(first)).toBe(true);
  const { downloadUrl = '' } = await portal.ask(readInvoice, { params: { billingCycleId: cycleId } }, buyer.token);
  const other = await fetch(downloadUrl);
  expect(Buffer.from(await other.arrayBuffer()).equals(first)).toBe(true);
  const { rows } = await sql<{ hash: Buffer }>`
    select pdf_sha256 as hash from document_files where document_id = ${invoice?.id}`.execute(portal.portal.db);
  expect(rows[0]?.hash.equals(createHash('sha256').update(first).digest())).toBe(true);
});

test.each([
  ['documents', sql`update documents set total_paise = total_paise + 1, round_off_paise = round_off_paise + 1`],
  ['documents', sql`delete from documents`],
  ['document_files', sql`update document_files set pdf = 'x', pdf_sha256 = sha256('x')`],
  ['document_series', sql`update document_series set last_number = last_number + 2`],
  ['document_series', sql`update document_series set last_number = last_number + 1`],
  ['document_series', sql`delete from document_series`],
])('the database refuses to change %s (%#)', async (_, statement) => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  await buyer.download((await buyer.documents())[0]?.id ?? '');
  await expect(statement.execute(portal.owner.db)).rejects.toThrow(/never changed|counts up|taken and not used/);
});
