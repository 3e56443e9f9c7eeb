import type { Tx } from '#database/connect.ts';
import { invoiceStarted, type Issuer, readExcessTax } from '#server/features/documents/documents.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { promiseRefund } from './promise-refund.ts';
import { insertRefund } from './store.ts';

/**
 * Refunds the tax of an advance that is no longer due, because the rate fell or the buyer became zero-rated before the cycle started, with
 * a refund voucher, in the transaction that invoices the rest. Once per payment. Requires the activation's lock. Returns the amount.
 */
export async function refundExcessTax(portal: Issuer, caller: Caller, tx: Tx, cycleId: string): Promise<number> {
  const excess = await readExcessTax(portal, caller, tx, cycleId);
  if (!excess) return 0;
  const { currency } = await tx
    .selectFrom('payments')
    .select('currency')
    .where('provider_payment_id', '=', excess.paymentId)
    .executeTakeFirstOrThrow();
  const refund = {
    id: newId('RFD'),
    cycleId,
    ...excess,
    reason: 'The tax on this plan is lower than when it was paid',
  };
  const payout = await insertRefund(caller, tx, { ...refund, now: new Date(portal.clock()) }, 'EXCESS_TAX');
  if (!payout) return 0;
  await promiseRefund(portal, caller, tx, { ...refund, currency, from: 'CYCLE', payout, beforeInvoice: true });
  return excess.amountPaise;
}

/** Invoices the prepaid cycles that have started, less the tax that is no longer due. */
export function invoiceStartedCycles(portal: Portal, items = unrecorded): Promise<void> {
  return invoiceStarted(portal, (caller, tx, cycleId) => refundExcessTax(portal, caller, tx, cycleId), items);
}
