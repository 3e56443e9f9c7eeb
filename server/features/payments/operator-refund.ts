import { noRenewalEffect } from '#shared/contract/renewal-effect.ts';
import { changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { phaseOf } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { type RefundableCycle, refundShares, whyNotRefundable } from '#shared/domain/operator-refund.ts';
import { isPromise } from '#shared/domain/pay-later.ts';
import { leftAtProvider, leftOf, paidBackOf, payoutOf } from '#shared/domain/refund-payout.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { readErased } from '#server/features/account/account.ts';
import { announceUnpaid } from '#server/features/credit/credit.ts';
import { endForCause, givenBackOf, packsEnding, returnUnusedUnits } from '#server/features/cycles/cycles.ts';
import { renewalEffect } from '#server/features/mandates/mandates.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import {
  factsOf,
  isDisputed,
  isOwn,
  refundExcessTax,
  selectDueOf,
  selectRefundsOfPayment,
  startRefund,
} from '#server/features/refunds/refunds.ts';
import type { Owner } from '#server/portal.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import type { CycleRefund, RefundOrder, RefundPlan, RefundResult } from './operator-refund-plan.ts';
import { cashOf, isSameRefund, reasonOf, requireNewReason } from './refund-reason.ts';

type Found = Awaited<ReturnType<typeof findPayment>>;

/** The effect of a refund, without making it. */
export async function previewRefund(context: OperatorContext, order: RefundOrder): Promise<RefundPlan | RefundResult> {
  reasonOf({ actor: '', reason: order.reason });
  const found = await findPayment(context.db, order.of);
  await returnUnusedUnits(context.db, { customerId: found.customerId }, found.activationId);
  return (await madeBefore(context.db, found, order)) ?? planRefund(context, context.db, found, order);
}

/**
 * Refunds a payment, or an amount of one of its plans: paper, ledger, mail and audit log in one transaction. A plan of which no money is left
 * ends. The same order again does nothing. The running portal has the provider pay it out.
 */
export async function makeRefund(context: OperatorContext, order: RefundOrder, actor: string): Promise<RefundResult> {
  const reason = reasonOf({ actor, reason: order.reason });
  const paid = await findPayment(context.db, order.of);
  await returnUnusedUnits(context.db, { customerId: paid.customerId }, paid.activationId);
  const { result, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    const { customerId, activationId } = await findPayment(tx, order.of);
    const owner = { customerId };
    await lockActivation(owner, tx, activationId, true);
    const found = await findPayment(tx, order.of);
    const before = await madeBefore(tx, found, { ...order, reason });
    if (before) return before;
    for (const cycle of found.cycles) {
      // A cycle that started today may not be invoiced yet.
      if (cycle.row.status === 'PAID') await refundExcessTax(context, owner, tx, cycle.row.id);
    }
    const { cycles: rows } = await findPayment(tx, order.of);
    const plan = await planRefund(context, tx, { ...found, cycles: rows }, order);
    await announceUnpaid(owner, change);
    const refundIds = [];
    for (const { cycleId, amountPaise } of plan.cycles) {
      const { paymentId, currency } = found;
      const due = { paymentId, cycleId, amountPaise, currency, reason, from: 'CYCLE' } as const;
      const refund = await startRefund(context, owner, tx, { ...due, origin: 'OPERATOR' });
      refundIds.push(refund.id);
    }
    for (const { cycleId, endsCycle } of plan.cycles) {
      const row = rows.find((each) => each.row.id === cycleId)?.row;
      if (row && endsCycle) await endForCause(context, owner, change, row, 'refunded');
    }
    const { totalPaise: amountPaise, paymentId } = plan;
    const packs = plan.cycles.flatMap((cycle) =>
      cycle.packs.map(({ name: _name, isTransfer: _transfer, ...pack }) => pack),
    );
    const effect = { refunds: refundIds, amountPaise, cycles: plan.cycles.map(({ cycleId }) => cycleId), packs };
    const entry = { action: 'payments.refund', target: paymentId, customerId, effect } as const;
    await recordAction(tx, { actor, reason, ...entry, paise: amountPaise });
    return { ...plan, refundIds, already: false };
  });
  return { ...result, effectiveBy };
}

