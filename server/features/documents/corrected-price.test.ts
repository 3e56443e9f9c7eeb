import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { type Profile, updateProfile } from '#shared/contract/account.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { monthOf } from '#shared/domain/month.ts';
import { readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { correctInvoiceOf } from '#server/features/customers/corrections.ts';
import { bookRefundsOf } from '#server/features/payments/money-back.ts';
import { cancelEInvoice } from '#server/features/refunds/refunds.ts';
import { createGspEInvoices } from '#server/e-invoice/gsp.ts';
import { runRounds } from '#server/start-rounds.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startGstn } from '#ship/standins/gstn/gstn.ts';
import { readGstReturn } from './gstr1.ts';
import { declareClaim, newBuyer, sampleLetters } from './test-buyer.ts';

const dayMs = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'gstn-prices-'));
let portal: TestPortal;
let gstn: Awaited<ReturnType<typeof startGstn>>;

beforeAll(async () => {
  const client = { clientId: 'local', clientSecret: 'local-secret' };
  gstn = await startGstn({ port: 0, ...client, folder }, () => Date.now());
  const supplier = { user: 'supplier', password: 'supplier-password', gstin: '27ZZZCA0001A1Z4' };
  portal = await startTestPortal({
    jobs: false,
    eInvoices: createGspEInvoices({ url: gstn.url, ...client, ...supplier }, () => Date.now()),
    env: { LETTERS_OF_UNDERTAKING: sampleLetters() },
    catalogDir: changedCatalog({ 'invoicing-system': { tax: 'exclusive', onDeactivate: 'refund-unused' } }),
  });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(async () => {
  await portal.close();
  await gstn.close();
  rmSync(folder, { recursive: true, force: true });
});

const business = { gstin: '29ZZZCA0001A1Z0' };
const sez = { gstin: '29ZZZCA0001A1Z0', sez: true };
const abroad = { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' };

/** A buyer with a paid growth plan, whose business details change afterwards. */
async function sold(was: Partial<Profile>, is: Partial<Profile>) {
  const buyer = await newBuyer(portal, was);
  const cycleId = await buyer.buy(0);
  /** Razorpay has refunded so much of its payment, which these books don't know. */
  const refundedBefore = async (amount: number, notes: object) => {
    const { provider_payment_id: paymentId } = await portal.portal.db
      .selectFrom('cycle_payments')
      .select('provider_payment_id')
      .where('cycle_id', '=', cycleId)
      .executeTakeFirstOrThrow();
    await portal.standin('POST', `/standin/payments/${paymentId}/refund`, { amount, notes });
    await bookRefundsOf(portal.portal, paymentId);
  };
  const become = async (profile: Partial<Profile>) => {
    await portal.ask(updateProfile, { body: { ...sampleProfile, ...profile } }, buyer.token);
    await declareClaim(portal, buyer.token);
  };
  await become(is);
  return {
    ...buyer,
    cycleId,
    refundedBefore,
    become,
    correct: async () => {
      const invoice = (await buyer.documents()).findLast(({ kind }) => kind === 'INVOICE');
      return portal.send(correctInvoice, { params: { documentId: invoice?.id ?? '' } }, buyer.token);
    },
    refunds: () =>
      portal.portal.db
        .selectFrom('refunds')
        .select(['origin', 'amount_paise', 'status', 'payout'])
        .where('cycle_id', '=', cycleId)
        .execute(),
  };
}

const mailsAbout = (documentId: string) =>
  portal.portal.db
    .selectFrom('mails')
    .select(['subject', 'body_text'])
    .where('document_id', '=', documentId)
    .execute()
    .then((mails) => mails.map(({ subject, body_text: text }) => `${subject}\n${text}`));

test.each([
  ['an SEZ', sez],
  ['a buyer abroad', abroad],
])('a business turns out to be %s: the tax that was added to the price is refunded', async (_who, zeroRated) => {
  const buyer = await sold(business, zeroRated);
  const answer = await buyer.correct();
  expect(answer.body).toMatchObject({ refundAmount: 269.82 });
  const documents = await buyer.documents();
  expect(documents).toMatchObject([
    { kind: 'INVOICE', total: 1768.82, taxableValue: 1499, igst: 269.82 },
    { kind: 'INVOICE', total: 1499, taxableValue: 1499, igst: 0 },
    { kind: 'CREDIT_NOTE', total: 1768.82, taxableValue: 1499, igst: 269.82 },
  ]);
  expect(await buyer.refunds()).toMatchObject([{ origin: 'CORRECTION', amount_paise: 26_982 }]);
  const [, invoice, note] = documents;
  const [corrected] = await mailsAbout(invoice?.id ?? '');
  expect(corrected).toContain('₹269.82');
  expect(corrected).not.toContain('No money has moved');
  expect(await mailsAbout(note?.id ?? '')).toMatchObject([expect.stringContaining('Refund started: ₹269.82')]);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

test('the books and GSTR-1 have the sale without tax once its invoice is corrected', async () => {
  const { db } = portal.portal;
  const buyer = await sold(business, sez);
  const month = monthOf(buyer.today());
  const read = async () => {
    const { rows } = await readTrialBalance(db, buyer.today());
    const tax = rows.find(({ account }) => account === 'output-igst');
    const { b2b, cdnr } = await readGstReturn(db, month);
    const igst = (list: typeof b2b) => list.reduce((sum, row) => sum + row.igstPaise, 0);
    return { tax: (tax?.creditPaise ?? 0) - (tax?.debitPaise ?? 0), gst: igst(b2b) - igst(cdnr) };
  };
  const before = await read();
  await buyer.correct();
  const after = await read();
  expect([after.tax - before.tax, after.gst - before.gst]).toEqual([-26_982, -26_982]);
});

test.each([
  ['a buyer abroad', abroad],
  ['an SEZ', sez],
])('%s who turns out to owe tax is refused: it was never paid, and the price doesn’t pay it', async (_who, was) => {
  const buyer = await sold(was, business);
  const before = await buyer.documents();
  expect(before).toMatchObject([{ kind: 'INVOICE', total: 1499, igst: 0 }]);
  expect((await buyer.correct()).body).toMatchObject({ status: 409, code: 'correction_needs_payment' });
  expect(await buyer.documents()).toEqual(before);
  expect(await buyer.refunds()).toEqual([]);
});

test('once its tax was refunded, an invoice can’t be corrected back, and no second refund follows', async () => {
  const buyer = await sold(business, sez);
  await buyer.correct();
  await buyer.become(business);
  expect((await buyer.correct()).body).toMatchObject({ code: 'correction_needs_payment' });
  await buyer.become(abroad);
  expect((await buyer.correct()).body).toMatchObject({ refundAmount: 0 });
  expect(await buyer.refunds()).toMatchObject([{ origin: 'CORRECTION', amount_paise: 26_982 }]);
  expect((await buyer.documents()).findLast(({ kind }) => kind === 'INVOICE')).toMatchObject({ total: 1499 });
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

test('a plan that ends after its tax was refunded gives back its unused days at the price without tax', async () => {
  const buyer = await sold(business, sez);
  await buyer.correct();
  // 29 of 30 days.
  expect(await buyer.end(buyer.cycleId)).toMatchObject({ unusedDays: 29, refundAmount: 1449.03 });
  expect(await buyer.refunds()).toMatchObject([{ amount_paise: 26_982 }, { amount_paise: 144_903 }]);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

test('an e-invoice that is cancelled and issued again without tax refunds the tax, with no credit note', async () => {
  const buyer = await sold(business, sez);
  const [invoice] = await buyer.documents();
  await buyer.download(invoice?.id ?? '');
  const by = { reason: 'Wrong kind of buyer', actor: 'asha' };
  const cancelled = await cancelEInvoice(portal.portal, invoice?.number ?? '', 'data-entry-mistake', by);
  expect(cancelled).toMatchObject({ refundPaise: 26_982 });
  expect(await buyer.documents()).toMatchObject([
    { kind: 'INVOICE', total: 1768.82, cancelled: true },
    { kind: 'INVOICE', total: 1499, igst: 0, cancelled: false },
  ]);
  expect(await buyer.refunds()).toMatchObject([{ origin: 'CORRECTION', amount_paise: 26_982 }]);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

test('an e-invoice is not cancelled when its replacement would need more than was paid', async () => {
  const buyer = await sold(abroad, business);
  const [invoice] = await buyer.documents();
  await buyer.download(invoice?.id ?? '');
  const told: string[] = [];
  const { eInvoices } = portal.portal;
  if (eInvoices === undefined) throw new Error('no e-invoices');
  const listening = {
    ...portal.portal,
    eInvoices: { ...eInvoices, cancel: async ({ irn }: { irn: string }) => void told.push(irn) },
  };
  const by = { reason: 'Wrong kind of buyer', actor: 'asha' };
  const cancelling = cancelEInvoice(listening, invoice?.number ?? '', 'data-entry-mistake', by);
  await expect(cancelling).rejects.toThrow('more would be due than was paid');
  expect(told).toEqual([]);
  expect((await buyer.documents()).map(({ cancelled }) => cancelled)).toEqual([false]);
});

test('the database refuses a refund by correction without a corrected invoice over that much less', async () => {
  const { db } = portal.portal;
  const buyer = await sold(business, sez);
  const paid = await db
    .selectFrom('cycle_payments')
    .select(['provider_payment_id', 'customer_id'])
    .where('cycle_id', '=', buyer.cycleId)
    .executeTakeFirstOrThrow();
  const refund = db.insertInto('refunds').values({
    id: 'RFD-UNFOUNDED000',
    payment_id: paid.provider_payment_id,
    cycle_id: buyer.cycleId,
    customer_id: paid.customer_id,
    amount_paise: 26_982,
    reason: 'The corrected invoice bears no tax',
    status: 'STARTED',
    origin: 'CORRECTION',
    created_at: new Date(),
    provider_refund_id: null,
    settled_at: null,
    foreign_id: null,
    covers_paise: 0,
  });
  await expect(refund.execute()).rejects.toThrow('has no corrected invoice over that much less');
});

test('an advance that was paid without tax and is invoiced with tax alerts the operator', async () => {
  const buyer = await newBuyer(portal, abroad);
  await buyer.buy(2);
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...business } }, buyer.token);
  portal.moveClock(2 * dayMs);
  await runRounds(portal.portal);
  const [voucher, invoice] = await buyer.documents();
  expect(invoice).toMatchObject({ total: 1499, taxableValue: 1270.34, igst: 228.66 });
  const alerts = portal.logLines.filter((line) => line.includes('the price bears it'));
  expect(alerts).toMatchObject([expect.stringContaining(voucher?.number ?? '-')]);
});

test('tax of a payment that Razorpay refunds no more is transferred by hand', async () => {
  const buyer = await sold(business, sez);
  portal.moveClock(181 * dayMs);
  expect((await buyer.correct()).status).toBe(200);
  expect(await buyer.refunds()).toMatchObject([{ origin: 'CORRECTION', amount_paise: 26_982, payout: 'TRANSFER' }]);
});

test('a correction that was lost with the database is made again, and its tax is not refunded again', async () => {
  const buyer = await sold(business, sez);
  await buyer.refundedBefore(26_982, { cycle: buyer.cycleId, cause: 'CORRECTION' });
  expect((await buyer.correct()).body).toMatchObject({ refundAmount: 0 });
  expect(await buyer.refunds()).toMatchObject([{ origin: 'CORRECTION', amount_paise: 26_982 }]);
  expect(await buyer.documents()).toMatchObject([
    { kind: 'INVOICE', total: 1768.82, igst: 269.82 },
    { kind: 'CREDIT_NOTE', total: 269.82 },
    { kind: 'INVOICE', total: 1499, igst: 0 },
    { kind: 'CREDIT_NOTE', total: 1499 },
  ]);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

test('as much as Razorpay has refunded of the payment is refunded by a correction only if its reason names that refund', async () => {
  const buyer = await newBuyer(portal, business);
  const { activationId, token } = buyer;
  const bought = { params: { activationId, planId: 'growth' }, body: { startDate: buyer.today(), periods: 2 } };
  const { billingCycleIds = [] } = await portal.ask(addCycle, bought, token);
  const { orderId } = await portal.ask(
    createOrderOfPeriods,
    { params: { activationId }, body: { billingCycleIds } },
    token,
  );
  const body = await portal.checkOut(orderId);
  await portal.ask(verifyPayment, { body }, token);
  const { id } = await portal.standin('POST', `/standin/payments/${body.paymentId}/refund`, { amount: 26_982 });
  await bookRefundsOf(portal.portal, body.paymentId);
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...sez } }, token);
  await declareClaim(portal, token);
  const invoice = (await buyer.documents()).find(({ kind }) => kind === 'INVOICE');
  const params = { documentId: invoice?.id ?? '' };
  expect((await portal.send(correctInvoice, { params }, token)).body).toMatchObject({ code: 'cannot_correct' });
  const correct = (reason: string) => correctInvoiceOf(portal.portal, invoice?.number ?? '', { actor: 'asha', reason });
  await expect(correct('SEZ')).rejects.toThrow(`Razorpay has refunded ₹269.82 of this payment already (${String(id)})`);
  expect(await correct(`SEZ, besides ${String(id)}`)).toMatchObject({ refundPaise: 26_982 });
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});
