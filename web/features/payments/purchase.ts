import { z } from 'zod';
import { mandateMethods } from '#shared/domain/mandate.ts';
import { paymentFailureSchema } from '#web/features/payments/payment-failure.ts';
import { onSessionChange, readSession } from '#web/session/session.ts';
import { keptInBrowser, keptInTab } from '#web/session/storage.ts';

const purchaseSchema = z.object({
  /** The first cycle that is paid for. */
  cycleId: z.string(),
  /** Several cycles of an activation that one payment pays for (product §4.18). */
  together: z.object({ activationId: z.string(), cycleIds: z.array(z.string()) }).optional(),
  /** The customer agrees that the plan renews by itself (decision 074). */
  renewal: z.object({ activationId: z.string(), pinEachTime: z.boolean(), method: z.enum(mandateMethods) }).optional(),
});

/** What one payment pays for. */
export type Purchase = z.output<typeof purchaseSchema>;

const failedSchema = z.object({ purchase: purchaseSchema, failure: paymentFailureSchema });

/** A payment that failed, until the customer has dealt with it (product §4.22). */
export type FailedPayment = z.output<typeof failedSchema>;

export function cyclesOf({ cycleId, together }: Purchase): readonly string[] {
  return together?.cycleIds ?? [cycleId];
}

/** The state of a navigation to the business profile: what is paid for once the profile is saved. */
export function stateToPay(purchase: Purchase): { toPay: Purchase } {
  return { toPay: purchase };
}

const stateSchema = z.object({ toPay: purchaseSchema });

/** The purchase that was interrupted, where the state of a navigation has one. */
export function purchaseOfState(state: unknown): Purchase | undefined {
  return stateSchema.safeParse(state).data?.toPay;
}

/** In the browser's tab, so that it outlives a reload of the page. */
const storageKey = 'portal.failed-payment';

export function readFailedPayment(): FailedPayment | null {
  try {
    return failedSchema.safeParse(JSON.parse(keptInTab.read(storageKey) ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}

/** Keeps it; nothing of a customer who has signed out meanwhile. */
export function keepFailedPayment(failed: FailedPayment | null): void {
  if (failed !== null && readSession().token === null) return;
  keptInTab.keep(storageKey, failed === null ? null : JSON.stringify(failed));
}

const openSchema = z.object({ purchase: purchaseSchema, amount: z.string(), untilMs: z.number() });

/** A checkout that was shown: its QR code or UPI app can be approved until then, also after a reload, or on another page. */
export type OpenPayment = z.output<typeof openSchema>;

const openKey = 'portal.open-payment';

export function readOpenPayment(): OpenPayment | null {
  try {
    return openSchema.safeParse(JSON.parse(keptInTab.read(openKey) ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}

export function keepOpenPayment(open: OpenPayment | null): void {
  if (open !== null && readSession().token === null) return;
  keptInTab.keep(openKey, open === null ? null : JSON.stringify(open));
}

/** An instant says nothing of a customer, so it may stay for the next one. */
const dealtWithKey = 'portal.failed-payments-dealt-with';

/** When the customer last dismissed a failed payment or began another (epoch milliseconds): those before are dealt with. */
export function readDealtWithAt(): number {
  return Number(keptInBrowser.read(dealtWithKey) ?? 0);
}

export function keepDealtWithAt(now: number): void {
  keptInBrowser.keep(dealtWithKey, String(now));
}

// Nothing of one customer may stay for the next.
onSessionChange(() => {
  if (readSession().token !== null) return;
  keepFailedPayment(null);
  keepOpenPayment(null);
});
