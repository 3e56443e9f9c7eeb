import fc from 'fast-check';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { workOnRefund } from '#server/features/payments/money-back.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { readSettlements } from '#server/features/settlements/read.ts';
import { ProviderRefusal, ProviderUnavailable, type Razorpay } from '#server/razorpay/razorpay.ts';
import type { Model, ModelPayment } from './money-model.ts';
import { wentBack } from './payment-model.ts';
import { carriedOut } from './payment-model.ts';
import { at, command } from './model-command.ts';
import { refundableByOperator, refundByOperator, transferByHand, turnRefused } from './operator-commands.ts';
import { withoutResponses } from './test-elsewhere.ts';
import { type Money, quiet } from './test-money.ts';

const settled = (model: Model) => model.payments.filter((each) => each.knownState === 'cycle');

/** How much of a payment the provider still has. */
async function leftAtProvider({ portal }: Money, payment: ModelPayment): Promise<number> {
  return payment.paise - ((await portal.razorpay.readPayment(payment.id)).amount_refunded ?? 0);
}

/** The portal learns of a refund or dispute made at the provider by webhook, or from the provider's list. */
export async function hear(money: Money, from: 'webhook' | 'list', event: string, entity: Moved): Promise<void> {
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
      if (paise < 1) return;
      const { id } = await money.standin('POST', `/standin/payments/${payment.id}/refund`, { amount: paise });
      // Refused: more than six months after the payment, or below a rupee.
      if (typeof id !== 'string') return;
      const refunded = { id, payment_id: payment.id, status: 'processed' };
      await hear(money, from, 'refund.processed', refunded);
      wentBack(model, payment.order.cycles, paise);
      if (from === 'list') return;
      // A webhook about a refund has the portal carry out the others of its payment.
      await transferByHand(money, ({ paymentId }) => paymentId === payment.id);
      carriedOut(model, payment);
    },
  );

