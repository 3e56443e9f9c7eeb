import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { updateProfile } from '#shared/contract/account.ts';
import { deleteActivation } from '#shared/contract/activations.ts';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import * as calls from '#shared/contract/pay-links.ts';
import { createOrder, createOrderOfPeriods } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { sampleProfile, startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const today = () => dayOf(portal.portal.clock());

/** A customer with an unpaid plan, and its pay link. */
async function unpaid(planId = 'growth') {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId } };
  const { activationId, billingCycleId: cycleId = '' } = await portal.ask(activatePlan, plan, token);
  const make = async (cycleIds = [cycleId], endsEarlier = false) => {
    const body = { billingCycleIds: cycleIds, endsEarlier };
    const { url } = await portal.ask(calls.makePayLink, { params: { activationId }, body }, token);
    expect(url).toMatch(new RegExp(`^${portal.portal.settings.portalUrl}/pay#CYC-`));
    return new URL(url).hash.slice(1);
  };
  const row = await portal.portal.db
    .selectFrom('activations')
    .select('customer_id')
    .where('id', '=', activationId)
    .executeTakeFirstOrThrow();
  return { token, activationId, cycleId, make, link: await make(), customerId: row.customer_id };
}

const read = (link: string) => portal.ask(calls.readPayLink, { body: { link } });
const state = async (link: string) => (await read(link)).state;
const order = (link: string) => portal.send(calls.orderByPayLink, { body: { link } });

/** Pays as the page does; `email`: for the papers. */
async function pay(link: string, email: string | null = null) {
  const { orderId } = await portal.ask(calls.orderByPayLink, { body: { link } });
  return report(link, orderId, email);
}

async function report(link: string, orderId: string, email: string | null = null) {
  const paid = await portal.pay(orderId, {});
  const body = {
    link,
    orderId,
    paymentId: String(paid['razorpay_payment_id']),
    signature: String(paid['razorpay_signature']),
    email,
  };
  return { body, reply: await portal.send(calls.verifyByPayLink, { body }) };
}

test('whoever holds a link sees what is to be paid and pays the customer’s own order, without an account', async () => {
  const { token, cycleId, link } = await unpaid();
  const shown = await read(link);
  expect(shown).toEqual({
    state: 'OPEN',
    bill: {
      customerName: sampleProfile.legalName,
      seller: { name: portal.portal.settings.supplierName, gstin: portal.portal.settings.supplierGstin },
      productName: expect.any(String),
      lines: [
        { planName: 'Growth', days: { fromDate: today(), toDate: addDays(today(), 30) }, amount: expect.any(Number) },
      ],
      amount: expect.any(Number),
      taxableValue: expect.any(Number),
      taxes: expect.any(Array),
      purchaseOrder: null,
      byTransfer: false,
      invoice: null,
    },
  });
  const { amount = 0, taxableValue = 0, taxes = [] } = shown.bill ?? {};
  expect(taxableValue + taxes.reduce((sum, tax) => sum + tax.amount, 0)).toBeCloseTo(amount, 1);
  const own = await portal.ask(createOrder, { params: { id: cycleId } }, token);
  const ordered = await order(link);
  // Nothing of the customer that the checkout would be filled in with.
  expect(ordered.body).toEqual({ orderId: own.orderId, amount: own.amount, currency: 'INR' });
  expect((await pay(link)).reply.body).toEqual({ status: 'success' });
  expect(await read(link)).toEqual({ state: 'PAID', bill: null });
  expect((await order(link)).body).toMatchObject({ code: 'nothing_to_pay' });
});

test('a link ends when its customer pays', async () => {
  const { token, cycleId, link } = await unpaid();
  await portal.buy(token, cycleId);
  expect(await read(link)).toEqual({ state: 'PAID', bill: null });
});

test('a link to several periods is for one order, and ends when one of them is paid alone or removed', async () => {
  const { token, activationId, cycleId, make } = await unpaid();
  const params = { activationId, planId: 'growth' };
  const next = { params, body: { startDate: addDays(today(), 30) } };
  const { billingCycleId: second = '' } = await portal.ask(addCycle, next, token);
  const both = await make([cycleId, second]);
  const { bill } = await read(both);
  expect(bill?.lines).toHaveLength(2);
  expect(bill?.amount).toBeCloseTo((bill?.lines[0]?.amount ?? 0) * 2, 2);
  const alone = await make([second]);
  await portal.ask(endCycle, { params: { activationId, billingCycleId: second } }, token);
  expect(await state(both)).toBe('REPLACED');
  expect(await state(alone)).toBe('REPLACED');
  expect((await order(both)).body).toMatchObject({ code: 'nothing_to_pay' });
});

