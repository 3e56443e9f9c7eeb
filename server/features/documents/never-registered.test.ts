import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { monthOf } from '#shared/domain/month.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { sendMail } from '#server/features/mail/mail.ts';
import { makeRefund } from '#server/features/payments/operator-refund.ts';
import type { Mail } from '#server/smtp/mailer.ts';
import { sampleProfile, type TestPortal } from '#server/test/portal.ts';
import { salesRegister } from '#server/features/bookkeeping/registers.ts';
import { selectPeriodDocuments } from '#server/features/bookkeeping/store.ts';
import { finishDocumentJob } from './finish.ts';
import { readGstReturn } from './gstr1.ts';
import { purchaseRegister } from './register.ts';
import { cancelledBusiness, invoicedBuyer, mailsAboutRefusal, startPortalWithGstn } from './test-e-invoices.ts';
import { readEInvoiceHealth, retryRefused } from './waiting.ts';
import { alertDeadlines, readWorkList } from './work-list.ts';

const dayMs = 86_400_000;
const by = { reason: 'The GSTIN is active again', actor: 'asha' };
let portal: TestPortal;
let gstn: Awaited<ReturnType<typeof startPortalWithGstn>>;

beforeAll(async () => {
  gstn = await startPortalWithGstn();
  ({ portal } = gstn);
});
afterAll(() => gstn.close());

const invoiced = (profile: object) => invoicedBuyer(portal, profile);

const mailsAbout = (documentId: string) => mailsAboutRefusal(portal, documentId);

const behave = (behaviour: object) => gstn.behave(behaviour);

/** The status of a document in the buyer's register and in the provider's. */
async function statusOf({ invoice: { id, date } }: Awaited<ReturnType<typeof invoiced>>, number: string) {
  const { db } = portal.portal;
  const { customer_id: customerId } = await db
    .selectFrom('documents')
    .select('customer_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const registers = [
    await purchaseRegister(portal.portal, { customerId }, date, date),
    salesRegister(await selectPeriodDocuments(db, date, date)),
  ];
  return registers.map((csv) => {
    const [head = '', ...lines] = csv.trim().split('\r\n');
    const columns = head.split(',');
    // The columns after the description contain no commas.
    const at = columns.indexOf('Status') - columns.length;
    return lines
      .find((line) => line.includes(`,${number},`))
      ?.split(',')
      .at(at);
  });
}

/** The buyer of an invoice corrects the business details, and then the invoice. */
async function reissue({ buyer, invoice }: Awaited<ReturnType<typeof invoiced>>) {
  await portal.ask(updateProfile, { body: { ...sampleProfile, gstin: '29ZZZCA0001A1Z0' } }, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice.id } }, buyer.token);
  const [, replacement, note] = await buyer.documents();
  if (!replacement || !note) throw new Error('nothing was issued');
  return { replacement, note, numbers: [invoice.number, replacement.number, note.number] };
}

test('a refused invoice that was credited and issued again leaves the work list, and so does its credit note', async () => {
  const { db } = portal.portal;
  await behave({ master: 'down' });
  const refused = await invoiced(cancelledBusiness);
  await behave({});
  await finishDocumentJob(portal.portal, refused.invoice.id);
  const before = await readEInvoiceHealth(portal.portal);
  const { replacement, note, numbers } = await reissue(refused);
  for (const { id } of await refused.buyer.documents()) await finishDocumentJob(portal.portal, id);

  expect(await refused.buyer.documents()).toMatchObject([
    { kind: 'INVOICE', irn: null, refused: null, correctable: false },
    { kind: 'INVOICE', irn: expect.any(String), refused: null },
    { kind: 'CREDIT_NOTE', irn: null, refused: null },
  ]);
  const list = await readWorkList(db, portal.portal.clock(), true);
  expect(list.filter(({ number }) => numbers.includes(number))).toEqual([]);
  expect(await readEInvoiceHealth(portal.portal)).toMatchObject({ refused: before.refused - 1 });
  await expect(retryRefused(portal.portal, refused.invoice.number, by)).rejects.toThrow('has not refused');
  expect(await mailsAbout(note.id)).toEqual([]);
  // All three have a PDF, the first two of the buyer's list without an IRN.
  for (const { id } of [refused.invoice, replacement, note])
    expect((await refused.buyer.download(id)).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await verifyLedgerOf(db)).faults).toEqual([]);

  portal.moveClock(31 * dayMs);
  await alertDeadlines(portal.portal);
  const alerts = portal.logLines.filter((line) => line.includes('no longer accepts'));
  expect(alerts.filter((line) => numbers.some((number) => line.includes(number)))).toEqual([]);
});

