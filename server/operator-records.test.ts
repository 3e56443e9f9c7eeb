import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import type { OperatorInput, OperatorReply, ReadName } from '#shared/contract/operator/calls.ts';
import { createSupportThread } from '#shared/contract/support.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { dayOf, startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, monthBefore, monthOf } from '#shared/domain/month.ts';
import { newBuyer } from './features/documents/test-buyer.ts';
import { nextId, writeBatch } from './features/request-log/test-log.ts';
import { useUnits } from './features/usage/test-units.ts';
import { actAsOperator, readAsOperator } from './operator-calls.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const cause = { actor: 'asha', reason: 'A test' };
const ask = <Name extends ReadName>(name: Name, input: OperatorInput<Name>): Promise<OperatorReply<Name>> =>
  readAsOperator(portal.portal, 'read-only', name, input);

/** A customer with two plans, of which one was extended and a part of the other refunded, a webhook, a key and two threads. */
async function newWorld() {
  const buyer = await newBuyer(portal);
  const { token, activationId } = buyer;
  const { id: customerId, name } = (await portal.ask(readAccount, {}, token)).user;
  const running = await buyer.buy(0);
  const waiting = await buyer.buy(30);
  await actAsOperator(portal.portal, 'owner', 'refundPayment', { of: running, amount: 250 }, cause);
  await actAsOperator(portal.portal, 'owner', 'extendCycle', { cycleId: waiting, days: 3 }, cause);
  const webhook = { url: 'https://1.1.1.1/hook?token=s3cret', events: ['payment.failed'] as const };
  const { secret } = await portal.ask(createWebhook, { body: { ...webhook, events: [...webhook.events] } }, token);
  const key = { params: { activationId }, body: { keyName: 'a', isTest: false } };
  const { id: keyId } = await portal.ask(createApiKey, key, token);
  for (const subject of ['One', 'Two'])
    await portal.ask(createSupportThread, { body: { subject, message: 'Hello', activationId: null } }, token);
  return { ...buyer, customerId, name, running, waiting, secret, keyId };
}

/** The ids of a list, asked for page by page. */
async function walk(read: (after: string | undefined) => Promise<{ ids: string[]; next: string | null }>) {
  const ids: string[] = [];
  for (let after: string | undefined, pages = 0; pages < 100; pages += 1) {
    const page = await read(after);
    expect(page.ids.length).toBeLessThanOrEqual(1);
    ids.push(...page.ids);
    if (page.next === null) return ids;
    after = page.next;
  }
  throw new Error('the list does not end');
}

test('operators list the payments of all customers, by state and by Indian month', async () => {
  const one = await newWorld();
  const other = await newWorld();
  const { db, clock } = portal.portal;
  const { payments: whole } = await ask('listPayments', { limit: 1000 });
  const paid = whole.filter(({ customerId }) => [one.customerId, other.customerId].includes(customerId));
  expect(paid).toHaveLength(4);
  expect(new Set(paid.map(({ customer }) => customer))).toEqual(new Set([one.name, other.name]));
  const [moved, ...rest] = paid.map(({ id }) => id);
  const month = monthOf(dayOf(clock()));
  const lastMoment = new Date(startOfDay(firstDayOf(month)) - 1);
  await sql`update payments set created_at = ${lastMoment} where provider_payment_id = ${moved}`.execute(db);
  const idsOf = async (input: Omit<OperatorInput<'listPayments'>, 'limit'>) => {
    const { payments } = await ask('listPayments', { ...input, limit: 1000 });
    return payments.map(({ id }) => id);
  };
  expect(await idsOf({ month })).toEqual(expect.arrayContaining(rest));
  expect(await idsOf({ month })).not.toContain(moved);
  expect(await idsOf({ month: monthBefore(month), status: 'captured' })).toEqual([moved]);
  expect(await idsOf({ status: 'failed' })).toEqual([]);
});

