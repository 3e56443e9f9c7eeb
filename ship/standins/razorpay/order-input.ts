import { badRequest } from '#ship/standins/razorpay/errors.ts';
import type { Order } from '#ship/standins/razorpay/entities.ts';
import { randomId } from '#ship/standins/razorpay/ids.ts';
import {
  isFields,
  readAmount,
  readCurrency,
  readFields,
  readNotes,
  readReceipt,
} from '#ship/standins/razorpay/input.ts';
import type { OrderRecord } from '#ship/standins/razorpay/ledger.ts';
import { readMandate, readNotification } from '#ship/standins/razorpay/mandate-input.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';

const orderFields = [
  'amount',
  'currency',
  'receipt',
  'notes',
  'partial_payment',
  'first_payment_min_amount',
  'payment',
  'payment_capture',
  'customer_id',
  'method',
  'token',
  'notification',
];

const maxExpiryMinutes = 7_200;

function readExpiry(value: unknown, field: string, atLeast: number): number {
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= atLeast && value <= maxExpiryMinutes;
  if (!isValid)
    throw badRequest(`The ${field} must be between ${atLeast} and ${maxExpiryMinutes}.`, `payment.${field}`);
  return value;
}

/** The order's own capture setting; without one, payments are captured automatically. */
function readCapture(payment: unknown): OrderRecord['capture'] {
  if (payment === undefined) return 'automatic';
  if (!isFields(payment)) throw badRequest('The payment must be an object.', 'payment');
  const { capture, capture_options: options } = payment;
  if (capture === undefined) throw badRequest('The payment.capture field is required.', 'payment.capture');
  if (capture !== 'automatic' && capture !== 'manual')
    throw badRequest('The selected payment.capture is invalid.', 'payment.capture');
  if (options === undefined) return capture;
  if (!isFields(options)) throw badRequest('The payment.capture_options must be an object.', 'payment.capture_options');
  const { automatic_expiry_period: automatic, manual_expiry_period: manual, refund_speed: speed } = options;
  if (capture === 'automatic' && automatic === undefined) {
    throw badRequest('The automatic_expiry_period field is required.', 'payment.automatic_expiry_period');
  }
  const shortest = automatic === undefined ? 12 : readExpiry(automatic, 'automatic_expiry_period', 12);
  if (manual !== undefined && manual !== null) readExpiry(manual, 'manual_expiry_period', shortest);
  if (speed !== undefined && speed !== 'normal' && speed !== 'optimum') {
    throw badRequest('The selected refund_speed is invalid.', 'payment.refund_speed');
  }
  return capture;
}

/** Checks the body of `POST /v1/orders` and creates the order. */
export function readNewOrder(parts: RazorpayParts, body: unknown): OrderRecord {
  const fields = readFields(body, orderFields);
  const amount = readAmount(fields['amount']);
  const nowMs = parts.now();
  const notification = readNotification(parts, fields['notification'], nowMs);
  const order: Order = {
    id: `order_${randomId()}`,
    entity: 'order',
    amount,
    amount_paid: 0,
    amount_due: amount,
    currency: readCurrency(fields['currency']),
    receipt: readReceipt(fields['receipt']),
    offer_id: null,
    status: 'created',
    attempts: 0,
    notes: readNotes(fields['notes']),
    created_at: Math.floor(nowMs / 1000),
    ...(notification && { notification }),
  };
  return { order, capture: readCapture(fields['payment']), ...readMandate(parts, fields, nowMs) };
}