test('an invoice that is refused only after it was credited and issued again leaves the work list at once', async () => {
  await behave({ master: 'down', register: 'down' });
  const pending = await invoiced(cancelledBusiness);
  await behave({ register: 'down' });
  const { note, numbers } = await reissue(pending);
  await behave({});
  await finishDocumentJob(portal.portal, pending.invoice.id);
  await finishDocumentJob(portal.portal, note.id);
  const list = await readWorkList(portal.portal.db, portal.portal.clock(), true);
  expect(list.filter(({ number }) => number === numbers[0] || number === numbers[2])).toEqual([]);
  expect((await pending.buyer.download(note.id)).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a refused invoice that was refunded in part is credited and issued again over the rest', async () => {
  const { db } = portal.portal;
  await behave({ master: 'down' });
  const { buyer, invoice } = await invoiced(cancelledBusiness);
  await behave({});
  await finishDocumentJob(portal.portal, invoice.id);
  const { payment_id: paymentId } = await db
    .selectFrom('documents')
    .select('payment_id')
    .where('id', '=', invoice.id)
    .executeTakeFirstOrThrow();
  await makeRefund(portal.portal, { of: paymentId, amountPaise: 49_900, reason: 'Goodwill' }, 'asha');
  const part = (await buyer.documents()).at(-1);
  await finishDocumentJob(portal.portal, part?.id ?? '');
  await portal.ask(updateProfile, { body: { ...sampleProfile, gstin: '29ZZZCA0001A1Z0' } }, buyer.token);
  await portal.ask(correctInvoice, { params: { documentId: invoice.id } }, buyer.token);
  for (const { id } of await buyer.documents()) await finishDocumentJob(portal.portal, id);
  expect(await buyer.documents()).toMatchObject([
    { kind: 'INVOICE', total: 1499, irn: null, refused: null },
    { kind: 'CREDIT_NOTE', total: 499, irn: null, refused: null },
    { kind: 'INVOICE', total: 1000, irn: expect.any(String) },
    { kind: 'CREDIT_NOTE', total: 1000, irn: null, refused: null },
  ]);
  const list = await readWorkList(db, portal.portal.clock(), true);
  expect(list.filter(({ number }) => number === invoice.number || number === part?.number)).toEqual([]);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});

const cancelledIn = (docs: { cancelled: number }[]) => docs.reduce((sum, row) => sum + row.cancelled, 0);
const reported = (rows: { document: { number: string } }[]) => rows.map(({ document }) => document.number);

test('in GSTR-1 a never registered invoice and its credit note of the same month are documents that were cancelled, and the registers say so', async () => {
  const { db } = portal.portal;
  await behave({ master: 'down' });
  const refused = await invoiced(cancelledBusiness);
  await behave({});
  await finishDocumentJob(portal.portal, refused.invoice.id);
  const month = monthOf(refused.invoice.date);
  const before = await readGstReturn(db, month);
  expect(reported(before.b2b)).toContain(refused.invoice.number);
  expect(await statusOf(refused, refused.invoice.number)).toEqual(['Registration refused', 'Registration refused']);
  const { replacement, note } = await reissue(refused);
  const after = await readGstReturn(db, month);
  expect(reported(after.b2b)).toContain(replacement.number);
  expect(reported(after.b2b)).not.toContain(refused.invoice.number);
  expect(reported(after.cdnr)).not.toContain(note.number);
  expect(cancelledIn(after.docs) - cancelledIn(before.docs)).toBe(2);
  for (const { number } of [refused.invoice, note])
    expect(await statusOf(refused, number)).toEqual(['Never registered', 'Never registered']);
  expect(await statusOf(refused, replacement.number)).toEqual(['Awaits registration', 'Awaits registration']);
  await finishDocumentJob(portal.portal, replacement.id);
  expect(await statusOf(refused, replacement.number)).toEqual(['Valid', 'Valid']);
});

test('the mail about a payment leaves when its invoice is refused, and says that the invoice follows', async () => {
  const { db } = portal.portal;
  await behave({ master: 'down' });
  const { invoice } = await invoiced(cancelledBusiness);
  await behave({});
  const mail = await db
    .selectFrom('mails')
    .select('id')
    .where('document_id', '=', invoice.id)
    .executeTakeFirstOrThrow();
  const queued = async () =>
    (await sql`select id from pgboss.job where name = 'send-mail' and data ->> 'mailId' = ${mail.id}`.execute(db)).rows;
  expect(await queued()).toHaveLength(0);
  await finishDocumentJob(portal.portal, invoice.id);
  expect(await queued()).toHaveLength(1);
  const sent: Mail[] = [];
  const mailer = { send: async (each: Mail) => void sent.push(each), close: () => undefined };
  await sendMail({ ...portal.portal, mailer }, mail.id);
  expect(sent).toMatchObject([{ subject: expect.stringContaining('Payment received'), attachments: [] }]);
  for (const body of [sent[0]?.text, sent[0]?.html]) {
    expect(body).toContain(`The tax invoice ${invoice.number} follows later.`);
    expect(body).toContain(`has not accepted tax invoice ${invoice.number}`);
    expect(body).not.toContain('is attached');
  }
});
