import type { Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { Deduction } from '#shared/domain/bank-transfer.ts';
import { type TdsPercent, tdsPercents, withheldPaise } from '#shared/domain/tds.ts';
import { priceFor } from '#server/features/cycles/cycles.ts';
import { type Issuer, readBuyer } from '#server/features/documents/documents.ts';
import type { Owner } from '#server/portal.ts';
import { withheldOfBill } from './pay-bill.ts';
import { type OrderRow, selectCyclesOf } from './store.ts';

/**
 * What a business deducts as tax (TDS) from the price of each cycle, as its invoice will have it: of its value without GST, in whole rupees. Empty of
 * another buyer, from whose invoice nobody may deduct it (product §6.27).
 */
async function withheldOf(
  context: Issuer,
  owner: Owner,
  tx: Tx,
  cycles: readonly Parameters<typeof priceFor>[1][],
  percent: TdsPercent,
): Promise<number[]> {
  const buyer = await readBuyer(context, owner, tx);
  if (!buyer.isRegistered) return [];
  const today = dayOf(context.clock());
  return cycles.map((cycle) => withheldPaise(priceFor(buyer, cycle, today).taxablePaise, percent));
}

/** What is deducted from each cycle of an order: of a bill, from its invoice. */
export const withheldOfOrder = (
  context: Issuer,
  tx: Tx,
  order: Pick<OrderRow, 'of_bill' | 'cycle_id' | 'customer_id'>,
  cycles: readonly Parameters<typeof priceFor>[1][],
  percent: TdsPercent,
): Promise<number[]> =>
  order.of_bill
    ? withheldOfBill(tx, order.cycle_id, percent)
    : withheldOf(context, { customerId: order.customer_id }, tx, cycles, percent);

/** What may be deducted from an order, by percentage. Locks nothing. */
export async function deductionsOf(context: Issuer, tx: Tx, order: OrderRow): Promise<Deduction[]> {
  const cycles = await selectCyclesOf(tx, order.id);
  const found: Deduction[] = [];
  for (const percent of tdsPercents) {
    const paise = (await withheldOfOrder(context, tx, order, cycles, percent)).reduce((sum, each) => sum + each, 0);
    if (paise > 0 && paise < order.amount_paise) found.push({ percent, paise });
  }
  return found;
}
