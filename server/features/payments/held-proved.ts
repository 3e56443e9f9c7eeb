import type { AccessChange } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { HeldTransfer } from '#shared/contract/operator/transfers.ts';
import { entryOfAnswer } from '#shared/domain/ledger.ts';
import { toPaise } from '#shared/domain/money.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import { listHeld } from './list-held.ts';
import { payBill, whyUnusableForBill, withheldOfBill } from './pay-bill.ts';
import { selectOrder, updateUse } from './store.ts';

/** A held transfer that a certificate of tax (TDS) explains: it pays its bill by itself (decision 081). */

/** The held transfer that is less than what is due of a bill by exactly this tax. */
export async function heldLess(db: Db | Tx, cycleId: string, taxPaise: number): Promise<HeldTransfer | undefined> {
  for (const held of await listHeld(db)) {
    if (toPaise(held.tds) !== taxPaise || held.percent === null || held.recordedAs !== null) continue;
    const order = await selectOrder(db, held.orderId);
    if (!order?.of_bill || order.cycle_id !== cycleId) continue;
    const [withheldPaise] = await withheldOfBill(db, cycleId, held.percent);
    if (withheldPaise === taxPaise) return held;
  }
  return undefined;
}

/**
 * A certificate proves what nobody had declared: the held transfer pays the bill, less that tax, if it still is exactly what is due. Requires the
 * activation's lock.
 */
export async function settleProved(
  context: Issuer,
  change: AccessChange,
  held: HeldTransfer,
  cause: OperatorCause,
): Promise<boolean> {
  const { tx } = change;
  const { paymentId, orderId, customerId, utr } = held;
  const order = await selectOrder(tx, orderId);
  if (!order || held.percent === null) return false;
  const { currency } = order;
  const withheldPaise = await withheldOfBill(tx, order.cycle_id, held.percent);
  const money = { paymentId, amountPaise: toPaise(held.amount), currency, isGone: false, utr, withheldPaise };
  if ((await whyUnusableForBill(tx, order, money)) !== undefined) return false;
  await updateUse(tx, paymentId, 'DUE');
  await payBill(context, change, order, money, entryOfAnswer);
  const entry = { action: 'transfers.settle', target: paymentId, customerId } as const;
  await recordAction(tx, { ...cause, ...entry, effect: effectOf(held), paise: toPaise(held.tds) });
  return true;
}

/** What the audit log says of an answer. */
export const effectOf = ({ orderId, utr, amount, tds }: HeldTransfer) => ({
  orderId,
  utr,
  amountPaise: toPaise(amount),
  tdsPaise: toPaise(tds),
});
