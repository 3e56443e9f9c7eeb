/**
 * Payment by bank transfer (decision 075). The money arrives on a customer's account number at the payment provider and says nothing of what it is
 * for; its amount does. What becomes of it then is decided as for any payment (`whyRefunded`).
 */

/** An order for which its customer asked for the account number. */
export interface AskedOrder {
  id: string;
  amountPaise: number;
  /** When the account number was asked for (epoch milliseconds). */
  askedAtMs: number;
  /** Nothing has paid for it, replaced or removed it. */
  isOpen: boolean;
  /** A transfer of this amount has arrived for it. */
  isTaken: boolean;
}

/**
 * The order that a credit is for: one over exactly its amount that is still to be paid, the one asked for first if there are several; else one that was
 * closed meanwhile, the latest, as its subscriptions may still be unpaid. Any other amount, or a second transfer, belongs to the latest order, which it
 * can't pay. Undefined when the customer never asked.
 */
export function orderOfCredit(paise: number, asked: readonly AskedOrder[]): string | undefined {
  const latestFirst = asked.toSorted((a, b) => b.askedAtMs - a.askedAtMs || (a.id < b.id ? 1 : -1));
  const equal = latestFirst.filter(({ amountPaise }) => amountPaise === paise);
  const wanted = equal.filter(({ isTaken }) => !isTaken);
  const meant = wanted.findLast(({ isOpen }) => isOpen) ?? wanted[0] ?? equal[0] ?? latestFirst[0];
  return meant?.id;
}
