import type { AccessChange } from '#shared/database/access.ts';
import type { Tx } from '#shared/database/connect.ts';
import { datesWhenPaidTogether } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import type { CapturedShare, LedgerEntry } from '#shared/domain/ledger.ts';
import { whyRefunded } from '#shared/domain/payment.ts';
import {
  type CycleRow,
  isPackLate,
  isPackOfStopped,
  isSwitchBlocked,
  markCyclePaid,
  priceDue,
  selectTakenDays,
} from '#server/features/cycles/cycles.ts';
import { documentPayment, type Issuer, type MayInvoice, type PaidCycle } from '#server/features/documents/documents.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import { isDebitInTheWay, whyDebitIsVoid } from '#server/features/mandates/mandates.ts';
import { startRefund } from '#server/features/refunds/refunds.ts';
import type { EventContext, Owner } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import {
  closeLiveOrders,
  countPaidSince,
  isBlocked,
  type lockForSettling,
  type OrderRow,
  selectNamed,
  updateOrderPaid,
} from './store.ts';

/** What captured money does: of a payment that was just settled, or of one that was held, when an operator answers. */

type Locked = Awaited<ReturnType<typeof lockForSettling>>;

/** A captured payment. */
export interface CapturedMoney {
  paymentId: string;
  amountPaise: number;
  currency: string;
  /** The provider refunded the whole amount before it could pay for anything. */
  isGone: boolean;
  /** The number of the bank transfer. */
  utr: string | undefined;
  /** It is a promise to pay later, until a day. */
  later?: { dueOn: Day; buyer: MayInvoice };
  /** What of each cycle's price its customer deducted as tax (TDS), by the order's cycles; empty: nothing. */
  withheldPaise: readonly number[];
}

export const sumOfWithheld = ({ withheldPaise }: Pick<CapturedMoney, 'withheldPaise'>): number =>
  withheldPaise.reduce((sum, paise) => sum + paise, 0);

/** Why the money can't pay for the cycles of its order, if it can't (product §6.3). Requires the activation's lock. */
export async function whyUnusable(
  context: Issuer,
  tx: Tx,
  order: OrderRow,
  { cycles, deleted }: Locked,
  money: CapturedMoney,
): Promise<string | undefined> {
  const owner = { customerId: order.customer_id };
  // A switch and a pack are paid alone (switches_are_paid_alone).
  const [first] = cycles;
  return whyRefunded({
    orderPaise: order.amount_paise,
    orderCurrency: order.currency,
    paidPaise: money.amountPaise + sumOfWithheld(money),
    paidCurrency: money.currency,
    isGone: money.isGone,
    cycles: await Promise.all(
      cycles.map(async (cycle) => ({
        status: cycle.status,
        orderedPaise: cycle.ordered_paise,
        duePaise: cycle.status === 'PAYMENT_PENDING' ? await priceDue(context, owner, tx, cycle) : cycle.price_paise,
        pricePaise: cycle.price_paise,
      })),
    ),
    isActivationDeleted: deleted,
    isBlocked: await isBlocked(tx, order.customer_id),
    debitIsVoid: await whyDebitIsVoid(context, tx, order.id),
    isSwitchBlocked: first !== undefined && (await isSwitchBlocked(context, owner, tx, first)),
    isPackLate: first !== undefined && (await isPackLate(context, owner, tx, first)),
    isPackOfStopped: first !== undefined && (await isPackOfStopped(tx, first, dayOf(context.clock()))),
    paidInLastHour: await countPaidSince(tx, order.activation_id, new Date(context.clock() - 3_600_000)),
  });
}

/** May a debit that is at the bank pay for days that these cycles would get? Nobody pays for them otherwise meanwhile (decision 074). */
export async function isDebitUnderWay(
  context: Pick<EventContext, 'clock'>,
  owner: Owner,
  tx: Tx,
  cycles: readonly CycleRow[],
): Promise<boolean> {
  const [first] = cycles;
  if (!first || first.adds_to !== null) return false;
  const asked = cycles.map(({ from_date: fromDate, to_date: toDate, replaces }) => ({ fromDate, toDate, replaces }));
  const taken = await selectTakenDays(owner, tx, first.activation_id);
  const days = datesWhenPaidTogether(asked, dayOf(context.clock()), taken);
  return isDebitInTheWay(tx, first.activation_id, days, context.clock());
}

