import { sql } from 'kysely';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Profile } from '#shared/contract/account.ts';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { faultsOfGstr1 } from '#shared/domain/gst-return-check.ts';
import { gstr1Json } from '#shared/domain/gst-return-json.ts';
import { monthOf } from '#shared/domain/month.ts';
import { monthFiles } from '#server/features/bookkeeping/bookkeeping.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { documentRefund } from './documents.ts';
import { readGstReturn } from './gstr1.ts';
import { newBuyer } from './test-buyer.ts';

const dayMs = 86_400_000;
const gstin = '29ZZZCA0001A1Z0';
const otherGstin = '29ZZZCA0002A1ZZ';
let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const month = () => monthOf(dayOf(portal.portal.clock()));

async function correct(buyer: Awaited<ReturnType<typeof newBuyer>>, profile: Partial<Profile>) {
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...profile } }, buyer.token);
  const invoice = (await buyer.documents()).findLast(({ kind }) => kind === 'INVOICE');
  return portal.send(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
}

async function textOf(pdf: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items
    .map((item) => ('str' in item ? `${item.str} ` : ''))
    .join('')
    .replaceAll(/\s+/g, ' ');
}

async function refundPart(buyer: Awaited<ReturnType<typeof newBuyer>>, cycleId: string): Promise<void> {
  const { customer_id: customerId } = await portal.portal.db
    .selectFrom('cycles')
    .select('customer_id')
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  const refund = { cycleId, amountPaise: 50_000, reason: 'A refund for this test' };
  await transaction(portal.portal.db, (tx) => documentRefund(portal.portal, { customerId }, tx, refund));
  expect(await buyer.documents()).toHaveLength(2);
}

test('wrong details are amended: the invoice keeps number and amounts, and both versions can be downloaded', async () => {
  const buyer = await newBuyer(portal, { gstin });
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const first = await buyer.download(invoice?.id ?? '');
  const reply = await correct(buyer, { gstin, legalName: 'Kaveri Trading LLP' });
  expect(reply.body).toMatchObject({ creditNote: null, invoice: { number: invoice?.number } });
  const documents = await buyer.documents();
  expect(documents).toHaveLength(1);
  expect(documents[0]).toMatchObject({ number: invoice?.number, total: 1499, revisedOn: buyer.today() });
  const revised = await buyer.download(invoice?.id ?? '');
  const text = await textOf(revised);
  expect(text).toContain('Revised tax invoice');
  expect(text).toContain('Kaveri Trading LLP');
  expect((await buyer.download(invoice?.id ?? '', 'original')).equals(first)).toBe(true);
  expect((await buyer.download(invoice?.id ?? '')).equals(revised)).toBe(true);
});

test('an invoice is amended once; the next correction is a credit note to the amended buyer, and a new invoice', async () => {
  const buyer = await newBuyer(portal, { gstin });
  await buyer.buy(0);
  await correct(buyer, { gstin: otherGstin });
  expect((await correct(buyer, { gstin: otherGstin })).body).toMatchObject({ code: 'nothing_to_correct' });
  expect((await correct(buyer, { gstin, legalName: 'Third name' })).status).toBe(200);
  const documents = await buyer.documents();
  expect(documents.map(({ kind }) => kind)).toEqual(['INVOICE', 'INVOICE', 'CREDIT_NOTE']);
  expect(await textOf(await buyer.download(documents[2]?.id ?? ''))).toContain(otherGstin);
});

const partyOf = (
  rows: { document: { number: string; content: { recipient: { gstin: string | null } } } }[],
  number?: string,
) => rows.find(({ document }) => document.number === number)?.document.content.recipient.gstin;

