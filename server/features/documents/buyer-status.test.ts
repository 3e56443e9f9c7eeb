import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Profile, readAccount, updateProfile } from '#shared/contract/account.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { correctInvoice } from '#shared/contract/documents.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import { readProfile } from '#server/features/account/account.ts';
import { cancelEInvoice } from '#server/features/refunds/refunds.ts';
import { changeGstin, previewGstin, previewInvoiceCorrection } from '#server/features/customers/corrections.ts';
import { sampleProfile, type TestPortal } from '#server/test/portal.ts';
import { finishDocumentJob } from './finish.ts';
import { newBuyer } from './test-buyer.ts';
import { invoicedBuyer, startPortalWithGstn } from './test-e-invoices.ts';

let portal: TestPortal;
let gstn: Awaited<ReturnType<typeof startPortalWithGstn>>;

beforeAll(async () => {
  gstn = await startPortalWithGstn();
  ({ portal } = gstn);
});
afterAll(() => gstn.close());

const behave = (behaviour: object) => gstn.behave(behaviour);

/** How many payments went on although the buyer's GSTIN could not be checked. */
const uncheckedBuyers = () =>
  portal.logLines.filter((line) => line.includes('the GSTIN of a buyer could not be checked')).length;

/** A buyer with this profile who wants to pay for a cycle. */
async function withCycle(profile: Partial<Profile>) {
  const buyer = await newBuyer(portal, profile);
  const { activationId, token } = buyer;
  const params = { activationId, planId: 'growth' };
  const body = { startDate: buyer.today() };
  const { billingCycleId: id = '' } = await portal.ask(addCycle, { params, body }, token);
  const order = async () => {
    const { status, body: reply } = await portal.send(createOrder, { params: { id } }, token);
    return { status, body: reply };
  };
  const cycle = async () => {
    const { activations } = await portal.ask(listActivations, {}, token);
    return activations[0]?.billingCycles.find((each) => each.id === id);
  };
  const orders = () => portal.portal.db.selectFrom('payment_orders').select('id').where('cycle_id', '=', id).execute();
  return { ...buyer, order, orders, cycle };
}

const cancelled = { gstin: '07ZZZCA0001A1Z6', ...placeIn('07') };
const suspended = { gstin: '33ZZZCA0001A1ZB', ...placeIn('33') };
const unknown = { gstin: '36ZZZCA0001A1Z5', ...placeIn('36') };

test.each([
  ['a cancelled GSTIN', cancelled, 'gstin_not_active'],
  ['a suspended GSTIN', suspended, 'gstin_not_active'],
  ['a GSTIN that the GST portal does not know', unknown, 'gstin_unknown'],
])('%s is refused before the payment, and the plan waits until the profile is corrected', async (_, profile, code) => {
  const buyer = await withCycle(profile);
  expect(await buyer.order()).toMatchObject({ status: 409, body: { code } });
  expect(await buyer.orders()).toEqual([]);
  expect(await buyer.cycle()).toMatchObject({ status: 'PAYMENT_PENDING' });
  await portal.ask(updateProfile, { body: { ...sampleProfile, gstin: '29ZZZCA0001A1Z0' } }, buyer.token);
  expect(await buyer.order()).toMatchObject({ status: 200 });
});

test.each([
  ['a cancelled GSTIN', cancelled, 'gstin_not_active'],
  ['a GSTIN that the GST portal does not know', unknown, 'gstin_unknown'],
])('no invoice is corrected to %s, nor cancelled for one to it', async (_, profile, code) => {
  const { db } = portal.portal;
  const { buyer, invoice } = await invoicedBuyer(portal, { gstin: '29ZZZCA0001A1Z0' });
  await finishDocumentJob(portal.portal, invoice.id);
  const { user } = await portal.ask(readAccount, {}, buyer.token);
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...profile } }, buyer.token);
  const params = { documentId: invoice.id };
  expect(await portal.send(correctInvoice, { params }, buyer.token)).toMatchObject({ status: 409, body: { code } });
  const by = { actor: 'asha', reason: 'Wrong buyer' };
  await expect(previewInvoiceCorrection(portal.portal, invoice.number, by)).rejects.toThrow(/GSTIN/);
  await expect(cancelEInvoice(portal.portal, invoice.number, 'other', by)).rejects.toThrow(/is not active/);
  expect(await buyer.documents()).toMatchObject([
    { number: invoice.number, irn: expect.any(String), cancelled: false },
  ]);
  // Nor does the operator's command put it in the business details.
  await portal.ask(updateProfile, { body: { ...sampleProfile, ...profile, gstin: null } }, buyer.token);
  await expect(changeGstin(portal.portal, user.id, profile.gstin, by)).rejects.toThrow(/The GST portal/);
  expect(await readProfile({ customerId: user.id }, db)).toMatchObject({ gstin: null });
});

