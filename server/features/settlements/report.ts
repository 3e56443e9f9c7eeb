import type { Db } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { Difference, DifferenceKind } from '#shared/domain/settlement.ts';

/** The settlements of a time, and how far they were read. */
export type SettlementReport = Awaited<ReturnType<typeof readSettlementReport>>;

/** Reads the settlements of a time with their items, oldest first. */
export async function readSettlementReport(db: Db, times: { fromMs: number; toMs: number }) {
  const reading = await db.selectFrom('settlement_reading').select('read_until').executeTakeFirstOrThrow();
  const settlements = await db
    .selectFrom('settlements')
    .select(['settlement_id', 'amount_paise', 'status', 'utr', 'created_at'])
    .where('created_at', '>=', new Date(times.fromMs))
    .where('created_at', '<', new Date(times.toMs))
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
    readUntil: reading.read_until,
    settlements: settlements.map((settlement) => ({
      settlementId: settlement.settlement_id,
      day: dayOf(settlement.created_at.getTime()),
      utr: settlement.utr,
      status: settlement.status,
      amountPaise: settlement.amount_paise,
      items: (bySettlement.get(settlement.settlement_id) ?? []).map((item) => ({
        entityId: item.entity_id,
        type: item.type,
        paymentId: item.payment_id,
        disputeId: item.dispute_id,
        amountPaise: item.amount_paise,
        feePaise: item.fee_paise,
        feeTaxPaise: item.tax_paise,
        netPaise: item.credit_paise - item.debit_paise,
        settledAt: item.settled_at?.toISOString() ?? null,
        description: item.description,
      })),
    })),
  };
}

const kindTexts: Readonly<Record<DifferenceKind, string>> = {
  NOT_SETTLED: 'payment not settled',
  ON_HOLD: 'payment on hold',
  AMOUNT_DIFFERS: 'other amount',
  FEE_DIFFERS: 'other fee or GST on it',
  SETTLED_TWICE: 'settled twice',
  UNKNOWN_PAYMENT: 'payment unknown to the portal',
  UNKNOWN_REFUND: 'refund unknown to the portal',
  UNKNOWN_ADJUSTMENT: 'adjustment without a payment or dispute',
  REFUND_NOT_DEBITED: 'refund not debited',
  DISPUTE_DIFFERS: 'dispute debited with another amount',
  SUM_DIFFERS: 'settlement is not the sum of its items',
  SETTLEMENT_FAILED: 'settlement returned by the bank',
};

/** The report as text: a table of settlements and a list of differences. */
export function reportText(report: SettlementReport, differences: readonly Difference[]): string {
  const head = ['Day', 'Settlement', 'UTR', 'Status', 'Payments', 'Refunds', 'Other', 'Fees', 'GST on fees', 'Settled'];
  const rows = report.settlements.map(({ day, settlementId, utr, status, amountPaise, items }) => {
    const sum = (of: (item: (typeof items)[number]) => number) =>
      formatRupees(items.reduce((total, item) => total + of(item), 0));
    const amountOf = (type: string) => sum((item) => (item.type === type ? item.netPaise + item.feePaise : 0));
    const other = sum((item) => (['payment', 'refund'].includes(item.type) ? 0 : item.netPaise + item.feePaise));
    const fees = sum((item) => item.feePaise - item.feeTaxPaise);
    const gst = sum((item) => item.feeTaxPaise);
    const settled = formatRupees(amountPaise);
    return [day, settlementId, utr ?? '', status, amountOf('payment'), amountOf('refund'), other, fees, gst, settled];
  });
  const lines = differences.map((each) => [
    dayOf(each.atMs),
    kindTexts[each.kind],
    each.id,
    each.settlementId ?? '',
    formatRupees(each.expectedPaise),
    formatRupees(each.foundPaise),
  ]);
  const differenceHead = ['Day', 'Difference', 'Of', 'Settlement', 'Expected', 'Found'];
  return [
    `Settlements, read until ${report.readUntil ?? 'never'}`,
    ...(rows.length === 0 ? ['None.'] : table([head, ...rows], 4)),
    '',
    differences.length === 0 ? 'No differences.' : `${differences.length} differences`,
    ...(lines.length === 0 ? [] : table([differenceHead, ...lines], 4)),
    '',
  ].join('\n');
}

/** Columns of equal width; those from `firstAmount` on are aligned to the right. */
function table(rows: readonly string[][], firstAmount: number): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cellOf = (cell: string, column: number) =>
    column < firstAmount ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(cellOf).join('  ').trimEnd());
}