test('operators read the plans, payments, refunds, documents and mails of a customer, whole or page by page', async () => {
  const { customerId, running, waiting } = await newWorld();
  await newWorld();
  await useUnits(portal.portal.db, running, dayOf(portal.portal.clock()), 7);
  const { cycles } = await ask('listCycles', { customerId });
  const [extension, ...sold] = cycles.filter(({ planName }) => planName === 'Growth');
  expect(extension).toMatchObject({ granted: 'A test', price: 0, used: null });
  expect(sold).toMatchObject([
    { id: waiting, status: 'PAID', price: 1499, used: null },
    { id: running, status: 'PAID', used: { today: 7, inAll: 7 } },
  ]);
  const { payments } = await ask('listPayments', { customerId });
  // Both may be of the same second, which is what Razorpay says.
  expect(new Map(payments.map(({ cycleId, refunded }) => [cycleId, refunded]))).toEqual(
    new Map([
      [waiting, 0],
      [running, 250],
    ]),
  );
  const { refunds } = await ask('listRefunds', { customerId });
  expect(refunds).toMatchObject([{ cycleId: running, amount: 250, origin: 'OPERATOR', reason: 'A test' }]);
  const { documents } = await ask('listDocuments', { customerId });
  expect(documents.map(({ kind }) => kind).toSorted()).toEqual(['CREDIT_NOTE', 'INVOICE', 'RECEIPT_VOUCHER']);
  const { mails } = await ask('listMails', { customerId });
  expect(mails.length).toBeGreaterThan(3);

  expect(
    await walk(async (after) => {
      const { cycles: page, next } = await ask('listCycles', { customerId, limit: 1, after });
      return { ids: page.map(({ id }) => id), next };
    }),
  ).toEqual(cycles.map(({ id }) => id));
  expect(
    await walk(async (after) => {
      const { payments: page, next } = await ask('listPayments', { customerId, limit: 1, after });
      return { ids: page.map(({ id }) => id), next };
    }),
  ).toEqual(payments.map(({ id }) => id));
  expect(
    await walk(async (after) => {
      const { documents: page, next } = await ask('listDocuments', { customerId, limit: 1, after });
      return { ids: page.map(({ id }) => id), next };
    }),
  ).toEqual(documents.map(({ id }) => id));
  expect(
    await walk(async (after) => {
      const { mails: page, next } = await ask('listMails', { customerId, limit: 1, after });
      return { ids: page.map(({ id }) => id), next };
    }),
  ).toEqual(mails.map(({ id }) => id));
  const nowhere = { customerId, limit: 1, after: 'nonsense' };
  for (const list of ['listCycles', 'listPayments', 'listRefunds', 'listDocuments', 'listMails'] as const)
    await expect(ask(list, nowhere), list).rejects.toThrow('The list can’t go on after nonsense: it has no such row.');
});

test('the audit log and threads have pages, of one customer or of all', async () => {
  const { customerId } = await newWorld();
  const { actions } = await ask('listActions', { customerId });
  expect(actions.map(({ action }) => action)).toEqual(['plans.extend', 'payments.refund']);
  expect(
    await walk(async (after) => {
      const { actions: page, next } = await ask('listActions', { customerId, limit: 1, after });
      return { ids: page.map(({ action }) => action), next };
    }),
  ).toEqual(['plans.extend', 'payments.refund']);
  const { threads } = await ask('listThreads', { customerId });
  expect(threads.map(({ subject }) => subject)).toEqual(['One', 'Two']);
  expect(
    await walk(async (after) => {
      const { threads: page, next } = await ask('listThreads', { customerId, limit: 1, after });
      return { ids: page.map(({ subject }) => subject), next };
    }),
  ).toEqual(['One', 'Two']);
  for (const name of ['listActions', 'listThreads'] as const)
    await expect(ask(name, { after: 'nowhere' })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('an operator reads why a call failed, and a mail without the links that work without a sign-in', async () => {
  const { customerId, activationId, keyId } = await newWorld();
  const requestId = nextId();
  const at = portal.portal.clock();
  await writeBatch(portal, [{ requestId, at, status: 429, reason: 'refused' }], activationId, keyId);
  const { requests, customerId: whose } = await ask('readRequests', { activationId, status: '4xx' });
  expect({ whose, requests }).toMatchObject({ whose: customerId, requests: [{ requestId, status: 429 }] });
  expect(requests[0]?.why).not.toBeNull();
  expect((await ask('readRequests', { activationId, status: '5xx' })).requests).toEqual([]);
  const { mails } = await ask('listMails', { customerId });
  for (const { id } of mails) {
    const mail = await ask('readMail', { mailId: id });
    expect(mail.customerId).toBe(customerId);
    expect(mail.text).not.toMatch(/https?:/);
    expect(mail.text.length).toBeGreaterThan(20);
  }
});

test('an operator learns of calls that the log counts and doesn’t list', async () => {
  const { activationId, keyId } = await newWorld();
  const at = portal.portal.clock();
  const calls = [{ requestId: nextId(), at, status: 429, reason: 'refused' as const }];
  await writeBatch(portal, calls, activationId, keyId, { 'quota-exceeded/second': 40 });
  expect(await ask('readRequests', { activationId })).toMatchObject({
    requests: [{ status: 429 }],
    unlogged: [],
    unlisted: [{ day: dayOf(at), calls: 40 }],
  });
});

test('no secret of a webhook is in what an operator reads, and nobody’s customer is not found', async () => {
  const { customerId, secret } = await newWorld();
  const found = await ask('listWebhooks', { customerId });
  expect(found.webhooks).toMatchObject([{ url: 'https://1.1.1.1/hook?…', failures: [], disabledAt: null }]);
  for (const text of [secret, 's3cret']) expect(JSON.stringify(found)).not.toContain(text);
  const nobody = { customerId: 'CUS-nobody' };
  for (const name of [
    'listCycles',
    'listPayments',
    'listRefunds',
    'listDocuments',
    'listMails',
    'listWebhooks',
  ] as const)
    await expect(ask(name, nobody), name).rejects.toMatchObject({ code: 'not_found' });
  await expect(ask('readMail', { mailId: 'MSG-none' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(ask('readRequests', { activationId: 'ACT-none' })).rejects.toMatchObject({ code: 'not_found' });
});
