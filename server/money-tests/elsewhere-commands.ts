import { sql } from 'kysely';
import { expect } from 'vitest';
import { z } from 'zod';
import { checkedRows } from '#platform/checked-rows.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { readSettlements } from '#server/features/settlements/read.ts';
import { carriedOut, type Model, type ModelPayment, wentBack } from './money-model.ts';
import { at, command } from './model-command.ts';
import { type Money, quiet } from './test-money.ts';

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
      wentBack(model, payment.order.cycles, paise);
      // A webhook about a refund has the portal carry out the others of its payment.
      if (from === 'webhook') carriedOut(payment);
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
      if (status === 'lost') {
        payment.lostPaise += dispute.paise;
        wentBack(model, payment.order.cycles, dispute.paise);
      } else payment.disputed = false;
    },
  );

/** Razorpay's fee of 2 %, and 18 % GST on it. */
function feeOf(paise: number): number {
  const charge = Math.round(paise / 50);
  return charge + Math.round((charge * 18) / 100);
}

const bankRow = z.object({ paise: z.number() });

/** The provider settles whatever it has, and the portal reads it: the bank account has exactly what is left of the payments. */
export const settleAtProvider = () =>
  command(
    'settle at the provider',
    (model) => model.payments.some(({ atProvider }) => atProvider === 'captured'),
    async (model, { money, customer }) => {
      const { portal } = money;
      await money.behave({ ...quiet, settlements: 'ok' });
      // Refused while the refunds of all customers exceed their payments: then everything waits.
      const { id } = await money.standin('POST', '/standin/settlements', {});
      await money.behave(quiet);
      for (const payment of model.payments) {
        if (id === undefined || payment.atProvider !== 'captured') continue;
        const held = payment.lostPaise + (payment.dispute?.paise ?? 0);
        payment.bankPaise = (await leftAtProvider(money, payment)) - feeOf(payment.paise) - held;
      }
      await readSettlements(portal);
      const found = await sql`
      select coalesce(sum(l.amount_paise), 0)::bigint as paise from ledger_lines l join ledger_entries e on e.id = l.entry_id
      where l.account = 'bank' and e.customer_id = ${customer.customerId}
    `.execute(portal.db);
      const known = model.payments.filter(({ knownState }) => knownState === 'cycle' || knownState === 'refund');
      const expected = known.reduce((sum, { bankPaise }) => sum + bankPaise, 0);
      expect(checkedRows(bankRow, found)).toEqual([{ paise: expected }]);
    },
  );
