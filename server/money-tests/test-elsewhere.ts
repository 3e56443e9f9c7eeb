import { sql } from 'kysely';
import { z } from 'zod';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Portal } from '#server/portal.ts';
import { ProviderUnavailable, type Razorpay } from '#server/razorpay/razorpay.ts';
import type { sampleProfile } from '#server/test/portal.ts';
import type { Money } from './test-money.ts';

/** A portal whose requests of refunds reach the provider while the responses are lost. */
export function withoutResponses({ portal }: Money): Portal {
  const { razorpay } = portal;
  const createRefund: Razorpay['createRefund'] = async (refund) => {
    await razorpay.createRefund(refund);
    throw new ProviderUnavailable('The response was lost');
  };
  return { ...portal, razorpay: { ...razorpay, createRefund } };
}

/** Price of the plan, in paise. */
export const price = 149_900;

/** Payments that are refunded or disputed at the provider itself, and the portal's state of them. */
export function startElsewhere(money: Money) {
  /** A payment that the provider has captured for a cycle that starts `inDays` days from today; the portal does not know of it. */
  async function captured(inDays = 0, profile?: typeof sampleProfile) {
    const customer = await money.newCustomer(profile);
    const first = { params: { id: 'tax-lookup-api', planId: inDays === 0 ? 'growth' : 'free' } };
    const { activationId, billingCycleId } = await money.ask(activatePlan, first, customer.token);
    const startDate = addDays(dayOf(money.portal.clock()), 30 + inDays);
    const later = { params: { activationId, planId: 'growth' }, body: { startDate } };
    const cycleId =
      (inDays === 0 ? billingCycleId : (await money.ask(addCycle, later, customer.token)).billingCycleId) ?? '';
    const { orderId } = await money.ask(createOrder, { params: { id: cycleId } }, customer.token);
    const body = await money.checkOut(orderId);
    const { paymentId } = body;
    const verify = () => money.ask(verifyPayment, { body }, customer.token);
    const end = () => money.ask(endCycle, { params: { activationId, billingCycleId: cycleId } }, customer.token);
    return { ...customer, activationId, cycleId, paymentId, verify, end };
  }

  type Paid = Awaited<ReturnType<typeof captured>>;

  /** The same, settled as a paid cycle. */
  async function paid(inDays = 0, profile?: typeof sampleProfile): Promise<Paid> {
    const one = await captured(inDays, profile);
    await one.verify();
    return one;
  }

  /** A refund on the provider's dashboard; the whole remaining amount by default. */
  async function refundOnDashboard({ paymentId }: Pick<Paid, 'paymentId'>, amount?: number): Promise<string> {
    const body = amount === undefined ? {} : { amount };
    return String((await money.standin('POST', `/standin/payments/${paymentId}/refund`, body))['id']);
  }

  const deliverRefundWebhook = async (
    { paymentId }: Pick<Paid, 'paymentId'>,
    id: string,
    event = 'refund.processed',
  ) => {
    await money.deliver(event, {
      refund: { entity: { id, payment_id: paymentId, status: 'processed' } },
      payment: { entity: { id: paymentId, status: 'captured' } },
    });
    await money.handleWebhooks();
  };

  async function state({ cycleId, paymentId }: Paid) {
    const { db } = money.portal;
    const cycle = await db.selectFrom('cycles').select('status').where('id', '=', cycleId).executeTakeFirstOrThrow();
    const refunds = await db
      .selectFrom('refunds')
      .select(['origin', 'status', 'amount_paise', 'covers_paise', 'covered_paise'])
      .where('payment_id', '=', paymentId)
      .orderBy('origin')
      .orderBy('amount_paise')
      .execute();
    const documents = await db
      .selectFrom('documents')
      .select(['kind', 'total_paise'])
      .where('cycle_id', '=', cycleId)
      .orderBy('issued_at')
      .execute();
    return {
      cycle: cycle.status,
      refunds: refunds.map((each) => [
        each.origin,
        each.status,
        each.amount_paise,
        each.covers_paise,
        each.covered_paise,
      ]),
      documents: documents.map((each) => [each.kind, each.total_paise]),
    };
  }

  /** Our refund of a payment that is not done. */
  async function openRefund({ paymentId }: Paid): Promise<string> {
    const { id } = await money.portal.db
      .selectFrom('refunds')
      .select('id')
      .where('payment_id', '=', paymentId)
      .where('foreign_id', 'is', null)
      .where('status', '<>', 'PROCESSED')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** How much of a payment the provider has refunded. */
  async function atProvider({ paymentId }: Paid): Promise<number> {
    return (await money.portal.razorpay.readPayment(paymentId)).amount_refunded ?? 0;
  }

  /** The customer’s bank disputes a payment. */
  async function dispute(one: Pick<Paid, 'paymentId'>, amount?: number, phase = 'chargeback'): Promise<string> {
    const body = { phase, ...(amount === undefined ? {} : { amount }) };
    return String((await money.standin('POST', `/standin/payments/${one.paymentId}/dispute`, body))['id']);
  }

  /** A dispute goes on, and a webhook says so. */
  async function moveDispute(one: Pick<Paid, 'paymentId'>, id: string, status: string): Promise<void> {
    const entity = await money.standin('POST', `/standin/disputes/${id}/${status}`, {});
    await money.deliver(`payment.dispute.${status}`, {
      payment: { entity: { id: one.paymentId, status: 'captured' } },
      dispute: { entity: { id, payment_id: one.paymentId, status, ...entity } },
    });
    await money.handleWebhooks();
  }

  /** The balances of the accounts over the entries of one payment. */
  async function balances({ paymentId }: Paid): Promise<Record<string, number>> {
    const found = await sql`
      select l.account, sum(l.amount_paise)::bigint as paise from ledger_lines l join ledger_entries e on e.id = l.entry_id
      where e.payment_id = ${paymentId} group by l.account order by l.account`.execute(money.portal.db);
    const rows = checkedRows(z.object({ account: z.string(), paise: z.number() }), found);
    return Object.fromEntries(rows.filter(({ paise }) => paise !== 0).map(({ account, paise }) => [account, paise]));
  }

  const mailSubjects = async ({ customerId }: Pick<Paid, 'customerId'>) =>
    (
      await money.portal.db
        .selectFrom('mails')
        .select('subject')
        .where('customer_id', '=', customerId)
        .orderBy('created_at')
        .execute()
    ).map(({ subject }) => subject.replace(/:.*/, ''));

  return {
    captured,
    paid,
    refundOnDashboard,
    deliverRefundWebhook,
    state,
    openRefund,
    atProvider,
    dispute,
    moveDispute,
    balances,
    mailSubjects,
  };
}

type Elsewhere = ReturnType<typeof startElsewhere>;
export type PaidElsewhere = Awaited<ReturnType<Elsewhere['captured']>>;
