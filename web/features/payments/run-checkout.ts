import type { CallReply } from '#contract/call.ts';
import type { createOrder } from '#contract/payments.ts';
import { portalConfig } from '#web/api/config.ts';
import { checkoutOptions } from '#web/features/payments/checkout-options.ts';
import { loadCheckout } from '#web/features/payments/checkout-script.ts';

/** How the checkout ended: with a reply to verify, or closed, perhaps after attempts that failed. */
export type CheckoutOutcome = { kind: 'paid'; reply: unknown } | { kind: 'closed'; lastFailure: string | undefined };

/** Shows the checkout of an order and waits for its end. Throws when the checkout cannot be shown. */
export async function runCheckout(order: CallReply<typeof createOrder>, onOpen: () => void): Promise<CheckoutOutcome> {
  const provider = portalConfig();
  const Checkout = await loadCheckout(provider.checkoutScriptUrl);
  return new Promise((resolve) => {
    // Several attempts may fail in one sheet before one succeeds: only the latest error is kept, and nothing is
    // decided.
    let lastFailure: string | undefined;
    const checkout = new Checkout(
      checkoutOptions(order, provider, {
        paid: (reply) => resolve({ kind: 'paid', reply }),
        dismissed: () => resolve({ kind: 'closed', lastFailure }),
      }),
    );
    checkout.on('payment.failed', (attempt) => {
      lastFailure = attempt.error?.description;
    });
    checkout.open();
    onOpen();
  });
}
