import type { Tx } from '#shared/database/connect.ts';
import { type CycleRow, requireOnSale, selectUnpaidOver, updateCyclePrice } from '#server/features/cycles/cycles.ts';
import { requireNumbers } from '#server/features/documents/documents.ts';
import {
  insertDebit,
  orderIdOfDebit,
  orderIdOfRecharge,
  type RechargeRow,
  updateRecharge,
} from '#server/features/mandates/mandates.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { closeLiveOrders, insertOrder } from './store.ts';

export { createOrderOfPeriods } from './create-order.ts';
export { listHeld } from './list-held.ts';
export { selectCyclesToPay, selectNamedCycles } from './payable-cycles.ts';
export { requireBuyer, requirePayable } from './require-payable.ts';
export { heldLess, settleProved } from './held-proved.ts';
export { isBlocked, selectHeldCycles } from './store.ts';
export { sellOnTerms } from './sell-on-terms.ts';
export { payByTransfer } from './transfers.ts';
export { isDebitUnderWay } from './use-money.ts';
export { verifyPayment } from './verify.ts';

/** The order of an unpaid cycle, and its debit by a mandate; an earlier order for some of its days must not be paid any more. Requires the activation's lock. */
export async function orderDebit(
  portal: Portal,
  owner: Owner,
  tx: Tx,
  cycle: CycleRow,
  debit: { mandateId: string; attempt: number; amountPaise: number },
): Promise<void> {
  await requireOnSale(portal, owner, tx, [cycle], dayOf(portal.clock()));
  await requireNumbers(portal, tx);
  const days = { fromDate: cycle.from_date, toDate: cycle.to_date };
  const over = await selectUnpaidOver(owner, tx, cycle.activation_id, days, dayOf(portal.clock()));
  await closeLiveOrders(tx, [cycle.id, ...over.map(({ id }) => id)]);
  const orderId = orderIdOfDebit(debit.mandateId, cycle.from_date, debit.attempt);
  await insertOrderOf(portal, owner, tx, cycle, { ...debit, orderId, firstDay: cycle.from_date });
}

/** The same of a pack, for a shortage that its customer was told of: it is asked for once. Requires the activation's lock. */
export async function orderRecharge(
  portal: Portal,
  owner: Owner,
  tx: Tx,
  pack: CycleRow,
  { mandate_id: mandateId, amount_paise: amountPaise, ...shortage }: RechargeRow & { amount_paise: number },
): Promise<void> {
  await requireOnSale(portal, owner, tx, [pack], dayOf(portal.clock()));
  await requireNumbers(portal, tx);
  const orderId = orderIdOfRecharge(mandateId, shortage.cycle_id, shortage.quota_units);
  const debit = { mandateId, attempt: 1, amountPaise, orderId, firstDay: null };
  await insertOrderOf(portal, owner, tx, pack, debit, () =>
    updateRecharge(tx, shortage, { state: 'ASKED', reason: null, order_id: orderId }),
  );
}

/** `before`: what the database has to know before it takes the debit of the order. */
async function insertOrderOf(
  portal: Portal,
  owner: Owner,
  tx: Tx,
  cycle: CycleRow,
  debit: { mandateId: string; attempt: number; amountPaise: number; orderId: string; firstDay: Day | null },
  before = async (): Promise<void> => undefined,
): Promise<void> {
  const { mandateId, attempt, amountPaise, orderId, firstDay } = debit;
  if (cycle.price_paise !== amountPaise) await updateCyclePrice(owner, tx, cycle.id, amountPaise);
  const now = new Date(portal.clock());
  await insertOrder(owner, tx, [{ ...cycle, price_paise: amountPaise }], now, { id: orderId });
  await before();
  const { id: cycleId, activation_id: activationId } = cycle;
  const of = { order_id: orderId, mandate_id: mandateId, cycle_id: cycleId, activation_id: activationId };
  const row = { ...of, first_day: firstDay, attempt, amount_paise: amountPaise };
  await insertDebit(owner, tx, row, now, new Date(portal.machineClock()));
}