test('an invoice is corrected to the business details of the moment in which its correction is written', async () => {
  const { db } = portal.portal;
  /** Has business details saved while a correction waits for the activation. */
  const whileWaiting = async (first: Partial<Profile>, then: Partial<Profile>) => {
    const { buyer, invoice } = await invoicedBuyer(portal, { gstin: '29ZZZCA0001A1Z0' });
    const save = (profile: Partial<Profile>) =>
      portal.ask(updateProfile, { body: { ...sampleProfile, ...profile } }, buyer.token);
    await save(first);
    const tx = await db.startTransaction().execute();
    await tx.selectFrom('activations').select('id').where('id', '=', buyer.activationId).forUpdate().execute();
    const correcting = portal.send(correctInvoice, { params: { documentId: invoice.id } }, buyer.token);
    await expect.poll(() => countWaiting(db), { timeout: 60_000 }).toBe(1);
    await save(then);
    await tx.commit().execute();
    const { status, body } = await correcting;
    const amended = await db.selectFrom('amendments').select('content').where('document_id', '=', invoice.id).execute();
    return { status, body, names: amended.map(({ content }) => content.recipient.name) };
  };
  const one = { gstin: '29ZZZCA0001A1Z0', legalName: 'Kaveri One' };
  const renamed = await whileWaiting(one, { ...one, legalName: 'Kaveri Two' });
  expect(renamed).toMatchObject({ status: 200, names: ['Kaveri Two'] });
  const moved = await whileWaiting(one, cancelled);
  expect(moved).toMatchObject({ status: 409, body: { code: 'gstin_not_active' }, names: [] });
});

test('the operator does not change the GSTIN of a buyer who claims to be in an SEZ', async () => {
  const { db } = portal.portal;
  const { buyer } = await invoicedBuyer(portal, { gstin: '29ZZZCA0001A1Z0', sez: true });
  const { user } = await portal.ask(readAccount, {}, buyer.token);
  const by = { actor: 'asha', reason: 'Another unit' };
  for (const gstin of ['26ZZZCA0001A1Z6', null]) {
    await expect(previewGstin(portal.portal, user.id, gstin)).rejects.toThrow(/Special Economic Zone/);
    await expect(changeGstin(portal.portal, user.id, gstin, by)).rejects.toThrow(/Special Economic Zone/);
  }
  expect(await readProfile({ customerId: user.id }, db)).toMatchObject({ gstin: '29ZZZCA0001A1Z0', sez: true });
});

test('a GSTIN that the invoice portal does not know yet is synchronised with the GST portal first', async () => {
  await behave({ master: 'stale' });
  const buyer = await withCycle({ gstin: '27ZZZFA0003C2ZR', ...placeIn('27') });
  expect(await buyer.order()).toMatchObject({ status: 200 });
});

test.each([['down'], ['unreadable'], ['error-500'], ['slow']])(
  'while the check is %s, the payment goes on without it',
  async (master) => {
    await behave({ master, slowMs: 60_000 });
    const buyer = await withCycle(cancelled);
    const before = uncheckedBuyers();
    expect(await buyer.order()).toMatchObject({ status: 200 });
    expect(uncheckedBuyers()).toBe(before + 1);
    await behave({});
  },
);

test('an active GSTIN is asked for once in six hours, and a consumer not at all', async () => {
  await behave({});
  const gstin = { gstin: '26ZZZCA0001A1Z6', ...placeIn('26') };
  expect(await (await withCycle(gstin)).order()).toMatchObject({ status: 200 });
  await behave({ master: 'slow', slowMs: 60_000 });
  const before = uncheckedBuyers();
  expect(await (await withCycle(gstin)).order()).toMatchObject({ status: 200 });
  expect(await (await withCycle({})).order()).toMatchObject({ status: 200 });
  expect(uncheckedBuyers()).toBe(before);
});
