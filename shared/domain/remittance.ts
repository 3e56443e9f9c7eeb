import { addDays, type Day, daysBetween } from '#shared/domain/day.ts';

/**
 * Proof that an export was paid for from abroad: a certificate or advice of foreign inward remittance from the bank or Razorpay, a bank
 * realisation certificate, or another paper of the bank.
 */
export const remittanceKinds = ['FIRC', 'FIRA', 'BRC', 'OTHER'] as const;
export type RemittanceKind = (typeof remittanceKinds)[number];

/**
 * The last day for the payment of an export of services to arrive in foreign exchange, or in rupees where the Reserve Bank permits it: one
 * year from the invoice. Without it, the tax with interest is due 15 days later (Rule 96A(1)(b)); the supply was no export (IGST Act s.2(6)).
 */
export function proofDueOn(invoicedOn: Day): Day {
  const next = `${Number(invoicedOn.slice(0, 4)) + 1}${invoicedOn.slice(4)}`;
  return next.endsWith('-02-29') ? `${next.slice(0, 4)}-02-28` : next;
}

/** The day by which the tax of an export without proof is due, with interest. */
export function taxDueOn(invoicedOn: Day): Day {
  return addDays(proofDueOn(invoicedOn), 15);
}

/** The operator is alerted this many days before the last one, and every day after it. */
const alertDays: ReadonlySet<number> = new Set([90, 60, 30, 15, 7, 3, 1, 0]);

/** Whether to alert the operator today of an export without proof. */
export function remittanceAlert(invoicedOn: Day, today: Day): { daysLeft: number; taxDueOn: Day } | undefined {
  const daysLeft = daysBetween(today, proofDueOn(invoicedOn));
  return daysLeft < 0 || alertDays.has(daysLeft) ? { daysLeft, taxDueOn: taxDueOn(invoicedOn) } : undefined;
}
