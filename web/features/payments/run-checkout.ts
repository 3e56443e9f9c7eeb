import { portalConfig } from '#web/api/config.ts';
import { type CheckoutOrder, checkoutOptions } from '#web/features/payments/checkout-options.ts';
import { loadCheckout } from '#web/features/payments/checkout-script.ts';

/**
 * How the checkout ended: with a reply to verify, closed, perhaps after attempts that failed, or overtaken by a payment that was
 * made elsewhere.
 */
export type CheckoutOutcome =
  | { kind: 'paid'; reply: unknown }
  | { kind: 'closed'; lastFailure: string | undefined }
  | { kind: 'overtaken' };

/** Shows the checkout of an order and waits for its end; aborting `overtaken` closes it. Throws when it cannot be shown. */
export async function runCheckout(
  order: CheckoutOrder,
  overtaken: AbortSignal,
  onOpen: () => void,
): Promise<CheckoutOutcome> {
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
    overtaken.addEventListener('abort', () => {
      // First, as closing may report that it was dismissed.
      resolve({ kind: 'overtaken' });
      checkout.close();
    });
    checkout.open();
    onOpen();
  });
}