/** A captured payment with the cycles that are meant, each with what was refunded of it. */
async function findPayment(db: Db | Tx, sought: string) {
  const text = sought.trim();
  const payment = await db
    .selectFrom('payments as payment')
    .innerJoin('payment_orders as order', 'order.id', 'payment.order_id')
    .select(['payment.provider_payment_id', 'payment.status', 'payment.use', 'payment.currency'])
    .select([
      'payment.cycle_id',
      'payment.customer_id',
      'payment.captured_at',
      'payment.order_id',
      'order.activation_id',
    ])
    .where((where) =>
      where.or([
        where('payment.provider_payment_id', '=', text),
        where('order.id', '=', text),
        where('order.provider_order_id', '=', text),
        where('payment.order_id', 'in', (of) =>
          of.selectFrom('order_cycles').select('order_id').where('cycle_id', '=', text),
        ),
      ]),
    )
    // The one that paid; others of its order failed or were refunded.
    .orderBy((by) => by.case().when('payment.use', '=', 'CYCLE').then(0).else(1).end())
    .orderBy('payment.created_at', 'desc')
    .executeTakeFirst();
  if (!payment)
    throw new OperatorRefusal(
      `No payment is known as ${text}. Find the customer with: octroi customers find ${text}`,
      'not_found',
    );
  const { provider_payment_id: paymentId, captured_at: capturedAt } = payment;
  if (payment.use === 'DUE')
    throw new OperatorRefusal(
      `${paymentId} paid a bill. Refund the plan, with its invoice: octroi refund ${payment.cycle_id}`,
    );
  if (payment.use === 'REFUND') throw new OperatorRefusal(`${paymentId} paid for nothing: all of it was refunded.`);
  if (payment.use === 'HELD')
    throw new OperatorRefusal(`${paymentId} is held. Give it back with: octroi transfers refund ${paymentId}`);
  if (capturedAt === null) throw new OperatorRefusal(`${paymentId} is ${payment.status}: no money was taken.`);
  const refunds = await selectRefundsOfPayment(db, paymentId);
  const rows = await db
    .selectFrom('cycles')
    .innerJoin('order_cycles', 'order_cycles.cycle_id', 'cycles.id')
    .selectAll('cycles')
    .select((of) => of.fn<number>('unproved_tax', ['cycles.id']).as('unproved_paise'))
    .where('order_cycles.order_id', '=', payment.order_id)
    .orderBy('order_cycles.place')
    .execute();
  const cycles = rows.map(({ unproved_paise: unprovedPaise, ...row }) => ({
    row,
    unprovedPaise,
    refunds: refunds.filter((refund) => refund.cycle_id === row.id),
  }));
  const one = cycles.filter(({ row }) => row.id === text);
  return {
    paymentId,
    capturedOn: dayOf(capturedAt.getTime()),
    isOwnTransfer: await isOwn(db, paymentId),
    duePaise: await selectDueOf(db, paymentId),
    customerId: payment.customer_id,
    activationId: payment.activation_id,
    currency: payment.currency,
    refunds,
    cycles: one.length > 0 ? one : cycles,
  };
}

type FoundCycle = Found['cycles'][number];

const refundable = ({ row, refunds, unprovedPaise }: FoundCycle): RefundableCycle => ({
  cycleId: row.id,
  status: row.status,
  ...paidBackOf(row.price_paise, refunds.map(factsOf), unprovedPaise),
});

/** The result of the same order when it was carried out before. */
async function madeBefore(db: Db | Tx, found: Found, order: RefundOrder): Promise<RefundResult | undefined> {
  const { amountPaise } = order;
  const made = found.cycles.map((cycle) => ({
    cycle,
    refund: cycle.refunds.find(
      (each) =>
        isSameRefund(each, order.reason) &&
        (amountPaise === undefined ? leftOf(refundable(cycle)) === 0 : cashOf(each) === amountPaise),
    ),
  }));
  const before = made.flatMap(({ cycle, refund }) => (refund ? [{ cycle, refund }] : []));
  const isDone = amountPaise === undefined ? before.length > 0 && isNothingLeft(found) : before.length > 0;
  if (!isDone) return undefined;
  const waitsForDispute = await isDisputed(db, found.paymentId);
  return {
    paymentId: found.paymentId,
    customerId: found.customerId,
    totalPaise: before.reduce((sum, { refund }) => sum + cashOf(refund), 0),
    cycles: [],
    waitsForDispute,
    ...noRenewalEffect,
    refundIds: before.map(({ refund }) => refund.id),
    already: true,
    effectiveBy: null,
  };
}

