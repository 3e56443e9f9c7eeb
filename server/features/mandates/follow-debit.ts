import type { Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { askDay } from '#shared/domain/mandate.ts';
import { happened } from '#server/features/events/events.ts';
import type { Portal } from '#server/portal.ts';
import { selectDebit, updateDebit } from './debits.ts';
import { updateSkipped } from './store.ts';
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
  if (!('reason' in news)) {
    const state = news.is === 'paid' ? 'PAID' : 'SENT';
    await updateDebit(tx, order.id, { state, paymentId: news.paymentId }, now);
  } else {
    const { paymentId, reason, isSkipped = false } = news;
    const failed = await updateDebit(
      tx,
      order.id,
      { state: 'FAILED', paymentId, reason, isRefunded: news.is === 'refunded' },
      now,
    );
    if (failed && news.is === 'failed') {
      const { cycle_id: cycleId, amount_paise: amountPaise, attempt } = debit;
      const tried = { tries: attempt, failedOn: dayOf(now.getTime()) };
      const { from_date: firstDay } = await tx
        .selectFrom('cycles')
        .select('from_date')
        .where('id', '=', cycleId)
        .executeTakeFirstOrThrow();
      // The provider gave days: what follows them is announced, and tried, in its own time.
      const isMoved = firstDay !== debit.first_day;
      // Whoever skips it at the bank means what a skip here means.
      if (isSkipped) await updateSkipped(tx, { id: debit.mandate_id }, firstDay);
      const isAskedAgain = (await selectDebitable(portal, tx, debit)) !== undefined;
      const againOn = (isAskedAgain && !isMoved ? askDay(tried, firstDay) : undefined) ?? null;
      const about = { debitId: order.id, cycleId, amountPaise, reason };
      const owner = { customerId: order.customer_id };
      await happened(portal, owner, tx, {
        type: 'renewal.failed',
        ...about,
        againOn,
        ...(isAskedAgain && isMoved && { isAnnouncedAnew: true }),
        ...(isSkipped && { isSkipped }),
      });
    }
  }
  return true;
}