/** A bank disputes a payment. The provider holds the amount back; nothing is booked until the decision. */
export const openDispute = (which: number, share: number, from: 'webhook' | 'list') =>
  command(
    `dispute ${share} % of ${which}, reported by ${from}`,
    (model) => settled(model).length > 0,
    async (model, { money }) => {
      const payment = at(settled(model), which);
      if (payment.disputed) return;
      // A bank doesn't know what was refunded.
      const paise = Math.floor((payment.paise * share) / 100);
      const { id } = await money.standin('POST', `/standin/payments/${payment.id}/dispute`, { amount: paise });
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

const selectOpen = ({ portal }: Money) =>
  portal.db.selectFrom('refunds').select('id').where('status', '<>', 'PROCESSED');

const expectLost = (error: unknown): void => {
  if (!(error instanceof ProviderUnavailable)) throw error;
};

/**
 * Carries out every refund that is due, by the provider or by a transfer; a response that is lost leaves the portal without knowing it.
 */
export const carryOut = (isHeard: boolean) =>
  command(
    `carry out refunds${isHeard ? '' : ', and the responses are lost'}`,
    (model) => model.refundPaise > 0,
    async (model, { money, customer }) => {
      const due = await selectOpen(money).where('customer_id', '=', customer.customerId).execute();
      for (const { id } of due) {
        if (isHeard) await workOnRefund(money.portal, id);
        else await workOnRefund(withoutResponses(money), id).catch(expectLost);
      }
      await transferByHand(money, ({ customerId }) => customerId === customer.customerId);
      for (const payment of model.payments) carriedOut(model, payment);
      model.isUnheard = !isHeard && due.length > 0;
    },
  );

/**
 * After a promise, the provider refuses the refunds of a payment, the operator turns them into transfers, and the provider accepts those requests all the same:
 * before or after the transfers, or never.
 */
export const payByHand = (promise: ReturnType<typeof command>, which: number, late: 'before' | 'after' | 'never') =>
  command(
    `${promise.toString()}, transfer the refused refunds of ${which} by hand; the provider accepts them ${late}`,
    (model) => settled(model).length > 0,
    async (model, real) => {
      const { money } = real;
      const payment = at(settled(model), which);
      if (promise.check(model)) await promise.run(model, real);
      const { portal } = money;
      const requests: Parameters<Razorpay['createRefund']>[0][] = [];
      const createRefund: Razorpay['createRefund'] = (request) => {
        requests.push(request);
        return portal.razorpay.createRefund(request);
      };
      await money.behave({ ...quiet, refunds: 'insufficient-balance' });
      const due = await selectOpen(money).where('payment_id', '=', payment.id).execute();
      for (const { id } of due) await workOnRefund({ ...portal, razorpay: { ...portal.razorpay, createRefund } }, id);
      await money.behave({ ...quiet, refunds: 'ok' });
      await turnRefused(money, payment.id);
      const transfer = () => transferByHand(money, ({ paymentId }) => paymentId === payment.id);
      if (late !== 'before') await transfer();
      carriedOut(model, payment);
      if (late === 'never') return;
      const accepted = await Promise.all(
        requests.map((request) => portal.razorpay.createRefund(request).catch(asRefused)),
      );
      await pollList(portal, 'refunds');
      await transfer();
      // After its transfer, a refund by the provider is other money.
      if (late === 'after') for (const refund of accepted) wentBack(model, payment.order.cycles, refund?.amount ?? 0);
    },
  );

const asRefused = (error: unknown): undefined => {
  if (!(error instanceof ProviderRefusal)) throw error;
};

type Status = Parameters<typeof decideDispute>[1];
type StepBack =
  | { step: 'operator'; share: number }
  | { step: 'dashboard'; share: number; from: 'webhook' | 'list' }
  | { step: 'dispute'; share: number; from: 'webhook' | 'list' }
  | { step: 'decide'; status: Status; from: 'webhook' | 'list' }
  | { step: 'carry out'; isHeard: boolean }
  | { step: 'by hand'; share: number; late: 'before' | 'after' | 'never' };

/** What happens to the money of one payment. */
const share = fc.constantFrom(10, 50, 100);
const from = fc.constantFrom('webhook' as const, 'list' as const);
export const stepsBack = fc.array(
  fc.oneof(
    fc.record({ step: fc.constant('operator' as const), share }),
    fc.record({ step: fc.constant('dashboard' as const), share, from }),
    fc.record({ step: fc.constant('dispute' as const), share, from }),
    fc.record({
      step: fc.constant('decide' as const),
      status: fc.constantFrom<Status>('under_review', 'won', 'lost', 'lost', 'lost'),
      from,
    }),
    fc.record({ step: fc.constant('carry out' as const), isHeard: fc.boolean() }),
    fc.record({
      step: fc.constant('by hand' as const),
      share,
      late: fc.constantFrom('before' as const, 'after' as const, 'never' as const),
    }),
  ),
  { minLength: 3, maxLength: 7, size: 'max' },
);

/** Promised refunds, refunds at the provider, a dispute, lost responses and transfers of one payment, in any order. */
export const backAndForth = (which: number, steps: readonly StepBack[]) =>
  command(
    `of payment ${which}: ${JSON.stringify(steps)}`,
    (model) => settled(model).length > 0,
    async (model, real) => {
      const payment = at(settled(model), which);
      for (const each of steps) {
        const next = commandOf(model, payment, which, each);
        if (next.check(model)) await next.run(model, real);
      }
    },
  );

function commandOf(model: Model, payment: ModelPayment, which: number, each: StepBack) {
  const [cycle] = payment.order.cycles;
  const place = refundableByOperator(model).findIndex((one) => one === cycle);
  const dispute = disputed(model).findIndex((one) => one.payment === payment);
  const promise = (percent: number) => refundByOperator(place === -1 ? which : place, percent);
  if (each.step === 'operator') return promise(each.share);
  if (each.step === 'dashboard') return refundElsewhere(which, each.share, each.from);
  if (each.step === 'dispute') return openDispute(which, each.share, each.from);
  if (each.step === 'decide') return decideDispute(dispute === -1 ? which : dispute, each.status, each.from);
  if (each.step === 'by hand') return payByHand(promise(each.share), which, each.late);
  return carryOut(each.isHeard);
}

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
      where l.account = 'bank' and e.kind = 'SETTLED' and e.customer_id = ${customer.customerId}
    `.execute(portal.db);
      const known = model.payments.filter(({ knownState }) => knownState === 'cycle' || knownState === 'refund');
      const expected = known.reduce((sum, { bankPaise }) => sum + bankPaise, 0);
      expect(checkedRows(bankRow, found)).toEqual([{ paise: expected }]);
    },
  );