const isNothingLeft = (found: Found): boolean => found.cycles.every((cycle) => leftOf(refundable(cycle)) === 0);

async function planRefund(
  context: OperatorContext,
  db: Db | Tx,
  found: Found,
  { amountPaise, reason }: RefundOrder,
): Promise<RefundPlan> {
  const today = dayOf(context.clock());
  const cycles = found.cycles.map(refundable);
  const leftPaise = cycles.reduce((sum, cycle) => sum + leftOf(cycle), 0);
  if (leftPaise === 0) throw new OperatorRefusal(`Nothing is left to refund of ${found.paymentId}.`);
  const shares = refundShares(cycles, amountPaise);
  if (!shares) throw new OperatorRefusal(whyNotRefundable(cycles));
  const refunds: CycleRefund[] = [];
  for (const cycle of found.cycles) {
    const asked = shares.find(({ cycleId }) => cycleId === cycle.row.id);
    if (!asked) continue;
    const { amountPaise: refundPaise, withheldPaise, endsCycle } = asked;
    const cashPaise = refundPaise - withheldPaise;
    requireNewReason(cycle.row.id, found.refunds, { amountPaise: cashPaise, reason });
    const paidBack = refundable(cycle);
    const leftAfter = leftOf(paidBack) - refundPaise;
    const leftThere = leftAtProvider(paidBack);
    const { capturedOn, isOwnTransfer, duePaise } = found;
    const { payout, offsetPaise } = payoutOf({
      amountPaise: cashPaise,
      leftPaise: leftThere,
      capturedOn,
      today,
      isOwnTransfer,
      duePaise,
    });
    const packs = endsCycle ? await packsEnding(found, db, cycle.row, today) : [];
    const refund = {
      amountPaise: refundPaise,
      withheldPaise,
      offsetPaise,
      leftPaise: leftAfter,
      endsCycle,
      payout,
      packs,
    };
    refunds.push(describe(cycle, refund, { today, isInvoiced: isPromise(found.paymentId) }));
  }
  if (refunds.some(isToTransfer)) await requireReachable(found, db);
  const ending = found.cycles.filter(({ row }) =>
    refunds.some(({ cycleId, endsCycle, effect }) => cycleId === row.id && endsCycle && effect !== 'has ended'),
  );
  const rows = ending.map(({ row }) => row);
  return {
    ...(rows.length === 0
      ? noRenewalEffect
      : await renewalEffect(found, db, found.activationId, rows, context.clock())),
    paymentId: found.paymentId,
    customerId: found.customerId,
    totalPaise: refunds.reduce(
      (sum, { amountPaise: paise, withheldPaise, packs }) => sum + paise - withheldPaise + givenBackOf(packs),
      0,
    ),
    cycles: refunds,
    waitsForDispute: await isDisputed(db, found.paymentId),
  };
}

const isToTransfer = ({ payout, amountPaise, withheldPaise, offsetPaise }: CycleRefund): boolean =>
  payout === 'TRANSFER' && amountPaise > withheldPaise + offsetPaise;

/** A transfer needs a bank account, which the customer is asked for (product §6.33). */
async function requireReachable(owner: Owner, db: Db | Tx): Promise<void> {
  if ((await readErased(owner, db)) !== null)
    throw new OperatorRefusal(
      `${owner.customerId} is erased, and Razorpay can’t pay this refund: nobody would know whose bank account to ask for. Nothing was refunded.`,
    );
}

function describe(
  { row }: FoundCycle,
  share: Pick<
    CycleRefund,
    'amountPaise' | 'withheldPaise' | 'offsetPaise' | 'leftPaise' | 'payout' | 'packs' | 'endsCycle'
  >,
  { today, isInvoiced }: { today: Day; isInvoiced: boolean },
): CycleRefund {
  const phase = phaseOf({ fromDate: row.from_date, toDate: row.to_date }, today);
  const isOver = row.status !== 'PAID' || phase === 'over';
  return {
    cycleId: row.id,
    planName: row.plan.name,
    ...share,
    // An advance has a receipt voucher until its first day; what is paid later has its invoice at once.
    paper: row.from_date > today && !isInvoiced ? 'REFUND_VOUCHER' : 'CREDIT_NOTE',
    effect: isOver ? 'has ended' : !share.endsCycle ? 'goes on' : phase === 'upcoming' ? 'is cancelled' : 'ends',
  };
}
