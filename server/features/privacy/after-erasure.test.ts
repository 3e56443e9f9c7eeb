import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { finishDocument } from '#server/features/documents/documents.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { blockCustomer } from '#server/features/customers/blocks.ts';
import { sendDocuments } from '#server/features/documents/mail-again.ts';
import { eraseByOperator } from '#server/features/privacy/operator-erasure.ts';
import { revokeSoughtKey } from '#server/features/api-keys/operator.ts';
import { runRounds } from '#server/start-rounds.ts';
import { ownEverything } from '#server/test/owned.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { sweepErased } from './privacy.ts';

const dayMs = 86_400_000;
const cause = { actor: 'asha', reason: 'Asked by the customer' };
const anyway = { endPlans: true, withinYear: true };
let portal: TestPortal;
beforeAll(async () => void (portal = await startTestPortal()));
afterAll(() => portal.close());

async function newCustomer() {
  const token = await portal.newCustomer();
  return { token, ...(await portal.ask(readAccount, {}, token)).user };
}

const erase = (id: string) => eraseByOperator(portal.portal, id, cause, anyway);

/** Waits until every message of Razorpay is processed. */
async function settled(): Promise<void> {
  const waiting = portal.portal.db.selectFrom('webhook_inbox').select('event').where('processed_at', 'is', null);
  await expect.poll(() => waiting.execute()).toEqual([]);
}

async function tablesWith(text: string): Promise<string[]> {
  const { db } = portal.portal;
  const { rows } = await sql<{ name: string }>`select table_schema || '.' || table_name as name
    from information_schema.tables where table_type = 'BASE TABLE' and table_schema in ('public', 'pgboss')`.execute(
    db,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const having = await sql`select from ${sql.table(name)} t where strpos(to_jsonb(t)::text, ${text}) > 0`.execute(db);
    if (having.rows.length > 0) found.push(name);
  }
  return found;
}

test('what Razorpay says of a payment after an erasure is deleted with the payer’s address and phone', async () => {
  const { db } = portal.portal;
  const { token, id } = await newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { billingCycleId = '' } = await portal.ask(activatePlan, plan, token);
  const order = await portal.ask(createOrder, { params: { id: billingCycleId } }, token);
  await erase(id);
  await portal.pay(order.orderId, { method: 'upi', email: 'payer@late.example', contact: '+919811111111' });
  const refunded = db.selectFrom('refunds').select('status').where('customer_id', '=', id);
  await expect.poll(() => refunded.execute()).toEqual([{ status: 'PROCESSED' }]);
  await expect.poll(() => tablesWith('payer@late.example')).toEqual(['public.webhook_inbox']);
  await settled();
  // Also when the erasure was long ago.
  await sweepErased(portal.portal, new Date(Date.now() + 300 * dayMs));
  for (const text of ['payer@late.example', '+919811111111']) expect(await tablesWith(text)).toEqual([]);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});

test('the provider is told of each step of a dispute after an erasure once, also while the mail server is away', async () => {
  const { db } = portal.portal;
  const { token, id } = await newCustomer();
  const { payment } = await ownEverything(portal, token, 'tax-lookup-api');
  await settled();
  await erase(id);
  await portal.standin('POST', `/standin/payments/${payment}/dispute`, {});
  const disputes = db.selectFrom('disputes').select('status').where('customer_id', '=', id);
  await expect.poll(() => disputes.execute()).toEqual([{ status: 'open' }]);
  portal.moveClock(6 * dayMs);
  try {
    for (let round = 0; round < 3; round += 1) {
      await runRounds(portal.portal);
      await sweepErased(portal.portal, new Date());
    }
  } finally {
    portal.moveClock(-6 * dayMs);
  }
  const mails = db.selectFrom('mails').select(['id', 'subject']).where('customer_id', '=', id);
  const about = await mails.where('subject', 'like', '%ispute%').orderBy('subject').execute();
  expect(about.map(({ subject }) => subject.split(':')[0])).toEqual([
    'Dispute opened',
    'Evidence for a dispute is due in 1 day',
  ]);
  await db.updateTable('mails').set({ sent_at: new Date() }).where('customer_id', '=', id).execute();
  await sweepErased(portal.portal, new Date());
  expect(await mails.execute()).toEqual([]);
});

test('the audit log has no address and no name of a customer, whatever operators did before an erasure', async () => {
  const { token, id, email, name } = await newCustomer();
  const own = await ownEverything(portal, token, 'tax-lookup-api');
  await finishDocument(portal.portal, own.document);
  const params = { activationId: own.activation };
  const key = await portal.ask(createApiKey, { params, body: { keyName: 'qxqzw' } }, token);
  await revokeSoughtKey(portal.portal, key.id, cause);
  for (const to of [undefined, 'accounts@late.example']) await sendDocuments(portal.portal, [own.document], to, cause);
  await settled();
  await erase(id);
  for (const text of [email, name, 'qxqzw', 'accounts@late.example'])
    expect(await tablesWith(text), text).not.toContain('public.operator_actions');
  await expect(sendDocuments(portal.portal, [own.document], undefined, cause)).rejects.toThrow('has no address');
});

test('customers who are erased or blocked in one millisecond each get their mail', async () => {
  const { db } = portal.portal;
  const both = [await newCustomer(), await newCustomer()];
  const now = Date.now();
  const context = { ...portal.portal, clock: () => now };
  const subjects = (email: string) =>
    db.selectFrom('mails').select('subject').where('recipient', '=', email).orderBy('subject').execute();
  for (const { id } of both) await blockCustomer(context, id, cause);
  for (const { email } of both) expect(await subjects(email)).toHaveLength(1);
  for (const { id } of both) await eraseByOperator(context, id, cause, anyway);
  for (const { email } of both) expect(await subjects(email)).toEqual([{ subject: 'We erased your account' }]);
});