test('a link ends with its activation', async () => {
  const { token, activationId, link } = await unpaid();
  await portal.ask(deleteActivation, { params: { activationId } }, token);
  expect(await read(link)).toEqual({ state: 'REPLACED', bill: null });
  expect((await order(link)).body).toMatchObject({ code: 'not_found' });
});

test('a new link ends the ones before it, and an order that exists is still paid', async () => {
  const { make, link } = await unpaid();
  const { orderId } = await portal.ask(calls.orderByPayLink, { body: { link } });
  expect(await make()).toBe(link);
  const next = await make(undefined, true);
  expect(next).not.toBe(link);
  expect(await read(link)).toEqual({ state: 'WITHDRAWN', bill: null });
  expect((await order(link)).body).toMatchObject({ status: 409, code: 'link_expired' });
  expect(await state(next)).toBe('OPEN');
  // The checkout was open meanwhile.
  expect((await report(link, orderId)).reply.body).toEqual({ status: 'success' });
  expect(await state(next)).toBe('PAID');
});

test('the number of a link is compared under the lock under which links are ended', async () => {
  const { activationId, link } = await unpaid();
  const tx = await portal.portal.db.startTransaction().execute();
  await tx
    .updateTable('activations')
    .set((of) => ({ pay_links_ended: of('pay_links_ended', '+', 1) }))
    .where('id', '=', activationId)
    .execute();
  const waiting = order(link);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await tx.commit().execute();
  expect((await waiting).body).toMatchObject({ code: 'link_expired' });
});

test('the database lets the number of an activation’s links only grow, one by one', async () => {
  const { activationId } = await unpaid();
  const set = (ended: number) =>
    portal.portal.db
      .updateTable('activations')
      .set({ pay_links_ended: ended })
      .where('id', '=', activationId)
      .execute();
  await set(1);
  await expect(set(0)).rejects.toThrow('stays what it is');
  await expect(set(3)).rejects.toThrow('stays what it is');
});

test('a text that was not signed here is not found, whatever it names', async () => {
  const { cycleId, link } = await unpaid();
  const other = await unpaid();
  const signature = link.split('.').at(-1) ?? '';
  const forged = [
    '',
    'x',
    `${cycleId}.0.${'0'.repeat(64)}`,
    `${other.cycleId}.0.${signature}`,
    `${cycleId}.1.${signature}`,
    `${cycleId}.${other.cycleId}.0.${signature}`,
    `CYC-UNKNOWN.0.${signature}`,
    link.toUpperCase(),
    `${link} `,
  ];
  for (const text of forged) {
    const body = { link: text };
    const replies = [
      await portal.send(calls.readPayLink, { body }),
      await portal.send(calls.orderByPayLink, { body }),
      await portal.send(calls.transferByPayLink, { body }),
    ];
    for (const { status } of replies) expect(status, text).toBe(text === '' ? 400 : 404);
  }
});

test('a payment is reported by the link of its customer alone, and by no other signature', async () => {
  const [one, other] = [await unpaid(), await unpaid()];
  const { body } = await pay(one.link);
  expect((await portal.send(calls.verifyByPayLink, { body: { ...body, link: other.link } })).body).toMatchObject({
    code: 'not_found',
  });
  const forged = { ...body, signature: body.signature.replace(/^./, (first) => (first === '0' ? '1' : '0')) };
  expect((await portal.send(calls.verifyByPayLink, { body: forged })).body).toMatchObject({
    code: 'payment_not_verified',
  });
});

