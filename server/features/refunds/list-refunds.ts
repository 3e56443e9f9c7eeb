import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { Db } from '#shared/database/connect.ts';
import { rupees } from '#shared/domain/money.ts';
import { type AskedPage, pageOf, pastPage } from '#server/operator-pages.ts';

/** The refunds of a customer, newest first. */
export async function listRefunds(
  db: Db,
  customerId: string,
  { after, limit }: AskedPage,
): Promise<OperatorReply<'listRefunds'>> {
  const read = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.provider_payment_id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.payment_id', 'refunds.cycle_id', 'payments.currency', 'refunds.amount_paise'])
    .select(['refunds.status', 'refunds.origin', 'refunds.reason', 'refunds.payout', 'refunds.utr', 'refunds.refusal'])
    .select(['refunds.created_at', 'refunds.settled_at', 'refunds.withheld_paise', 'refunds.offset_paise'])
    .where('refunds.customer_id', '=', customerId)
    .where(await pastPage(db, 'refunds', { time: 'created_at', id: 'id' }, after))
    .orderBy('refunds.created_at', 'desc')
    .orderBy('refunds.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { rows, next } = pageOf(read, limit, ({ id }) => id);
  return {
    refunds: rows.map(({ payment_id, cycle_id, amount_paise, withheld_paise, offset_paise, ...row }) => {
      const { created_at, settled_at, ...refund } = row;
      const offsetPaise = refund.payout === 'OFFSET' ? 0 : offset_paise;
      return {
        ...refund,
        paymentId: payment_id,
        cycleId: cycle_id,
        amount: rupees(amount_paise - withheld_paise - offsetPaise),
        withheld: rupees(withheld_paise),
        offset: rupees(offsetPaise),
        createdAt: created_at.toISOString(),
        settledAt: settled_at?.toISOString() ?? null,
      };
    }),
    next,
  };
}
