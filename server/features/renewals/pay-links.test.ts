import { expect, test } from 'vitest';
import { orderByPayLink, makePayLink, readPayLink, verifyByPayLink } from '#shared/contract/pay-links.ts';
import { useRenewals } from './test-renewals.ts';

const { the, params, debits, untilDebits, move, goBefore, cycles } = useRenewals();

const read = (link: string) => the().portal.ask(readPayLink, { body: { link } });

test('a link takes no second money while its debit is at the bank, and the mail of a debit that failed has one that pays at once', async () => {
  const { portal, token, customerId } = the();
  await portal.behave({ mandates: { nextDebits: ['insufficient_funds'], retries: 0 } });
  await goBefore(5);
  await goBefore(4);
  await untilDebits('SENT');
  const [debit] = await debits().execute();
  const cycleId = debit?.cycle_id ?? '';
  const asked = { ...params(), body: { billingCycleIds: [cycleId], endsEarlier: false } };
  const own = new URL((await portal.ask(makePayLink, asked, token)).url).hash.slice(1);
  expect(await read(own)).toMatchObject({ state: 'DEBITED', bill: { lines: [{ planName: 'Growth' }] } });
  const order = await portal.send(orderByPayLink, { body: { link: own } });
  expect(order.body).toMatchObject({ status: 409, code: 'payment_under_way' });
  await move(1.1);
  await untilDebits('FAILED');
  const { body_text: text, subject } = await portal.portal.db
    .selectFrom('mails')
    .select(['body_text', 'subject'])
    .where('customer_id', '=', customerId)
    .where('subject', 'like', 'Renewal not paid%')
    .executeTakeFirstOrThrow();
  const [, link = ''] = /\/pay#(\S+)/.exec(text) ?? [];
  expect(link, subject).toBe(own);
  expect(text).toContain('No account is needed');
  expect(await read(link)).toMatchObject({ state: 'OPEN' });
  const { orderId } = await portal.ask(orderByPayLink, { body: { link } });
  const paid = await portal.pay(orderId, {});
  const body = {
    link,
    orderId,
    paymentId: String(paid['razorpay_payment_id']),
    signature: String(paid['razorpay_signature']),
    email: null,
  };
  expect(await portal.ask(verifyByPayLink, { body })).toEqual({ status: 'success' });
  expect(await read(link)).toEqual({ state: 'PAID', bill: null });
  expect((await cycles()).find(({ id }) => id === cycleId)).toMatchObject({ status: 'PAID' });
  await goBefore(2);
  expect((await debits().execute()).map(({ state }) => state)).toEqual(['FAILED']);
});
