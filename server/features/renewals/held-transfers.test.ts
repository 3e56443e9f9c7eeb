import { expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/account.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { addDays } from '#shared/domain/day.ts';
import { businessProfile } from '#server/money-tests/test-tds.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { useRenewals } from './test-renewals.ts';

const { the, params, untilDebits, move, sentToBank, running, add } = useRenewals();

const end = async () => (await running())?.toDate ?? '';

test('a transfer that is held while a debit is at the bank pays for none of its days until that has a result', async () => {
  const { portal, token, customerId } = the();
  await portal.ask(updateProfile, { body: businessProfile }, token);
  const id = await add(await end());
  const both = { billingCycleIds: [id, await add(addDays(await end(), 30))] };
  await portal.ask(payByTransfer, { ...params(), body: both }, token);
  // The customer's later word.
  await portal.ask(createOrder, { params: { id } }, token);
  await sentToBank();
  const account = await portal.portal.db
    .selectFrom('virtual_accounts')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  // Both periods, less what may be tax.
  await portal.standin('POST', `/standin/virtual_accounts/${account.id}/credit`, { amount: 274_400 });
  const held = () =>
    portal.portal.db
      .selectFrom('payments')
      .select('provider_payment_id')
      .where('use', '=', 'HELD')
      .where('customer_id', '=', customerId)
      .execute();
  await expect.poll(held).toHaveLength(1);
  const [payment] = await held();
  const cause = { actor: 'asha', reason: 'The bank confirmed it' };
  const of = { paymentId: payment?.provider_payment_id ?? '' };
  const settling = () => actAsOperator(portal.portal, 'finance', 'settleTransfer', of, cause);
  await expect(settling()).rejects.toThrow('A debit that is at the bank may pay for these days');
  await move(1.1);
  await untilDebits('PAID');
  await expect(settling()).rejects.toThrow('It can’t pay any more');
  await actAsOperator(portal.portal, 'finance', 'refundTransfer', of, cause);
  const refunds = portal.portal.db
    .selectFrom('refunds')
    .select(['payment_id', 'amount_paise'])
    .where('customer_id', '=', customerId);
  expect(await refunds.execute()).toEqual([{ payment_id: of.paymentId, amount_paise: 274_400 }]);
});