test('of two holders who pay at once, one pays the plan and the other gets the money back', async () => {
  const { link, customerId } = await unpaid();
  const orders = await Promise.all([order(link), order(link)]);
  const [first, second] = orders.map(({ body }) => body);
  expect(first).toEqual(second);
  const { orderId } = await portal.ask(calls.orderByPayLink, { body: { link } });
  const paid = await Promise.all([report(link, orderId), report(link, orderId).catch(() => undefined)]);
  expect(
    paid.map((each) => each?.reply.body).filter((reply) => JSON.stringify(reply).includes('success')),
  ).toHaveLength(1);
  const captured = await portal.portal.db
    .selectFrom('payments')
    .select('use')
    .where('customer_id', '=', customerId)
    .where('status', '=', 'captured')
    .execute();
  expect(captured.filter(({ use }) => use === 'CYCLE')).toHaveLength(1);
});

test('a blocked customer’s link can’t be paid, shows nothing of the customer, and can be paid again after the block', async () => {
  const { link, customerId } = await unpaid();
  const cause = { actor: 'asha', reason: 'Fraud' };
  await actAsOperator(portal.portal, 'owner', 'blockCustomer', { customerId }, cause);
  expect(await read(link)).toEqual({ state: 'UNAVAILABLE', bill: null });
  expect((await order(link)).body).toMatchObject({ code: 'account_blocked' });
  await actAsOperator(portal.portal, 'owner', 'unblockCustomer', { customerId }, cause);
  expect(await state(link)).toBe('OPEN');
});

test('the price follows the business details as for the customer’s own order, and its purchase order is named', async () => {
  const { token, activationId, cycleId, link } = await unpaid();
  const before = await read(link);
  const body = { billingCycleIds: [cycleId], purchaseOrder: { number: 'PO-77', date: null } };
  await portal.ask(createOrderOfPeriods, { params: { activationId }, body }, token);
  expect((await read(link)).bill?.purchaseOrder).toBe('PO-77');
  await portal.ask(updateProfile, { body: { ...sampleProfile, stateCode: '27', pin: '400001', gstin: null } }, token);
  const after = await read(link);
  expect(after.bill?.taxes.map(({ name }) => name)).not.toEqual(before.bill?.taxes.map(({ name }) => name));
});

test('a plan that changed or is not sold any more is not paid by its link', async () => {
  const { link } = await unpaid();
  const { catalog } = portal.portal;
  const changed = changedCatalog({ 'tax-lookup-api': { 'plans.growth.price': '2999' } });
  Object.assign(portal.portal, { catalog: readCatalog(changed) });
  try {
    expect(await read(link)).toEqual({ state: 'CHANGED', bill: null });
    expect((await order(link)).body).toMatchObject({ code: 'plan_changed' });
  } finally {
    Object.assign(portal.portal, { catalog });
  }
  expect(await state(link)).toBe('OPEN');
});

test('a payer who names an address gets the papers of that payment once, and the customer as ever', async () => {
  const { link, customerId } = await unpaid();
  const { body, reply } = await pay(link, 'accounts@payer.example');
  expect(reply.body).toEqual({ status: 'success' });
  await portal.send(calls.verifyByPayLink, { body });
  const mails = () =>
    portal.portal.db
      .selectFrom('mails')
      .select(['recipient', 'subject', 'document_id'])
      .where('customer_id', '=', customerId)
      .where('document_id', 'is not', null)
      .orderBy('recipient')
      .execute();
  const sent = await mails();
  expect(sent).toHaveLength(2);
  expect(sent.filter(({ recipient }) => recipient === 'accounts@payer.example')).toMatchObject([
    { subject: `Papers of your payment for ${sampleProfile.legalName}` },
  ]);
  expect(new Set(sent.map((mail) => mail.document_id)).size).toBe(1);
});

test('no link is made for what is paid, or not the customer’s', async () => {
  const [one, other] = [await unpaid(), await unpaid()];
  const { token, activationId } = one;
  const make = (cycleId: string) => {
    const body = { billingCycleIds: [cycleId], endsEarlier: false };
    return portal.send(calls.makePayLink, { params: { activationId }, body }, token);
  };
  expect((await make(other.cycleId)).body).toMatchObject({ code: 'not_found' });
  await portal.buy(one.token, one.cycleId);
  expect((await make(one.cycleId)).body).toMatchObject({ code: 'nothing_to_pay' });
});

test('neither the log nor an address has the signature of a link', async () => {
  const { link } = await unpaid();
  await read(link);
  const signature = link.split('.').at(-1) ?? '';
  expect(portal.logLines.join('')).toContain('/backend/pay-links/read');
  expect(portal.logLines.join('')).not.toContain(signature);
});
