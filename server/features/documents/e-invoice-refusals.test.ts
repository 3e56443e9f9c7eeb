import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDocument } from '#shared/contract/documents.ts';
import type { EInvoices } from '#server/e-invoice/e-invoices.ts';
import { createGspEInvoices } from '#server/e-invoice/gsp.ts';
import type { TestPortal } from '#server/test/portal.ts';
import { finishDocument, finishDocumentJob } from './finish.ts';
import { cancelledBusiness, invoicedBuyer, mailsAboutRefusal, startPortalWithGstn } from './test-e-invoices.ts';
import { alertUnregistered, readEInvoiceHealth, retryRefused } from './waiting.ts';
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

test('the refusal of an invoice to a cancelled GSTIN is final: customer and operator are notified, and it is not retried', async () => {
  // The check of the GSTIN before the payment had no response.
  await behave({ master: 'down' });
  const { buyer, invoice } = await invoiced(cancelledBusiness);
  await behave({});
  const before = await readEInvoiceHealth(portal.portal);
  // The job ends without an error: there is nothing to retry.
  await finishDocumentJob(portal.portal, invoice.id);

  const [shown] = await buyer.documents();
  expect(shown).toMatchObject({ irn: null, refused: 'GSTIN 07ZZZCA0001A1Z6 of the recipient is not active' });
  const asked = await portal.send(
    readDocument,
    { params: { documentId: invoice.id }, query: { version: 'current' } },
    buyer.token,
  );
  expect(asked.body).toMatchObject({ status: 409, code: 'document_refused' });
  const [mail] = await mailsAbout(invoice.id);
  expect(mail?.subject).toBe(`Tax invoice ${invoice.number} was not accepted by the invoice portal`);
  expect(mail?.body_text).toContain('GSTIN 07ZZZCA0001A1Z6 of the recipient is not active');
  expect(await readEInvoiceHealth(portal.portal)).toMatchObject({ refused: before.refused + 1 });
  expect(portal.logLines.join('')).toContain('the invoice portal refused a document');

  // Further requests neither call the invoice portal again nor send another notice.
  await behave({ register: 'down' });
  await finishDocumentJob(portal.portal, invoice.id);
  await behave({});
  expect(await mailsAbout(invoice.id)).toHaveLength(1);

  // Once the cause is fixed, the operator triggers a retry.
  await retryRefused(portal.portal, invoice.number, by);
  await expect(retryRefused(portal.portal, invoice.number, by)).rejects.toThrow('has not refused');
  expect((await buyer.documents())[0]).toMatchObject({ refused: null });
  await finishDocumentJob(portal.portal, invoice.id);
  expect((await buyer.documents())[0]?.refused).toContain('is not active');
});

test('a refused login is not final: the next attempt registers the invoice', async () => {
  const { buyer, invoice } = await invoiced({ gstin: '29ZZZCA0001A1Z0' });
  const supplier = { user: 'supplier', password: 'wrong', gstin: '27ZZZCA0001A1Z4' };
  const account = { url: gstn.url, clientId: 'local', clientSecret: 'local-secret', ...supplier };
  const wrong = createGspEInvoices(account, () => Date.now());
  await expect(finishDocument({ ...portal.portal, eInvoices: wrong }, invoice.id)).rejects.toThrow(
    '1008: Invalid login credentials',
  );
  await buyer.download(invoice.id);
  expect((await buyer.documents())[0]).toMatchObject({ irn: expect.any(String), refused: null });
});

