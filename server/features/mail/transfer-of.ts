import type { Tx } from '#shared/database/connect.ts';
import { canPayItsOrder } from '#server/features/bank-transfers/bank-transfers.ts';
import type { Owner } from '#server/portal.ts';

/** The bank transfer that a payment was. */
export interface TransferPaid {
  utr: string;
  /** Set where it could not pay, being another amount than its order: what the order is over, while it can still be paid. */
  wrong?: { duePaise: number | undefined; tdsPercent: number | null };
}

/** Undefined for any other payment. */
export async function transferOf(owner: Owner, tx: Tx, paymentId: string): Promise<TransferPaid | undefined> {
  const transfer = await tx
    .selectFrom('bank_transfers')
    .innerJoin('payment_orders', 'payment_orders.id', 'bank_transfers.order_id')
    .leftJoin('virtual_accounts', 'virtual_accounts.customer_id', 'bank_transfers.customer_id')
    .select(['bank_transfers.utr', 'payment_orders.amount_paise', 'payment_orders.status'])
    .select('virtual_accounts.tds_percent')
    .select(canPayItsOrder.as('can_pay'))
    .where('bank_transfers.payment_id', '=', paymentId)
    .where('bank_transfers.customer_id', '=', owner.customerId)
    .executeTakeFirst();
  if (!transfer) return undefined;
  const { utr, status, tds_percent: tdsPercent } = transfer;
  if (transfer.can_pay) return { utr };
  const isOpen = status === 'CREATING' || status === 'OPEN';
  return { utr, wrong: { duePaise: isOpen ? transfer.amount_paise : undefined, tdsPercent } };
}
