import { leastDuePaise } from '#shared/domain/pay-later.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { hear } from './elsewhere-commands.ts';
import { at } from './model-command.ts';
import { act, byOperator, cause, cyclesOf, type Life, payInCheckout, paymentsOf } from './renewal-life.ts';
import { quiet } from './test-money.ts';

/** The bills of what was sold on credit terms, the oldest first; of `owedPaise` at least is owed. */
export const billsOf = ({ money, customer }: Life, owedPaise: number) =>
  money.portal.db
    .selectFrom('credit_bills')
    .innerJoin('cycles', 'cycles.id', 'credit_bills.cycle_id')
    .selectAll('credit_bills')
    .select(['cycles.activation_id', 'cycles.price_paise'])
    .where('credit_bills.customer_id', '=', customer.customerId)
    .where('owed_paise', '>=', owedPaise)
    .orderBy('billed_on')
    .orderBy('cycle_id')
    .execute();

/** Whatever can be paid: subscriptions that wait for it, and bills, also of an activation that was deleted. */
export async function unpaidOf(life: Life): Promise<{ id: string; activationId: string; owedPaise?: number }[]> {
  const waiting = (await cyclesOf(life)).filter(({ status }) => status === 'PAYMENT_PENDING');
  const bills = await billsOf(life, leastDuePaise);
  return [
    ...waiting.map(({ id, activation_id: activationId }) => ({ id, activationId })),
    ...bills.map((bill) => ({ id: bill.cycle_id, activationId: bill.activation_id, owedPaise: bill.owed_paise })),
  ];
}

type Checkout = Parameters<typeof payInCheckout>[2];

export const pay = (which: number, how: Checkout) =>
  act(`pay ${which} ${JSON.stringify(how)}`, async (life) => {
    const unpaid = await unpaidOf(life);
    if (unpaid.length === 0) return;
    const { id, activationId } = at(unpaid, which);
    await payInCheckout(life, [id], how, activationId);
  });

/** A payment that the bank has not decided, or has failed, is decided by it. */
export const decide = (which: number, how: 'authorize' | 'fail' | 'skip') =>
  act(`the bank decides ${which}: ${how}`, async (life) => {
    const open = (await paymentsOf(life)).filter(({ status }) => status !== 'captured');
    if (open.length > 0)
      await life.money.standin('POST', `/standin/payments/${at(open, which).provider_payment_id}/${how}`, {});
  });

export const bank = (...nextDebits: string[]) =>
  act(`the bank says next: ${nextDebits.join(', ')}`, (life) =>
    life.money.behave({ ...quiet, mandates: { nextDebits, retries: 0 } }),
  );

const usedOf = async (life: Life) => (await paymentsOf(life)).filter(({ use }) => use === 'CYCLE' || use === 'DUE');

/** Of one payment that pays for a period, or a bill; or of the promise for which it was sold. */
const ofUsed = (name: string, which: number, run: (life: Life, paymentId: string, paise: number) => Promise<unknown>) =>
  act(`${name} ${which}`, async (life) => {
    const used = await usedOf(life);
    if (used.length === 0) return;
    const { provider_payment_id: id, amount_paise: paise } = at(used, which);
    await run(life, id, paise);
  });

export const refundByOperator = (which: number, amount: number | undefined) =>
  ofUsed(`an operator refunds ${amount ?? 'all'} of payment`, which, ({ money }, of) =>
    byOperator(() =>
      actAsOperator(money.portal, 'owner', 'refundPayment', { of, ...(amount !== undefined && { amount }) }, cause),
    ),
  );

export const refundOnDashboard = (which: number, share: number, from: 'webhook' | 'list' | 'nothing') =>
  ofUsed(`on the dashboard, heard by ${from}, refund ${share} % of payment`, which, async ({ money }, id, paise) => {
    const amount = Math.floor((paise * share) / 100);
    const made = await money.standin('POST', `/standin/payments/${id}/refund`, { amount });
    if (typeof made['id'] !== 'string' || from === 'nothing') return;
    await hear(money, from, 'refund.processed', { id: made['id'], payment_id: id, status: 'processed' });
  });

export const dispute = (which: number, status: 'open' | 'won' | 'lost', from: 'webhook' | 'list') =>
  ofUsed(`heard by ${from}, dispute ${status} of payment`, which, async ({ money }, id) => {
    const opened = await money.standin('POST', `/standin/payments/${id}/dispute`, {});
    if (typeof opened['id'] !== 'string') return;
    const entity = { id: opened['id'], payment_id: id, status: 'open' };
    await hear(money, from, 'payment.dispute.created', entity);
    if (status === 'open') return;
    await money.standin('POST', `/standin/disputes/${entity.id}/${status}`, {});
    await hear(money, from, `payment.dispute.${status}`, { ...entity, status });
  });

export const decideDispute = (status: 'won' | 'lost') =>
  act(`the open dispute is ${status}`, async ({ money, customer }) => {
    const open = await money.portal.db
      .selectFrom('disputes')
      .select(['provider_dispute_id', 'payment_id'])
      .where('customer_id', '=', customer.customerId)
      .where('status', 'in', ['open', 'under_review'])
      .executeTakeFirst();
    if (!open) return;
    const { provider_dispute_id: id, payment_id: paymentId } = open;
    await money.standin('POST', `/standin/disputes/${id}/${status}`, {});
    await hear(money, 'webhook', `payment.dispute.${status}`, { id, payment_id: paymentId, status });
  });

/** The provider tells of any payment, perhaps again or long after. */
export const tell = (which: number) =>
  act(`the provider tells of payment ${which}`, async (life) => {
    // It knows nothing of a transfer to the own account, or of a promise.
    const payments = (await paymentsOf(life)).filter(({ provider_payment_id: id }) => !/^TR[FM]-/.test(id));
    if (payments.length === 0) return;
    const { provider_payment_id: id } = at(payments, which);
    const { status } = await life.money.portal.razorpay.readPayment(id);
    await life.money.deliver(`payment.${status}`, { payment: { entity: { id, status } } });
    await life.money.handleWebhooks();
  });
