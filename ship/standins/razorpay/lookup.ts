import { unknownId } from '#ship/standins/razorpay/errors.ts';
import type { PaymentRecord } from '#ship/standins/razorpay/ledger.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';

/** The order of this id; a transfer has none. */
export function findOrder(parts: RazorpayParts, id: string | null) {
  const record = parts.ledger.state.orders.get(id ?? '');
  if (!record) throw unknownId();
  return record;
}

export function findPayment(parts: RazorpayParts, id: string): PaymentRecord {
  const record = parts.ledger.state.payments.get(id);
  if (!record) throw unknownId();
  return record;
}

export function paymentsOf(parts: RazorpayParts, orderId: string): PaymentRecord[] {
  return [...parts.ledger.state.payments.values()].filter(({ payment }) => payment.order_id === orderId).toReversed();
}

export function savePayment(parts: RazorpayParts, record: PaymentRecord): PaymentRecord {
  parts.ledger.save({ kind: 'payment', value: record });
  return record;
}
