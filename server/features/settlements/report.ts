import type { Db } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { rupees } from '#shared/domain/money.ts';
import { selectReading } from './store.ts';

/** Reads the settlements of a time, oldest first, and how far they were read. `items`: also those of each. */
export async function readSettlementReport(
  db: Db,
  { fromMs, toMs, items: withItems }: { fromMs: number; toMs: number; items: boolean },
) {
  const { read_until: readUntil } = await selectReading(db);
  const settlements = await db
    .selectFrom('settlements')
    .select(['settlement_id', 'amount_paise', 'status', 'utr', 'created_at'])
    .where('created_at', '>=', new Date(fromMs))
    .where('created_at', '<', new Date(toMs))
    .orderBy('created_at')
    .orderBy('settlement_id')
    .execute();
  const ids = settlements.map((settlement) => settlement.settlement_id);
  const items = await db
    .selectFrom('settlement_items')
    .selectAll()
    .where((item) => item('settlement_id', '=', item.fn.any(item.val(ids))))
    .orderBy('id')
    .execute();
  const bySettlement = groupBy(items, (item) => item.settlement_id);
  return {
    readUntil,
    settlements: settlements.map((settlement) => {
      const own = bySettlement.get(settlement.settlement_id) ?? [];
      const sum = (of: (item: (typeof items)[number]) => number) =>
        rupees(own.reduce((total, item) => total + of(item), 0));
      const amountOf = (isOf: (type: string) => boolean) =>
        sum((item) => (isOf(item.type) ? item.credit_paise - item.debit_paise + item.fee_paise : 0));
      return {
        settlementId: settlement.settlement_id,
        day: dayOf(settlement.created_at.getTime()),
        utr: settlement.utr,
        status: settlement.status,
        payments: amountOf((type) => type === 'payment'),
        refunds: amountOf((type) => type === 'refund'),
        other: amountOf((type) => !['payment', 'refund'].includes(type)),
        fees: sum((item) => item.fee_paise - item.tax_paise),
        gstOnFees: sum((item) => item.tax_paise),
        settled: rupees(settlement.amount_paise),
        items: (withItems ? own : []).map((item) => ({
          entityId: item.entity_id,
          type: item.type,
          paymentId: item.payment_id,
          disputeId: item.dispute_id,
          amount: rupees(item.amount_paise),
          fee: rupees(item.fee_paise),
          gstOnFee: rupees(item.tax_paise),
          net: rupees(item.credit_paise - item.debit_paise),
          settledAt: item.settled_at?.toISOString() ?? null,
          description: item.description,
        })),
      };
    }),
  };
}
