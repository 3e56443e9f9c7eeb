import { expect, test } from 'vitest';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
import { addDays } from '#shared/domain/day.ts';
import { useRenewals } from './test-renewals.ts';

const { the, params, renewal, cycles, debits, mandate, add, untilDebits, move, goBefore, today } = useRenewals(
  undefined,
  undefined,
  'card',
);

test('a plan that was paid by card, with the consent, is debited from the card', async () => {
  expect((await renewal()).mandate).toMatchObject({ method: 'card', state: 'IN_FORCE', ceiling: 1874 });
  await goBefore(5);
  await goBefore(4);
  await untilDebits('SENT');
  await move(2);
  await untilDebits('PAID');
  const [running, next] = await cycles();
  expect(next).toMatchObject({ status: 'PAID', fromDate: running?.toDate });
  const [debit] = await debits().execute();
  const payment = await the().portal.portal.razorpay.readPayment(debit?.payment_id ?? '');
  expect(payment).toMatchObject({ method: 'card', status: 'captured' });
});

test('nobody confirms a debit by card: a consent with a PIN each time is by UPI only, for the database too', async () => {
  const { portal, token } = the();
  const billingCycleIds = [await add(addDays(today(), 30))];
  const body = { billingCycleIds, renewal: { pinEachTime: true, method: 'card' as const } };
  const refused = await portal.send(createOrderOfPeriods, { ...params(), body }, token);
  expect(refused.body).toMatchObject({ status: 400, code: 'invalid_request' });
  const given = await mandate();
  const forged = { ...given, id: 'MAN-forged', token_id: null, state: 'ASKED' as const, confirmed_at: null };
  const inserted = portal.portal.db.insertInto('mandates').values({ ...forged, pin_each_time: true });
  await expect(inserted.execute()).rejects.toThrow('mandates_card_check');
});