/** The same where an operator takes a transfer as what pays: throws OperatorRefusal. */
export async function requireNoDebit(
  context: EventContext,
  tx: Tx,
  { customer_id: customerId }: OrderRow,
  cycles: readonly CycleRow[],
): Promise<void> {
  if (await isDebitUnderWay(context, { customerId }, tx, cycles))
    throw new OperatorRefusal(
      'A debit that is at the bank may pay for these days. Try again when it has a result, at the latest two days after it was asked for.',
    );
}

export type EntryOf<Use extends 'CYCLE' | 'DUE' | 'REFUND' = 'CYCLE' | 'REFUND'> = (
  about: { paymentId: string; cycleId: string; customerId: string; currency: string },
  share: CapturedShare & { use: Use },
) => LedgerEntry;

/** The money pays for every cycle of its order. The payment is stored as doing so by the caller. Requires the activation's lock. */
export async function payCycles(
  context: Issuer,
  change: AccessChange,
  order: OrderRow,
  cycles: Locked['cycles'],
  money: CapturedMoney,
  entryOf: EntryOf,
): Promise<void> {
  const { tx } = change;
  const now = new Date(context.clock());
  const { paymentId, currency, utr, later } = money;
  const owner = { customerId: order.customer_id };
  for (const [at, { id: cycleId, ordered_paise: paise, place }] of cycles.entries()) {
    const about = { paymentId, cycleId, customerId: order.customer_id, currency };
    const withheldPaise = money.withheldPaise[at] ?? 0;
    await postEntry(tx, entryOf(about, { use: 'CYCLE', paise, place, withheldPaise }), now);
    if (withheldPaise === 0) continue;
    const deducted = { paymentId, cycleId, amountPaise: withheldPaise, currency, from: 'CYCLE' } as const;
    const reason = 'Tax deducted at source (TDS)';
    await startRefund(context, owner, tx, { ...deducted, origin: 'TDS', isWithheld: true, reason });
  }
  await closeLiveOrders(
    tx,
    cycles.map(({ id }) => id),
  );
  // All get their days first: a later period must not take the days of an earlier one, and documents follow the days.
  const paid: PaidCycle[] = [];
  for (const [at, cycle] of cycles.entries()) {
    const dates = await markCyclePaid(context, owner, change, cycle);
    const { id, activation_id: activationId, service_id: serviceId, plan, price_paise: totalPaise } = cycle;
    const isPack = cycle.adds_to !== null;
    const withheldPaise = money.withheldPaise[at] ?? 0;
    const sold = { id, activationId, serviceId, plan, isPack, totalPaise, dates, paymentId, utr, withheldPaise };
    paid.push(later ? { ...sold, later } : sold);
  }
  await updateOrderPaid(tx, order.id);
  await documentPayment(context, owner, tx, paid, await selectNamed(tx, order.id));
}

/** All of the money goes back. The payment is stored as doing so by the caller. */
export async function refundAll(
  context: Issuer,
  tx: Tx,
  order: OrderRow,
  { paymentId, amountPaise, currency }: Pick<CapturedMoney, 'paymentId' | 'amountPaise' | 'currency'>,
  reason: string,
  entryOf: EntryOf,
): Promise<void> {
  const about = { paymentId, cycleId: order.cycle_id, customerId: order.customer_id, currency };
  await postEntry(tx, entryOf(about, { use: 'REFUND', paise: amountPaise }), new Date(context.clock()));
  const due = { ...about, amountPaise, reason, from: 'REFUND' } as const;
  await startRefund(context, { customerId: order.customer_id }, tx, { ...due, origin: 'PORTAL', ofReplaced: false });
}
