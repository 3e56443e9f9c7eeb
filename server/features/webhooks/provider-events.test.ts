import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { readAccount } from '#shared/contract/account.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { askErasure } from '#shared/contract/privacy.ts';
import {
  providerBodySchema,
  type ProviderEventType,
  providerEventTypes,
  whenSent,
} from '#shared/contract/provider-events.ts';
import { createSupportThread, replyToSupport } from '#shared/contract/support.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { cycleFacts } from '#shared/contract/webhook-events.ts';
import { transaction } from '#shared/database/transaction.ts';
import { addDays } from '#shared/domain/day.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { newBuyer, sampleLetters } from '#server/features/documents/test-buyer.ts';
import { happened } from '#server/features/events/events.ts';
import { recordDispute } from '#server/features/payments/disputes.ts';
import { handleDueWork } from '#server/features/payments/due-work.ts';
import { useUnits } from '#server/features/usage/test-units.ts';
import { runRounds } from '#server/start-rounds.ts';
import { testOperators } from '#server/test/operators.ts';
import { sampleLetter, sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { actOn, providerEvents } from './test-provider.ts';

const dayMs = 86_400_000;
let world: TestPortal;
beforeAll(async () => {
  const env = { OPERATOR_APPROVAL_RUPEES: '1000', LETTERS_OF_UNDERTAKING: sampleLetters() };
  world = await startTestPortal({ jobs: false, env });
  await world.behave({ webhooks: { enabled: false } });
  // Nothing is delivered: the tests look at what is queued.
  await actOn(world, 'createEndpoint', { url: 'https://1.1.1.1/hook', events: [...providerEventTypes] });
});
afterAll(() => world.close());

const customerOf = async (token: string) => (await world.ask(readAccount, {}, token)).user.id;
const work = async (aheadMs = 0) => {
  const until = Date.now() + aheadMs;
  while ((await handleDueWork(world.portal, until)) > 0);
};
const paymentOf = async (cycleId: string) =>
  (
    await world.portal.db
      .selectFrom('cycle_payments')
      .select('provider_payment_id')
      .where('cycle_id', '=', cycleId)
      .executeTakeFirstOrThrow()
  ).provider_payment_id;

/** Does something, and returns the events that followed, without what differs from run to run. */
async function after(doing: () => Promise<unknown>) {
  const before = new Set((await providerEvents(world)).map(({ id }) => id));
  await doing();
  return (await providerEvents(world)).filter(({ id }) => !before.has(id));
}
const typesOf = (events: { type: ProviderEventType }[]) => events.map(({ type }) => type).toSorted();

const told = new Set<ProviderEventType>();
/** The same, of these types; each is told with the customer. */
async function expectAfter(customerId: string, doing: () => Promise<unknown>, types: ProviderEventType[]) {
  const events = await after(doing);
  expect(typesOf(events)).toEqual(types.toSorted());
  for (const { type, data } of events) {
    told.add(type);
    expect(data['customerId']).toBe(customerId);
  }
  return Object.fromEntries(events.map(({ type, data }) => [type, data]));
}

test('each event follows from what really happens, with the customer, ids and amounts', async () => {
  const created = await after(() => newBuyer(world));
  expect(typesOf(created)).toContain('customer.created');
  told.add('customer.created');

  const buyer = await newBuyer(world, { gstin: '29ZZZCA0001A1Z0' });
  const customerId = await customerOf(buyer.token);
  let cycleId = '';
  const paid = await expectAfter(customerId, async () => (cycleId = await buyer.buy(0)), [
    'cycle.activated',
    'document.issued',
    'payment.captured',
  ]);
  const [invoice] = await buyer.documents();
  const paymentId = await paymentOf(cycleId);
  const ofPlan = { activationId: buyer.activationId, productId: 'invoicing-system', billingCycleId: cycleId };
  expect(paid['payment.captured']).toMatchObject({ ...ofPlan, paymentId, amount: 1499, currency: 'INR', use: 'plan' });
  expect(paid['document.issued']).toMatchObject({ ...ofPlan, documentId: invoice?.id, kind: 'INVOICE', total: 1499 });

  const units = await world.portal.db
    .selectFrom('cycles')
    .selectAll()
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  const useAll = async () => {
    await useUnits(world.portal.db, cycleId, buyer.today(), Math.floor(units.daily_quota * 0.6));
    await runRounds(world.portal);
  };
  const reached = await expectAfter(customerId, useAll, ['quota.reached']);
  expect(reached['quota.reached']).toMatchObject({ ...ofPlan, quota: 'daily', percent: 60 });

  const form = { tan: 'MUMA12345B', amount: 100, quarter: quarterOf(buyer.today()), name: 'form.pdf' };
  const declaration = { params: { billingCycleId: cycleId }, body: { ...form, certificate: sampleLetter } };
  const tds = await expectAfter(customerId, () => world.ask(declareTds, declaration, buyer.token), ['tds.declared']);
  expect(tds['tds.declared']).toMatchObject({ ...ofPlan, invoice: invoice?.number, amount: 100 });

  const fail = async () => {
    const input = {
      params: { activationId: buyer.activationId, planId: 'growth' },
      body: { startDate: addDays(buyer.today(), 40) },
    };
    const { billingCycleId: id = '' } = await world.ask(addCycle, input, buyer.token);
    const { orderId } = await world.ask(createOrder, { params: { id } }, buyer.token);
    await world.pay(orderId, { method: 'card', outcome: 'card_declined' });
    // No webhook arrives: the order is asked for.
    await work(3_600_000);
  };
  const failed = await expectAfter(customerId, fail, ['payment.failed']);
  expect(failed['payment.failed']).toMatchObject({ amount: 1499, currency: 'INR' });

  let disputeId = '';
  const dispute = async () => {
    const opened = await world.standin('POST', `/standin/payments/${paymentId}/dispute`, { phase: 'chargeback' });
    disputeId = String(opened['id']);
    await recordDispute(world.portal, disputeId);
  };
  await expectAfter(customerId, dispute, ['dispute.opened']);
  const decide = async () => {
    await world.standin('POST', `/standin/disputes/${disputeId}/won`, {});
    await recordDispute(world.portal, disputeId);
  };
  const decided = await expectAfter(customerId, decide, ['dispute.ended']);
  expect(decided['dispute.ended']).toMatchObject({ ...ofPlan, disputeId, outcome: 'payment_stands' });

  const later = await buyer.buy(60);
  const cancel = async () => {
    await world.behave({ webhooks: { enabled: false }, refunds: 'insufficient-balance' });
    await buyer.end(later);
    await work();
  };
  const cancelled = ['cycle.cancelled', 'document.issued', 'refund.failed', 'refund.started'] as const;
  const refused = await expectAfter(customerId, cancel, [...cancelled]);
  const { refundId } = refused['refund.started'] ?? {};
  expect(refused['refund.failed']).toMatchObject({ refundId, amount: 1499, currency: 'INR' });
  const turn = () => actOn(world, 'turnRefund', { refundId: String(refundId) });
  await expectAfter(customerId, turn, ['refund.transfer_due']);
  const transfer = { refundId: String(refundId), utr: 'KKBK0001234567', on: buyer.today() };
  await expectAfter(customerId, () => actOn(world, 'recordTransfer', transfer), ['refund.completed']);
  await world.behave({ webhooks: { enabled: false } });

  let threadId = '';
  const ask = async () => {
    const body = { subject: 'Help', message: 'My own secret', activationId: null };
    threadId = (await world.ask(createSupportThread, { body }, buyer.token)).id;
  };
  const opened = await expectAfter(customerId, ask, ['thread.opened']);
  expect(opened['thread.opened']).toMatchObject({ threadId, activationId: null });
  const answer = () => actOn(world, 'replyToThread', { threadId, message: 'Hello' });
  const answered = await expectAfter(customerId, answer, ['thread.replied']);
  expect(answered['thread.replied']).toMatchObject({ threadId, author: 'PROVIDER' });
  const reply = () => world.ask(replyToSupport, { params: { threadId }, body: { message: 'Hi' } }, buyer.token);
  expect(await expectAfter(customerId, reply, ['thread.replied'])).toMatchObject({
    'thread.replied': { author: 'CUSTOMER' },
  });

  const operators = testOperators(world);
  const owner = await operators.signedIn('asha@kaveri.example', 'owner');
  await operators.prove('asha@kaveri.example');
  const refund = () => operators.act(owner, 'refundPayment', { of: paymentId, amount: 1200 });
  const approval = await expectAfter(customerId, refund, ['approval.requested']);
  expect(approval['approval.requested']).toMatchObject({ call: 'refundPayment', amount: 1200 });

  const exporter = () => newBuyer(world, { gstin: null, country: 'US', stateCode: '96', pin: '94105' });
  const claimed = (await after(exporter)).find(({ type }) => type === 'tax_claim.declared');
  told.add('tax_claim.declared');
  expect(claimed?.data).toMatchObject({ kind: 'EXPORT', claimId: expect.stringMatching(/^CLM-/) });

  await expectAfter(customerId, () => actOn(world, 'blockCustomer', { customerId }), ['customer.blocked']);
  await expectAfter(customerId, () => actOn(world, 'unblockCustomer', { customerId }), ['customer.unblocked']);

  const days = async () => {
    for (let day = 0; day < 31; day += 1) {
      world.moveClock(dayMs);
      await runRounds(world.portal);
    }
  };
  const ends = ['cycle.ended', 'cycle.ending', 'cycle.ending', 'cycle.ending'] as const;
  expect(await expectAfter(customerId, days, [...ends])).toMatchObject({ 'cycle.ended': { reason: 'expired' } });

  const leaving = await world.newCustomer(sampleProfile);
  const leavingId = await customerOf(leaving);
  await expectAfter(leavingId, () => world.ask(askErasure, {}, leaving), ['customer.erasure_asked']);
  const erase = () => actOn(world, 'eraseCustomer', { customerId: leavingId, endPlans: false, withinYear: false });
  await expectAfter(leavingId, erase, ['customer.erased']);

  expect([...told].toSorted()).toEqual([...providerEventTypes].toSorted());
  const bodies = JSON.stringify(await providerEvents(world));
  for (const personal of ['Kaveri Traders', '@example.com', 'My own secret', 'Help', sampleProfile.phone])
    expect(bodies).not.toContain(personal);
});

/** Fields of any text, besides ids: numbers of papers, and words of ours. */
const harmless = new Set(['planName', 'call', 'number', 'invoice', 'quarter', 'currency']);
const isAnyText = (schema: z.core.$ZodType) => z.safeParse(schema, 'Asha Rao called').success;

test.each(providerEventTypes)('%s has no field for what a person, a bank or Razorpay wrote', (type) => {
  const { shape } = providerBodySchema(type).shape.data;
  const texts = Object.entries(shape).flatMap(([name, schema]) => (isAnyText(schema) ? [name] : []));
  expect(texts.filter((name) => !name.endsWith('Id') && !harmless.has(name))).toEqual([]);
});

test('docs/operators-api.md lists every event as the contract describes it', async () => {
  const rows = providerEventTypes.map((type) => {
    const fields = Object.keys(providerBodySchema(type).shape.data.shape).filter((field) => field !== 'customerId');
    const ofPlan = Object.keys(cycleFacts.shape);
    const isOfPlan = fields.includes('billingCycleId');
    const own = fields.filter((field) => !isOfPlan || !ofPlan.includes(field));
    return `| \`${type}\` | ${whenSent(type)} | ${isOfPlan ? 'yes' : ''} | ${own.map((field) => `\`${field}\``).join(', ')} |`;
  });
  const table = ['| type | sent when | plan | data |', '|---|---|---|---|', ...rows].join('\n');
  const file = projectFolder('docs', 'operators-api.md');
  const text = readFileSync(file, 'utf8').replace(
    /(<!-- generated: events -->\n)[\s\S]*(\n<!-- \/generated -->)/,
    (_, begin: string, end: string) => `${begin}${table}${end}`,
  );
  expect(text).toContain(table);
  await expect(text).toMatchFileSnapshot(file);
});

test('a payment that pays for no plan is told as captured, with its refund', async () => {
  const buyer = await newBuyer(world);
  const customerId = await customerOf(buyer.token);
  await world.behave({ webhooks: { enabled: false }, captureWrongAmountPaise: 100 });
  const pay = () => buyer.buy(0).then(() => work());
  const types: ProviderEventType[] = ['payment.captured', 'refund.completed', 'refund.started'];
  const events = await expectAfter(customerId, pay, types);
  expect(events['payment.captured']).toMatchObject({ amount: 1, use: 'refund' });
  await world.behave({ webhooks: { enabled: false } });
});

test('what was rolled back is not told, and what is reported several times at once is told once', async () => {
  const customerId = await customerOf(await world.newCustomer());
  const { db } = world.portal;
  const event = { type: 'account.blocked', customerId, reason: 'x', at: new Date() } as const;
  const report = () => transaction(db, (tx) => happened(world.portal, { customerId }, tx, event));
  const rolledBack = () =>
    transaction(db, async (tx) => {
      await happened(world.portal, { customerId }, tx, event);
      throw new Error('the cause failed');
    });
  expect(await after(() => rolledBack().catch(() => undefined))).toEqual([]);
  const events = await after(() => Promise.all(Array.from({ length: 8 }, report)));
  expect(typesOf(events)).toEqual(['customer.blocked']);
});

test('a webhook that asks for starts only now is told of those of the last days', async () => {
  const own = await startTestPortal({ jobs: false });
  onTestFinished(() => own.close());
  await own.behave({ webhooks: { enabled: false } });
  const events = ['customer.created'];
  const { id } = await actOn(own, 'createEndpoint', { url: 'https://1.1.1.1/hook', events });
  const billingCycleId = await (await newBuyer(own)).buy(1);
  own.moveClock(dayMs);
  // All is done for this day.
  await runRounds(own.portal);
  await runRounds(own.portal);
  const starts = async () => (await providerEvents(own)).filter(({ type }) => type === 'cycle.activated');
  expect(await starts()).toEqual([]);
  await actOn(own, 'changeEndpoint', { endpointId: id ?? '', events: ['cycle.activated'] });
  await runRounds(own.portal);
  expect(await starts()).toMatchObject([{ data: { billingCycleId } }]);
});
