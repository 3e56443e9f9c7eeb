import { addDays, type Day, daysBetween } from '#shared/domain/day.ts';

/**
 * The invoice portal accepts a document for 30 days from its date, of suppliers with a turnover of ₹10 crore or more (GSTN advisory of 5
 * November 2024, from 1 April 2025). An invoice that is not registered is no tax invoice (Rule 48(5)).
 */
const reportingDays = 30;

/** The last day on which a document can be registered. */
export function reportBy(issuedOn: Day): Day {
  return addDays(issuedOn, reportingDays);
}

/** The operator is alerted this many days before the last one. */
const alertDays: ReadonlySet<number> = new Set([20, 10, 5, 2, 1, 0]);

/** Whether to alert the operator today of a document that is not registered: on fixed days, and every day once it is too late. */
export function deadlineAlert(issuedOn: Day, today: Day): { lastDay: Day; daysLeft: number } | undefined {
  const lastDay = reportBy(issuedOn);
  const daysLeft = daysBetween(today, lastDay);
  return daysLeft < 0 || alertDays.has(daysLeft) ? { lastDay, daysLeft } : undefined;
}

/** A document that waits for its registration, as the operator sees it. */
export const waitStates = ['pending', 'refused', 'overdue'] as const;
export type WaitState = (typeof waitStates)[number];

/**
 * The invoice portal's codes for a GSTIN that is invalid (3028), not active (3029), cancelled (3074, 3075), inactive (3076), or registered after
 * the date of the document (3077 to 3079). It has them for the buyer's and for the supplier's: who gets one asks about the supplier's.
 */
const gstinCodes: ReadonlySet<string> = new Set(['3028', '3029', '3074', '3075', '3076', '3077', '3078', '3079']);

/** Whether a final refusal of the invoice portal is about the buyer's GSTIN: it is invalid or not active. The supplier's is known to be active. */
export const isOfBuyer = (refusedCode: string): boolean => gstinCodes.has(refusedCode);

/** The operator's ways out for a document that is not registered, in the order in which to try them. */
export function waysOut(state: WaitState, number: string, refusedCode: string | null): string[] {
  const retry = `octroi e-invoices retry ${number} --reason "…"`;
  const reissue =
    'The customer corrects the business details and then the buyer of the invoice (Billing Portal): a credit note and a new invoice follow, and this document leaves the list';
  if (state === 'pending')
    return ['Nothing to do: it is retried every day. If it stays, check GSP_* and E_INVOICE_*, and the log'];
  if (state === 'overdue')
    return [
      `The invoice portal no longer accepts it. ${reissue}`,
      'Report the invoice in GSTR-1, and ask your accountant',
    ];
  if (refusedCode !== null && isOfBuyer(refusedCode)) return [reissue, `If the GSTIN has been restored: ${retry}`];
  return [`Mend the cause that the portal names, then: ${retry}`, reissue];
}

/** "to be registered by 2026-12-20 (1 day)", and in the past when that day is over. */
export function deadlineText(lastDay: Day, daysLeft: number): string {
  const days = Math.abs(daysLeft) === 1 ? '1 day' : `${Math.abs(daysLeft)} days`;
  return daysLeft < 0 ? `was to be registered by ${lastDay} (${days} ago)` : `to be registered by ${lastDay} (${days})`;
}
