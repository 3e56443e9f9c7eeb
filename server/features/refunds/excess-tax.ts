import type { Tx } from '#shared/database/connect.ts';
import { invoiceStarted, type Issuer, readExcessTax } from '#server/features/documents/documents.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { startRefund } from './refund-writer.ts';
import { selectRefundsOfPayment } from './store.ts';

/**
 * Refunds the tax of an advance that is no longer due, because the rate fell or the buyer became zero-rated before the cycle started, with
 * a refund voucher, in the transaction that invoices the rest. Once per payment and cycle. Requires the activation's lock. Returns the amount.
 */
export async function refundExcessTax(portal: Issuer, owner: Owner, tx: Tx, cycleId: string): Promise<number> {
  const excess = await readExcessTax(portal, owner, tx, cycleId);
  if (!excess) return 0;
  const refunds = await selectRefundsOfPayment(tx, excess.paymentId);
  if (refunds.some(({ cycle_id: id, origin }) => id === cycleId && origin === 'EXCESS_TAX')) return 0;
  const { currency } = await tx
    .selectFrom('payments')
    .select('currency')
    .where('provider_payment_id', '=', excess.paymentId)
    .executeTakeFirstOrThrow();
  await startRefund(portal, owner, tx, {
    ...excess,
    cycleId,
    currency,
    origin: 'EXCESS_TAX',
    reason: 'The tax on this plan is lower than when it was paid',
    from: 'CYCLE',
  });
  return excess.amountPaise;
}

/** Invoices the prepaid cycles that have started, less the tax that is no longer due. */
export function invoiceStartedCycles(portal: Portal, items = unrecorded): Promise<void> {
  return invoiceStarted(portal, (owner, tx, cycleId) => refundExcessTax(portal, owner, tx, cycleId), items);
}
