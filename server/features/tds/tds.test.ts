import { afterAll, beforeAll, expect, test } from 'vitest';
import { endCycle } from '#shared/contract/cycles.ts';
import { listAllHistory } from '#shared/contract/invoices.ts';
import { declareTds, readTdsCertificate } from '#shared/contract/tds.ts';
import { dayOf } from '#shared/domain/day.ts';
import { monthOf } from '#shared/domain/month.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { bookFaults, monthFiles, readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { bookRefundsOf } from '#server/features/payments/money-back.ts';
import { handleDueWork } from '#server/features/payments/due-work.ts';
import { sampleLetter, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { acceptTds, refuseTds } from './tds.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const business = { gstin: '29ZZZCA0001A1Z0' };
type Buyer = Awaited<ReturnType<typeof newBuyer>>;

const cause = (reason = 'In Form 26AS') => ({ actor: 'test', reason });
const bodyOf = (more: object = {}) => ({
  tan: 'MUMA12345B',
  amount: 127.03,
  quarter: quarterOf(dayOf(portal.portal.clock())),
  name: 'form-16a.pdf',
  certificate: sampleLetter,
  ...more,
});
const declare = (buyer: Buyer, billingCycleId: string, more: object = {}) =>
  portal.send(declareTds, { params: { billingCycleId }, body: bodyOf(more) }, buyer.token);
const entryOf = async (buyer: Buyer, cycleId: string) =>
  (await portal.ask(listAllHistory, {}, buyer.token)).entries.find(({ id }) => id === cycleId);
async function claimOf(buyer: Buyer, cycleId: string): Promise<string> {
  expect((await declare(buyer, cycleId)).status).toBe(200);
  return (await entryOf(buyer, cycleId))?.tds?.claim?.id ?? '';
}
async function mailsOf(subject: string) {
  const rows = await portal.portal.db
    .selectFrom('mails')
    .select(['subject', 'recipient', 'body_text'])
    .where('subject', 'like', `${subject}%`)
    .orderBy('created_at')
    .execute();
  return rows;
}
const work = async () => {
  while ((await handleDueWork(portal.portal, Date.now())) > 0);
};
const faults = async () => [
  ...(await verifyLedgerOf(portal.portal.db)).faults,
  ...(await bookFaults(portal.portal.db)),
];
const paymentOf = (cycleId: string) =>
  portal.portal.db
    .selectFrom('cycle_payments')
    .select('provider_payment_id')
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();

test('a business declares tax deducted at source with its certificate, once for each subscription', async () => {
  const buyer = await newBuyer(portal, business);
  const cycleId = await buyer.buy(0);
  expect((await entryOf(buyer, cycleId))?.tds).toMatchObject({ mayDeclare: true, maxAmount: 128, claim: null });
  const reply = await declare(buyer, cycleId);
  const claim = { status: 'WAITING', amount: 127.03, tan: 'MUMA12345B', section: '393(1)', declaredOn: buyer.today() };
  expect(reply.body).toMatchObject({ mayDeclare: false, claim: { ...claim, certificateName: 'form-16a.pdf' } });
  expect(await portal.ask(readTdsCertificate, { params: { billingCycleId: cycleId } }, buyer.token)).toEqual({
    name: 'form-16a.pdf',
    type: 'application/pdf',
    certificate: sampleLetter,
  });
  expect((await declare(buyer, cycleId)).body).toMatchObject({ status: 409, code: 'tds_not_declarable' });
  const { supportEmail } = portal.portal.settings;
  expect(await mailsOf('TDS declared')).toMatchObject([{ recipient: supportEmail }]);
  expect(await faults()).toEqual([]);
});

test('a claim is refused without an invoice to a GSTIN, above 10 %, for another quarter, and without a certificate', async () => {
  const buyer = await newBuyer(portal, business);
  const cycleId = await buyer.buy(0);
  const refusals = [
    [{ amount: 128.01 }, 422, 'tds_too_much'],
    [{ quarter: '2024-25 Q1' }, 422, 'tds_wrong_quarter'],
    [{ certificate: Buffer.from('<html>').toString('base64') }, 422, 'letter_unreadable'],
    [{ tan: 'MUMA1234B' }, 400, 'invalid_request'],
    [{ amount: 0.001 }, 400, 'invalid_request'],
    [{ quarter: '2026' }, 400, 'invalid_request'],
  ] as const;
  for (const [more, status, code] of refusals) {
    expect((await declare(buyer, cycleId, more)).body).toMatchObject({ status, code });
  }
  const advance = await buyer.buy(40);
  expect((await entryOf(buyer, advance))?.tds).toBeNull();
  expect((await declare(buyer, advance)).body).toMatchObject({ status: 409, code: 'tds_not_declarable' });
  const consumer = await newBuyer(portal);
  const sold = await consumer.buy(0);
  expect((await entryOf(consumer, sold))?.tds).toBeNull();
  expect((await declare(consumer, sold)).body).toMatchObject({ status: 409, code: 'tds_not_declarable' });
});

test('an accepted claim is refunded without a credit note, the plan goes on, and the amount is receivable', async () => {
  const { db } = portal.portal;
  const buyer = await newBuyer(portal, business);
  const cycleId = await buyer.buy(0);
  const before = await readTrialBalance(db, buyer.today());
  const claimId = await claimOf(buyer, cycleId);
  await acceptTds(portal.portal, claimId, cause());
  await expect(acceptTds(portal.portal, claimId, cause())).rejects.toThrow('accepted already');
  await expect(refuseTds(portal.portal, claimId, cause('Late'))).rejects.toThrow('accepted already');
  expect(await faults()).toEqual([]);
  await work();
  expect(await entryOf(buyer, cycleId)).toMatchObject({
    status: 'PAID',
    refund: { amount: 127.03, status: 'PROCESSED' },
    tds: { mayDeclare: false, claim: { status: 'ACCEPTED', decidedOn: buyer.today() } },
  });
  expect((await buyer.documents()).map(({ kind }) => kind)).toEqual(['INVOICE']);
  // The provider's list has the refund: it is known, and not taken for one that was made elsewhere.
  await bookRefundsOf(portal.portal, (await paymentOf(cycleId)).provider_payment_id);
  expect(await db.selectFrom('refunds').select('origin').where('cycle_id', '=', cycleId).execute()).toEqual([
    { origin: 'TDS' },
  ]);
  const after = await readTrialBalance(db, buyer.today());
  const receivable = ({ rows }: typeof after) =>
    rows.find(({ account }) => account === 'tds-receivable')?.debitPaise ?? 0;
  expect(receivable(after) - receivable(before)).toBe(12_703);
  const csv = (await monthFiles(db, monthOf(buyer.today()), buyer.today())).get('tds-receivable.csv');
  expect(csv).toMatch(/393\(1\),CUS-\w+,Kaveri Traders,29ZZZCA0001A1Z0,MUMA12345B,1,1270\.34,127\.03/);
  expect(await mailsOf('TDS accepted')).toHaveLength(1);
  expect(await mailsOf('Refund started')).toEqual([]);
  expect(await faults()).toEqual([]);
});

test('a refused claim tells the reason, moves no money, and can be made again', async () => {
  const buyer = await newBuyer(portal, business);
  const cycleId = await buyer.buy(0);
  const claimId = await claimOf(buyer, cycleId);
  await expect(refuseTds(portal.portal, claimId, cause(' '))).rejects.toThrow('reason');
  await refuseTds(portal.portal, claimId, cause('The certificate names another deductee.'));
  expect(await entryOf(buyer, cycleId)).toMatchObject({
    refund: null,
    tds: { mayDeclare: true, claim: { status: 'REFUSED', reason: 'The certificate names another deductee.' } },
  });
  const [mail] = await mailsOf('TDS not accepted');
  expect(mail?.body_text).toContain('The certificate names another deductee.');
  expect((await declare(buyer, cycleId, { amount: 25.41 })).body).toMatchObject({ claim: { status: 'WAITING' } });
  await expect(acceptTds(portal.portal, 'TDS-000000000000', cause())).rejects.toThrow('There is no claim');
  expect(await faults()).toEqual([]);
});

test('after an accepted claim no refund returns more than what is left of the payment', async () => {
  const buyer = await newBuyer(portal, business);
  const cycleId = await buyer.buy(0);
  await acceptTds(portal.portal, await claimOf(buyer, cycleId), cause());
  await work();
  const { provider_payment_id: paymentId } = await paymentOf(cycleId);
  // Everything that Razorpay still has is refunded on its dashboard: the plan ends.
  await portal.standin('POST', `/standin/payments/${paymentId}/refund`, {});
  await bookRefundsOf(portal.portal, paymentId);
  expect(await entryOf(buyer, cycleId)).toMatchObject({ status: 'REFUNDED', refund: { amount: 1499 } });
  expect((await buyer.documents()).map(({ kind, total }) => [kind, total])).toEqual([
    ['INVOICE', 1499],
    ['CREDIT_NOTE', 1371.97],
  ]);
  expect(await faults()).toEqual([]);

  const other = await buyer.buy(0);
  const claimId = await claimOf(buyer, other);
  const { provider_payment_id: second } = await paymentOf(other);
  await portal.standin('POST', `/standin/payments/${second}/refund`, { amount: 137_300 });
  await bookRefundsOf(portal.portal, second);
  await expect(acceptTds(portal.portal, claimId, cause())).rejects.toThrow('Only ₹126 of this payment is left');
  await portal.ask(endCycle, { params: { activationId: buyer.activationId, billingCycleId: other } }, buyer.token);
  expect(await faults()).toEqual([]);
});

test('a claim is taken and accepted after its plan was refunded, and transferred where Razorpay has less left', async () => {
  const buyer = await newBuyer(portal, business);
  for (const [at, paise, payout] of [
    ['after the refund', 149_900, 'TRANSFER'],
    ['before the refund', 149_900, 'TRANSFER'],
    ['before the refund', 137_300, 'TRANSFER'],
    ['after the refund', 100_000, 'PROVIDER'],
  ] as const) {
    const cycleId = await buyer.buy(0);
    const early = at === 'before the refund' ? await claimOf(buyer, cycleId) : undefined;
    const { provider_payment_id: paymentId } = await paymentOf(cycleId);
    await portal.standin('POST', `/standin/payments/${paymentId}/refund`, { amount: paise });
    await bookRefundsOf(portal.portal, paymentId);
    if (paise < 149_900)
      await portal.ask(
        endCycle,
        { params: { activationId: buyer.activationId, billingCycleId: cycleId } },
        buyer.token,
      );
    const papers = await buyer.documents();
    await acceptTds(portal.portal, early ?? (await claimOf(buyer, cycleId)), cause());
    await work();
    expect(await buyer.documents()).toEqual(papers);
    const refunds = portal.portal.db.selectFrom('refunds').select(['amount_paise', 'payout', 'status']);
    expect(await refunds.where('cycle_id', '=', cycleId).where('origin', '=', 'TDS').execute()).toEqual([
      { amount_paise: 12_703, payout, status: payout === 'TRANSFER' ? 'STARTED' : 'PROCESSED' },
    ]);
    expect(await faults()).toEqual([]);
  }
});

test('a claim that a clock ahead of the operator’s declared is decided, refunded and booked no earlier than it was declared', async () => {
  const { db } = portal.portal;
  const buyer = await newBuyer(portal, business);
  const cycleId = await buyer.buy(0);
  const claimId = await claimOf(buyer, cycleId);
  const { clock } = portal.portal;
  await acceptTds({ ...portal.portal, clock: () => clock() - 60_000 }, claimId, cause());
  const claims = db.selectFrom('tds_claims').select(['declared_at', 'decided_at', 'refund_id']);
  const claim = await claims.where('id', '=', claimId).executeTakeFirstOrThrow();
  const refundId = claim.refund_id ?? '';
  const refunds = db.selectFrom('refunds').select('created_at').where('id', '=', refundId);
  const entries = db.selectFrom('ledger_entries').select('posted_at').where('id', '=', `due:${refundId}`);
  expect(claim.decided_at).toEqual(claim.declared_at);
  expect(await refunds.executeTakeFirst()).toEqual({ created_at: claim.declared_at });
  expect(await entries.executeTakeFirst()).toEqual({ posted_at: claim.declared_at });
  expect(await faults()).toEqual([]);
});

test('a claim over all that is left of a running plan’s payment is neither taken nor accepted, and over a paisa less it is', async () => {
  const buyer = await newBuyer(portal, business);
  const leave = async (cycleId: string, paise: number) => {
    const { provider_payment_id: paymentId } = await paymentOf(cycleId);
    await portal.standin('POST', `/standin/payments/${paymentId}/refund`, { amount: 149_900 - paise });
    await bookRefundsOf(portal.portal, paymentId);
  };
  const early = await buyer.buy(0);
  const claimId = await claimOf(buyer, early);
  await leave(early, 12_703);
  await expect(acceptTds(portal.portal, claimId, cause())).rejects.toThrow('Only ₹127.03 of this payment is left');
  await portal.ask(endCycle, { params: { activationId: buyer.activationId, billingCycleId: early } }, buyer.token);
  const late = await buyer.buy(0);
  await leave(late, 12_703);
  expect((await declare(buyer, late)).body).toMatchObject({ status: 422, code: 'tds_too_much' });
  expect((await declare(buyer, late, { amount: 127.02 })).body).toMatchObject({ claim: { status: 'WAITING' } });
  expect(await faults()).toEqual([]);
});

test('a claim that a restore brought back is not paid a second time, unless the reason names what Razorpay has refunded', async () => {
  const buyer = await newBuyer(portal, business);
  const cycleId = await buyer.buy(0);
  const claimId = await claimOf(buyer, cycleId);
  const { provider_payment_id: paymentId } = await paymentOf(cycleId);
  const made = await portal.standin('POST', `/standin/payments/${paymentId}/refund`, { amount: 12_703 });
  await bookRefundsOf(portal.portal, paymentId);
  const again = `Razorpay has refunded ₹127.03 of this payment already (${String(made['id'])})`;
  await expect(acceptTds(portal.portal, claimId, cause())).rejects.toThrow(again);
  await acceptTds(portal.portal, claimId, cause(`Besides ${String(made['id'])}`));
  expect(await faults()).toEqual([]);
});

test('the database keeps claims as they were made, decides them once, and refunds only accepted ones', async () => {
  const { db } = portal.portal;
  const buyer = await newBuyer(portal, business);
  const cycleId = await buyer.buy(0);
  const claimId = await claimOf(buyer, cycleId);
  const claim = db.updateTable('tds_claims').where('id', '=', claimId);
  const accepted = { status: 'ACCEPTED', decided_at: new Date(portal.portal.clock()) } as const;
  await expect(claim.set({ ...accepted, refund_id: null }).execute()).rejects.toThrow('check');
  await expect(db.deleteFrom('tds_claims').execute()).rejects.toThrow('tds_claims');
  const [{ id: refundId } = { id: '' }] = await db.selectFrom('refunds').select('id').limit(1).execute();
  await expect(claim.set({ ...accepted, refund_id: refundId }).execute()).rejects.toThrow(/refund/);
  const [row] = await db.selectFrom('tds_claims').selectAll().where('id', '=', claimId).execute();
  if (!row) throw new Error('the claim is missing');
  const copy = { ...row, id: 'TDS-X' };
  const insert = (change: object) =>
    db
      .insertInto('tds_claims')
      .values({ ...copy, ...change })
      .execute();
  await expect(insert({})).rejects.toThrow('tds_claims_one_of_cycle');
  await expect(insert({ amount_paise: 12_801 })).rejects.toThrow('not about tax on an invoice');
  await expect(insert({ quarter: '2024-25 Q1', section: '194J' })).rejects.toThrow('not about tax on an invoice');
  const { provider_payment_id: payment_id } = await paymentOf(cycleId);
  const refund = { id: 'RFD-X', payment_id, cycle_id: cycleId, customer_id: row.customer_id, amount_paise: 12_703 };
  const made = { reason: 'TDS', status: 'STARTED', created_at: new Date(), provider_refund_id: null } as const;
  const rest = { settled_at: null, foreign_id: null, covers_paise: 0, origin: 'TDS' } as const;
  await expect(
    db
      .insertInto('refunds')
      .values({ ...refund, ...made, ...rest })
      .execute(),
  ).rejects.toThrow('is not due');
});