test('the registers, vouchers and returns of a month name one buyer; what was amended later is in a register of its own month', async () => {
  const same = await newBuyer(portal, { gstin });
  await same.buy(0);
  await correct(same, { gstin: otherGstin });
  const later = await newBuyer(portal, { gstin });
  await refundPart(later, await later.buy(0));
  const [atOnce] = await same.documents();
  const [invoice, note] = await later.documents();
  const issuedIn = month();
  while (month() === issuedIn) portal.moveClock(dayMs);
  await correct(later, { gstin: otherGstin });

  const { db } = portal.portal;
  const files = await monthFiles(db, issuedIn, later.today());
  const rowsOf = (file: string, number = '') =>
    (files.get(file) ?? '').split('\r\n').filter((row) => row.split(',')[2] === number);
  expect(rowsOf('sales-register.csv', atOnce?.number).join()).toContain(otherGstin);
  expect(rowsOf('sales-register.csv', invoice?.number).join()).toContain(gstin);
  const voucher = new RegExp(`<VOUCHERNUMBER>${atOnce?.number}</VOUCHERNUMBER>[^]*?</VOUCHER>`);
  expect(voucher.exec(files.get('tally-vouchers.xml') ?? '')?.[0]).toContain(otherGstin);
  expect(files.get('amendments.csv')?.trim().split('\r\n')).toHaveLength(1);

  const amended = (await monthFiles(db, month(), later.today())).get('amendments.csv') ?? '';
  for (const number of [invoice?.number, note?.number])
    expect(amended).toMatch(new RegExp(`,${number},[^\r]*,${gstin},[^\r]*,${otherGstin},`));
});

test('in the month of issue the return shows the amended buyer, later tables 9A and 9C do, and no total changes', async () => {
  const same = await newBuyer(portal, { gstin });
  await same.buy(0);
  await correct(same, { gstin: otherGstin });
  const [amendedAtOnce] = await same.documents();
  const later = await newBuyer(portal, { gstin });
  await refundPart(later, await later.buy(0));
  const [invoice, note] = await later.documents();
  const issuedIn = month();
  const before = await readGstReturn(portal.portal.db, issuedIn);
  expect(partyOf(before.b2b, amendedAtOnce?.number)).toBe(otherGstin);
  while (month() === issuedIn) portal.moveClock(dayMs);
  expect((await correct(later, { gstin: otherGstin })).body).toMatchObject({ creditNote: null });
  const after = await readGstReturn(portal.portal.db, month());
  expect(partyOf(after.b2ba, invoice?.number)).toBe(otherGstin);
  expect(partyOf(after.cdnra, note?.number)).toBe(otherGstin);
  expect(after.hsn).toEqual([]);
  expect(await readGstReturn(portal.portal.db, issuedIn)).toEqual(before);
  const file: unknown = JSON.parse(JSON.stringify(gstr1Json('27ZZZCA0001A1Z4', month(), after)));
  expect(faultsOfGstr1(file)).toEqual([]);
  expect(file).toMatchObject({
    b2ba: [{ ctin: otherGstin, inv: [{ oinum: invoice?.number, inum: invoice?.number, inv_typ: 'R', val: 1499 }] }],
    cdnra: [{ ctin: otherGstin, nt: [{ ont_num: note?.number, nt_num: note?.number, ntty: 'C', val: 500 }] }],
  });
});

test('the database refuses an amendment of an amount, of another customer, or to a document that was replaced', async () => {
  const buyer = await newBuyer(portal, { gstin });
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  const insert = (content: ReturnType<typeof sql>, customer = sql`customer_id`) =>
    sql`insert into amendments select id, ${customer}, now(), (now() at time zone 'Asia/Kolkata')::date, ${content} from documents
      where id = ${invoice?.id}`.execute(portal.portal.db);
  await expect(insert(sql`jsonb_set(content, '{split,totalPaise}', '1')`)).rejects.toThrow(/cannot be amended/);
  // Within the supplier's State, CGST and SGST would be due.
  await expect(insert(sql`jsonb_set(content, '{placeOfSupply}', '"27"')`)).rejects.toThrow(/cannot be amended/);
  const [other] = await portal.portal.db.selectFrom('customers').select('id').limit(1).execute();
  await expect(insert(sql`content`, sql`${other?.id}`)).rejects.toThrow(/cannot be amended/);
  await correct(buyer, {});
  await expect(insert(sql`content`)).rejects.toThrow(/was replaced/);
});

test('an amendment changed behind the portal’s back is found by the check of the ledger', async () => {
  const buyer = await newBuyer(portal, { gstin });
  await buyer.buy(0);
  await correct(buyer, { gstin: otherGstin });
  const [invoice] = await buyer.documents();
  await buyer.download(invoice?.id ?? '');
  const faults = async () => (await verifyLedgerOf(portal.portal.db)).faults;
  const fault = `every record matches its seals: the amendment of document ${invoice?.id} has been changed`;
  expect(await faults()).not.toContain(fault);
  await portal.owner.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update amendments set content = jsonb_set(content, '{recipient,gstin}', '"29ZZZFA0003C1ZO"')
      where document_id = ${invoice?.id}`.execute(tx);
  });
  expect(await faults()).toContain(fault);
});
