import { pollList } from '#server/features/payments/provider-lists.ts';
import { type Model, type ModelPayment, wentBack } from './money-model.ts';
import { at, command } from './model-command.ts';
import type { Money } from './test-money.ts';

const settled = (model: Model) => model.payments.filter((each) => each.knownState === 'cycle');

/** How much of a payment the provider still has. */
async function leftAtProvider({ portal }: Money, payment: ModelPayment): Promise<number> {
  return payment.paise - ((await portal.razorpay.readPayment(payment.id)).amount_refunded ?? 0);
}

/** The portal learns of a refund or dispute made at the provider by webhook, or from the provider's list. */
async function hear(money: Money, from: 'webhook' | 'list', event: string, entity: Moved): Promise<void> {
  const what = event.includes('dispute') ? 'dispute' : 'refund';
  if (from === 'list') await pollList(money.portal, `${what}s`);
  else {
    const payment = { entity: { id: entity.payment_id, status: 'captured' } };
    await money.deliver(event, { [what]: { entity }, payment });
    await money.handleWebhooks();
  }
}

interface Moved {
  id: string;
  payment_id: string;
  status: string;
}

/** A refund on the provider's dashboard. */
export const refundElsewhere = (which: number, share: number, from: 'webhook' | 'list') =>
  command(
    `refund ${share} % of ${which} at the provider, reported by ${from}`,
    (model) => settled(model).length > 0,
    async (model, { money }) => {
      const payment = at(settled(model), which);
      const paise = Math.floor(((await leftAtProvider(money, payment)) * share) / 100);
      if (paise < 1 || payment.disputed) return;
      const { id } = await money.standin('POST', `/standin/payments/${payment.id}/refund`, { amount: paise });
      const refunded = { id: String(id), payment_id: payment.id, status: 'processed' };
      await hear(money, from, 'refund.processed', refunded);
      wentBack(model, payment.cycle, paise);
    },
  );

/** A bank disputes a payment. The provider holds the amount back; nothing is booked until the decision. */
export const openDispute = (which: number, share: number, from: 'webhook' | 'list') =>
  command(
    `dispute ${share} % of ${which}, reported by ${from}`,
    (model) => settled(model).length > 0,
    async (model, { money }) => {
      const payment = at(settled(model), which);
      const paise = Math.floor(((await leftAtProvider(money, payment)) * share) / 100);
      if (paise < 1 || payment.disputed) return;
      const { id } = await money.standin('POST', `/standin/payments/${payment.id}/dispute`, { amount: paise });
      // A disputed payment can no longer be refunded, so that the provider never pays out more than it has.
      payment.disputed = true;
      payment.dispute = { id: String(id), paise };
      const opened = { id: String(id), payment_id: payment.id, status: 'open' };
      await hear(money, from, 'payment.dispute.created', opened);
    },
  );

const disputed = (model: Model) =>
  model.payments.flatMap((payment) => (payment.dispute ? [{ payment, dispute: payment.dispute }] : []));

export const decideDispute = (
  which: number,
  status: 'under_review' | 'won' | 'lost' | 'closed',
  from: 'webhook' | 'list',
) =>
  command(
    `dispute ${which} is ${status}, reported by ${from}`,
    (model) => disputed(model).length > 0,
    async (model, { money }) => {
      const { payment, dispute } = at(disputed(model), which);
      await money.standin('POST', `/standin/disputes/${dispute.id}/${status}`, {});
      await hear(money, from, `payment.dispute.${status}`, { id: dispute.id, payment_id: payment.id, status });
      if (status === 'under_review') return;
      delete payment.dispute;
      if (status === 'lost') wentBack(model, payment.cycle, dispute.paise);
      else payment.disputed = false;
    },
  );
