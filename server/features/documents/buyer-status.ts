import type { Profile } from '#contract/account.ts';
import { BoundedMap } from '#platform/bounded-map.ts';
import { EInvoiceRefusal, EInvoiceUnavailable } from '#server/e-invoice/e-invoices.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';

/** How long an active GSTIN is not asked for again. */
const activeForMs = 6 * 3_600_000;

/** When each GSTIN was last found active, in epoch milliseconds. */
const foundActive = new WeakMap<object, BoundedMap<string, number>>();

/**
 * Refuses a payment whose invoice the invoice portal would refuse, because the buyer's GSTIN is not active. If the portal doesn't respond
 * the payment goes on: the invoice then waits for its registration, and a refusal is on the operator's work list.
 */
export async function requireActiveBuyer(portal: Portal, profile: Pick<Profile, 'gstin'> | undefined): Promise<void> {
  const { eInvoices, machineClock, log } = portal;
  const gstin = profile?.gstin ?? null;
  if (!eInvoices || gstin === null) return;
  const known = foundActive.get(eInvoices) ?? new BoundedMap<string, number>(10_000);
  foundActive.set(eInvoices, known);
  if (machineClock() - (known.get(gstin) ?? 0) < activeForMs) return;
  try {
    const status = await eInvoices.statusOf(gstin);
    if (status !== 'active') throw refuse(status === 'inactive' ? 'gstin_not_active' : 'gstin_unknown');
    known.set(gstin, machineClock());
  } catch (error) {
    if (!(error instanceof EInvoiceRefusal || error instanceof EInvoiceUnavailable)) throw error;
    log.warn({ err: error }, 'the GSTIN of a buyer could not be checked; the payment goes on');
  }
}
