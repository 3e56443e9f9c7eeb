import { z } from 'zod';
import type { CallReply } from '#shared/contract/call.ts';
import type { createOrder } from '#shared/contract/payments.ts';
import type { PortalConfig } from '#shared/contract/portal-config.ts';
import { toPaise } from '#shared/domain/money.ts';

/**
 * The result that the checkout passes to `handler`: a payment that seems successful. Only the server can confirm it.
 */
export const checkoutReplySchema = z.object({
  razorpay_payment_id: z.string(),
  razorpay_order_id: z.string(),
  razorpay_signature: z.string(),
});

/** The options of Razorpay's Standard Checkout that the portal sets. */
export interface CheckoutOptions {
  key: string;
  /** In paise; must be the order's. */
  amount: number;
  currency: string;
  name: string;
  description: string;
  order_id: string;
  prefill: { name: string; email: string; contact: string };
  theme: { color: string };
  retry: { enabled: boolean };
  config: { display: { hide: { method: 'upi'; flows: ['collect'] }[] } };
  modal: { ondismiss: () => void };
  handler: (reply: unknown) => void;
  /** Asks for the mandate that the order carries. */
  recurring?: 1;
  customer_id?: string;
}

/** `mandate`: the payer agrees to later debits with it. */
export type CheckoutOrder = Pick<CallReply<typeof createOrder>, 'orderId' | 'amount' | 'currency' | 'customer'> & {
  mandate?: { customerId: string } | null;
};

/** The description of the checkout is fixed, as is the green of the shipped brand (product §6.4). */
const description = 'API Service Payment';

/** The checkout of an order. */
export function checkoutOptions(
  order: CheckoutOrder,
  provider: Pick<PortalConfig, 'checkoutKeyId' | 'providerName' | 'brand'>,
  on: { paid: (reply: unknown) => void; dismissed: () => void },
): CheckoutOptions {
  return {
    key: provider.checkoutKeyId,
    amount: toPaise(order.amount),
    currency: order.currency,
    name: provider.providerName,
    description,
    order_id: order.orderId,
    prefill: order.customer,
    theme: { color: provider.brand.accent },
    retry: { enabled: true },
    // Since 28 February 2026 nobody may be asked for a UPI ID on a desktop or Android: a QR code or an app instead.
    config: { display: { hide: [{ method: 'upi', flows: ['collect'] }] } },
    modal: { ondismiss: on.dismissed },
    handler: on.paid,
    ...(order.mandate && { recurring: 1, customer_id: order.mandate.customerId }),
  };
}
