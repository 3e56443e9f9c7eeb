import type { Profile } from '#shared/contract/account.ts';
import { BoundedMap } from '#shared/platform/bounded-map.ts';
import { isOfInvoicePortal } from '#server/e-invoice/e-invoices.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';

/** How long an active GSTIN is not asked for again. */
const activeForMs = 6 * 3_600_000;

/** When each GSTIN was last found active, in milliseconds of this process. */
const foundActive = new WeakMap<object, BoundedMap<string, number>>();

type Asked = Pick<Portal, 'eInvoices' | 'log'>;
type AskedBuyer = Pick<Profile, 'gstin'> | undefined;
type StatusRefusal = 'gstin_not_active' | 'gstin_unknown';

const mayInvoice: unique symbol = Symbol('may invoice');
/**
 * Proof that an invoice may name a buyer: the GST portal was asked about the GSTIN, or the buyer has paid, so that nothing can be refused any more.
 * Whatever issues or amends an invoice requires it.
 */
export interface MayInvoice {
  readonly [mayInvoice]: true;
}
const proof: MayInvoice = { [mayInvoice]: true };

/** The buyer has paid: a refusal of the invoice portal is then on the operator's work list. */
export const hasPaid: MayInvoice = proof;

/** A buyer about whom the GST portal was asked. */
export interface BuyerStatus {
  gstin: string | null;
  refusal: StatusRefusal | undefined;
}

/**
 * Asks the GST portal about the GSTIN of a buyer; not within a transaction, as it may take long. If it doesn't respond nothing is refused: the invoice
 * then waits for its registration, and a refusal is on the operator's work list.
 */
export async function askAboutBuyer({ eInvoices, log }: Asked, profile: AskedBuyer): Promise<BuyerStatus> {
  const gstin = profile?.gstin ?? null;
  if (!eInvoices || gstin === null) return { gstin, refusal: undefined };
  const known = foundActive.get(eInvoices) ?? new BoundedMap<string, number>(10_000);
  foundActive.set(eInvoices, known);
  const now = performance.now();
  if (now - (known.get(gstin) ?? -Infinity) < activeForMs) return { gstin, refusal: undefined };
  try {
    const status = await eInvoices.statusOf(gstin);
    if (status !== 'active') return { gstin, refusal: status === 'inactive' ? 'gstin_not_active' : 'gstin_unknown' };
    known.set(gstin, now);
  } catch (error) {
    if (!isOfInvoicePortal(error)) throw error;
    log.warn({ err: error }, 'the GSTIN of a buyer could not be checked, and is taken as active');
  }
  return { gstin, refusal: undefined };
}

/** Refuses an invoice that the invoice portal would refuse, because the buyer's GSTIN is not active. */
export function requireActive({ refusal }: BuyerStatus): MayInvoice {
  if (refusal !== undefined) throw refuse(refusal);
  return proof;
}

/** The same before a payment. */
export async function requireActiveBuyer(portal: Asked, profile: AskedBuyer): Promise<MayInvoice> {
  return requireActive(await askAboutBuyer(portal, profile));
}
