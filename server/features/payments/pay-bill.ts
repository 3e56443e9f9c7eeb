import type { AccessChange } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { type BillFacts, whyBillUnpaid } from '#shared/domain/pay-later.ts';
import type { TdsPercent } from '#shared/domain/tds.ts';
import { withheldPaise } from '#shared/domain/tds.ts';
import { readErased } from '#server/features/account/account.ts';
import {
  announceUnpaid,
  reinstate,
  selectBill,
  selectInvoiceOfBill,
  selectTaxableOfBill,
} from '#server/features/credit/credit.ts';
import { type Issuer, referenceTo } from '#server/features/documents/documents.ts';
import { happened } from '#server/features/events/events.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import { startRefund } from '#server/features/refunds/refunds.ts';
import { closeLiveOrders, type OrderRow, updateOrderPaid } from './store.ts';
import { type CapturedMoney, type EntryOf, sumOfWithheld } from './use-money.ts';

/** Paying a bill of what was sold on credit terms (decision 081). It was invoiced when it was sold, so the payment has no document. */

/** Why captured money can't pay the bill of its order, if it can't. Requires the activation's lock. */
export async function whyUnusableForBill(
  tx: Tx,
  order: Pick<OrderRow, 'cycle_id' | 'customer_id' | 'amount_paise' | 'currency'>,
  money: CapturedMoney,
): Promise<string | undefined> {
  const bill = await selectBill(tx, order.cycle_id);
  const facts: BillFacts = {
    orderPaise: order.amount_paise,
    paidPaise: money.amountPaise + sumOfWithheld(money),
    isSameCurrency: money.currency === order.currency,
    isGone: money.isGone,
    isErased: (await readErased({ customerId: order.customer_id }, tx)) !== null,
    owedPaise: bill?.owed_paise ?? 0,
  };
  return whyBillUnpaid(facts);
}

/**
 * What a business may deduct from a bill as tax (TDS): of the value of its invoice, while it is due as it was sold. Nothing else offers it: whatever shows,
 * matches or takes an amount less tax asks here.
 */
export async function withheldOfBill(tx: Db | Tx, cycleId: string, percent: TdsPercent): Promise<number[]> {
  const taxablePaise = await selectTaxableOfBill(tx, cycleId);
  return taxablePaise === undefined ? [] : [withheldPaise(taxablePaise, percent)];
}

/** The money pays the bill of its order. The payment is stored as doing so by the caller. Requires the activation's lock. */
export async function payBill(
  context: Issuer,
  change: AccessChange,
  order: OrderRow,
  money: CapturedMoney,
  entryOf: EntryOf<'DUE'>,
): Promise<void> {
  const { tx } = change;
  const { cycle_id: cycleId, customer_id: customerId, amount_paise: paise } = order;
  const { paymentId, currency } = money;
  const owner = { customerId };
  const bill = await selectBill(tx, cycleId);
  if (!bill) throw new Error(`order ${order.id} is of no bill`);
  await announceUnpaid(owner, change);
  const withheld = sumOfWithheld(money);
  await reinstate(context, tx, cycleId);
  const entry = entryOf({ paymentId, cycleId, customerId, currency }, { use: 'DUE', paise, withheldPaise: withheld });
  await postEntry(tx, entry, new Date(context.clock()));
  if (withheld > 0) {
    // It is a part of the price, which the promise stands for.
    const deducted = { paymentId: bill.payment_id, cycleId, amountPaise: withheld, currency, from: 'CYCLE' } as const;
    const reason = 'Tax deducted at source (TDS)';
    await startRefund(context, owner, tx, { ...deducted, origin: 'TDS', isWithheld: true, reason });
  }
  await closeLiveOrders(tx, [cycleId]);
  await updateOrderPaid(tx, order.id);
  const invoice = await selectInvoiceOfBill(tx, cycleId);
  await happened(context, owner, tx, {
    type: 'bill.paid',
    cycleId,
    paymentId,
    amountPaise: money.amountPaise,
    withheldPaise: withheld,
    utr: money.utr ?? null,
    invoice: { id: invoice.id, ...referenceTo(invoice) },
  });
}