// The invoice portal has a code of its own for each.
test.each([
  ['suspended', '33ZZZCA0001A1ZB'],
  ['cancelled', cancelledBusiness.gstin],
])("while the supplier's own GSTIN is %s, an invoice waits and its buyer has nothing to correct", async (_, gstin) => {
  const { buyer, invoice } = await invoiced({ gstin: '29ZZZCA0001A1Z0' });
  const account = {
    url: gstn.url,
    clientId: 'local',
    clientSecret: 'local-secret',
    user: 'supplier',
    password: 'right',
  };
  const cancelled = createGspEInvoices({ ...account, gstin }, () => Date.now());
  const eInvoices: EInvoices = {
    ...cancelled,
    register: (document, irn) =>
      cancelled.register({ ...document, SellerDtls: { ...document.SellerDtls, Gstin: gstin } }, irn),
  };
  await expect(finishDocumentJob({ ...portal.portal, eInvoices }, invoice.id)).rejects.toThrow(
    `the supplier's own GSTIN ${gstin} is inactive`,
  );
  expect(await mailsAbout(invoice.id)).toEqual([]);
  await finishDocumentJob(portal.portal, invoice.id);
  expect((await buyer.documents())[0]).toMatchObject({ irn: expect.any(String), refused: null });
});

test('an invoice that is unregistered for a day raises an alarm and is retried, once per day', async () => {
  await behave({ register: 'down' });
  const { buyer, invoice } = await invoiced({ gstin: '29ZZZCA0001A1Z0' });
  await expect(finishDocument(portal.portal, invoice.id)).rejects.toThrow(/unreadable body|did not respond/);
  const alarms = () =>
    portal.logLines.filter((line) => line.includes(invoice.number) && line.includes('"level":"error"'));
  await alertUnregistered(portal.portal);
  expect(alarms()).toHaveLength(0);
  expect((await readEInvoiceHealth(portal.portal)).late).toBe(0);

  portal.moveClock(dayMs + 1000);
  await alertUnregistered(portal.portal);
  await alertUnregistered(portal.portal);
  expect(alarms()).toHaveLength(1);
  expect((await readEInvoiceHealth(portal.portal)).late).toBe(1);
  portal.moveClock(dayMs);
  await alertUnregistered(portal.portal);
  expect(alarms()).toHaveLength(2);

  await behave({});
  await buyer.download(invoice.id);
  expect((await readEInvoiceHealth(portal.portal)).late).toBe(0);
});

test('the work list names pending, refused and overdue documents with the ways out, and alerts come on fixed days', async () => {
  const { db } = portal.portal;
  await behave({ master: 'down' });
  const refused = await invoiced(cancelledBusiness);
  await behave({ register: 'down' });
  const pending = await invoiced({ gstin: '29ZZZCA0001A1Z0' });
  await behave({});
  await finishDocumentJob(portal.portal, refused.invoice.id);
  const read = async (isLimited = true) => {
    const list = await readWorkList(db, portal.portal.clock(), isLimited);
    const of = ({ invoice }: typeof pending) => list.find(({ number }) => number === invoice.number);
    return { refused: of(refused), pending: of(pending) };
  };
  const numbers = [refused, pending].map(({ invoice }) => invoice.number);
  expect(await read()).toMatchObject({
    refused: { state: 'refused', refused: { code: '3074' }, daysLeft: 30, buyerGstin: cancelledBusiness.gstin },
    pending: { state: 'pending', refused: null, totalPaise: 149_900 },
  });
  const alerts = () =>
    portal.logLines.filter(
      (line) => line.includes('see octroi e-invoices list') && numbers.some((each) => line.includes(each)),
    );
  await alertDeadlines(portal.portal);
  expect(alerts()).toHaveLength(0);
  portal.moveClock(20 * dayMs);
  await alertDeadlines(portal.portal);
  expect(alerts()).toHaveLength(2);
  portal.moveClock(11 * dayMs);
  await alertDeadlines(portal.portal);
  expect(alerts().slice(2)).toEqual(numbers.map(() => expect.stringContaining('no longer accepts')));
  expect(await read()).toMatchObject({ refused: { state: 'overdue' }, pending: { state: 'overdue', daysLeft: -1 } });
  expect(await readEInvoiceHealth(portal.portal)).toMatchObject({ overdue: expect.any(Number) });
  expect((await readEInvoiceHealth(portal.portal)).overdue).toBeGreaterThanOrEqual(2);
  // Below the turnover there is no limit.
  expect(await read(false)).toMatchObject({
    refused: { state: 'refused', lastDay: null },
    pending: { state: 'pending' },
  });
});
