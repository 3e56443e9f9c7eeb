import type { Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { askDay } from '#shared/domain/mandate.ts';
import { happened } from '#server/features/events/events.ts';
import type { Portal } from '#server/portal.ts';
import { selectDebit, updateDebit } from './debits.ts';
import { hasMoreUnits, tellRechargeGivenUp } from './recharge-given-up.ts';
import { factsOfRecharge, selectRecharge, updateRecharge } from './recharge-rows.ts';
import { changeSkip } from './skip.ts';
import { type DebitRow, selectMandate } from './store.ts';
import { selectDebitable } from './under-way.ts';

/** What became of a payment of an order. */
type PaymentNews =
  | { paymentId: string; is: 'pending' | 'paid' }
  /** Without a payment, when the provider refused to make one. */
  | { paymentId: string | null; is: 'failed' | 'refunded'; reason: string | null; isSkipped?: boolean };

/**
 * Follows the debit of an order, if it is one, in the transaction that settles its payment. Returns whether it is one. A debit that failed is
 * told once; the bank may still pay it later, and then it is paid like any other.
 */
export async function followDebit(
  portal: Portal,
  tx: Tx,
  order: { id: string; cycle_id: string; customer_id: string },
  news: PaymentNews,
): Promise<boolean> {
  const debit = await selectDebit(tx, order.id);
  if (!debit) return false;
  const now = new Date(portal.clock());
  const owner = { customerId: order.customer_id };
  if (!('reason' in news)) {
    const { paymentId } = news;
    const state = news.is === 'paid' ? 'PAID' : 'SENT';
    const isNews = (await updateDebit(tx, order.id, { state, paymentId }, now)) !== undefined;
    const type = debit.first_day === null ? 'recharge.paid' : 'renewal.paid';
    if (isNews && state === 'PAID') await happened(portal, owner, tx, { type, ...factsOf(debit), paymentId });
  } else {
    const { paymentId, reason, isSkipped = false } = news;
    const failed = await updateDebit(
      tx,
      order.id,
      { state: 'FAILED', paymentId, reason, isRefunded: news.is === 'refunded' },
      now,
    );
    if (failed && news.is === 'failed' && debit.first_day === null) await tellRechargeFailed(portal, tx, debit, news);
    else if (failed && debit.first_day === null)
      await tellRechargeGivenUp(portal, tx, debit, { is: 'refunded', reason });
    else if (failed && news.is === 'failed') {
      const tried = { tries: debit.attempt, failedOn: dayOf(now.getTime()) };
      const { from_date: firstDay } = await tx
        .selectFrom('cycles')
        .select('from_date')
        .where('id', '=', debit.cycle_id)
        .executeTakeFirstOrThrow();
      // The provider gave days: what follows them is announced, and tried, in its own time.
      const isMoved = firstDay !== debit.first_day;
      // Whoever skips it at the bank means what a skip here means.
      const mandate = isSkipped ? await selectMandate(tx, { id: debit.mandate_id }) : undefined;
      if (mandate) await changeSkip(portal, tx, mandate, firstDay, 'BANK');
      const isAskedAgain = (await selectDebitable(portal, tx, debit)) !== undefined;
      const againOn = (isAskedAgain && !isMoved ? askDay(tried, firstDay) : undefined) ?? null;
      await happened(portal, owner, tx, {
        type: 'renewal.failed',
        ...factsOf(debit),
        paymentId,
        reason,
        againOn,
        ...(isAskedAgain && isMoved && { isAnnouncedAnew: true }),
        ...(isSkipped && { isSkipped }),
      });
    }
  }
  return true;
}

/** There is no time for a second one: the customer can pay for the pack at once. */
async function tellRechargeFailed(
  portal: Portal,
  tx: Tx,
  debit: DebitRow,
  { paymentId, reason, isSkipped }: Extract<PaymentNews, { reason: unknown }>,
): Promise<void> {
  const owner = { customerId: debit.customer_id };
  const recharge = await selectRecharge(tx, { order_id: debit.order_id });
  if (isSkipped && recharge) {
    const about = await factsOfRecharge(portal, tx, debit, recharge);
    await happened(portal, owner, tx, { type: 'recharge.skipped', ...about, by: 'BANK' });
  }
  if (recharge?.reason === null) await updateRecharge(tx, recharge, { reason: 'asked_before' });
  await happened(portal, owner, tx, {
    type: 'recharge.failed',
    ...factsOf(debit),
    paymentId,
    reason,
    ...(isSkipped && { isSkipped }),
    ...((await hasMoreUnits(portal, tx, debit)) && { isMoot: true }),
  });
}

/** What events say of a debit. */
const factsOf = (debit: DebitRow) => ({
  debitId: debit.order_id,
  mandateId: debit.mandate_id,
  cycleId: debit.cycle_id,
  attempt: debit.attempt,
  amountPaise: debit.amount_paise,
});
