import type { CheckoutOptions } from '#web/features/payments/checkout-options.ts';

/** The details of a failed attempt. The customer may retry in the same sheet, so the cycle is not marked failed. */
interface FailedAttempt {
  error?: { description?: string };
}

interface Checkout {
  open: () => void;
  close: () => void;
  on: (event: 'payment.failed', listener: (attempt: FailedAttempt) => void) => void;
}

export type CheckoutConstructor = new (options: CheckoutOptions) => Checkout;

declare global {
  interface Window {
    Razorpay?: CheckoutConstructor;
  }
}

let loading: Promise<CheckoutConstructor> | undefined;

/** Loads the provider's checkout, once, when it is first needed (product §6.4). After a failure the next call tries again. */
export function loadCheckout(url: string): Promise<CheckoutConstructor> {
  loading ??= load(url).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(url: string): Promise<CheckoutConstructor> {
  if (window.Razorpay === undefined) {
    await new Promise<void>((resolve, reject) => {
      const script = document.createElement('script');
      script.src = url;
      script.addEventListener('load', () => resolve());
      script.addEventListener('error', () => {
        script.remove();
        reject(new Error(`the checkout could not be loaded from ${url}`));
      });
      document.head.append(script);
    });
  }
  if (window.Razorpay === undefined) throw new Error(`${url} is not the checkout`);
  return window.Razorpay;
}
