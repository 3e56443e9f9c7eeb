import type { TdsPercent } from '#shared/domain/tds.ts';

/**
 * Payment by bank transfer (decision 075). The money arrives on a customer's account number at the payment provider and says nothing of what it is
 * for; its amount does. What becomes of it then is decided as for any payment (`whyRefunded`).
 */

/** How long before its plan was added a customer may have transferred money for it: a year that was typed wrong is further back. The database has it too (`first_day_of_money`). */
export const daysBeforePlan = 180;

/** An order for which the account number was asked for, by the customer or a holder of a pay link. */
export interface AskedOrder {
  id: string;
  amountPaise: number;
  /** What a customer that deducts tax (TDS) transfers less, by the percentage of the value without GST; empty where nobody may deduct it. */
  deductions: readonly Deduction[];
  /** When the account number was asked for (epoch milliseconds). */
  askedAtMs: number;
  /** Not only a holder of a pay link has asked. */
  isByCustomer: boolean;
  /** Nothing has paid for it, removed it, or replaced it for whoever asked. */
  isOpen: boolean;
  /** A transfer of this amount has arrived for it. */
  isTaken: boolean;
  /** One that may be it less tax is held for it. */
  hasHeld?: boolean;
}

/** Tax that is deducted from an order. */
export interface Deduction {
  percent: TdsPercent;
  paise: number;
}

/** What a credit is for. */
export interface CreditMeaning {
  orderId: string;
  /** It pays for the order together with this tax. */
  deduction?: Deduction & {
    /** Its customer had said so; otherwise an operator is asked. */
    isDeclared: boolean;
  };
}

/**
 * The order that a credit is for: one over exactly its amount that is still to be paid, the one that its customer asked for first if there are several, or
 * else a holder of a pay link, who so can't have the customer's money pay for something else; else one that was closed meanwhile, the latest, as its subscriptions may still be unpaid. Any other amount, or a second transfer, belongs to the latest order, which it
 * can't pay. Undefined when the customer never asked. An amount that no order is over may be that of one less tax (TDS): at the percentage that
 * the customer has declared, or at any that the law knows, of which an operator is asked. `mayBeOfLost`: the credit came before this database was restored,
 * which may have lost its order; then only what is still to be paid explains it, exactly.
 */
export function meaningOfCredit(
  paise: number,
  asked: readonly AskedOrder[],
  declared: TdsPercent | undefined,
  mayBeOfLost = false,
): CreditMeaning | undefined {
  const known = mayBeOfLost ? asked.filter(({ isOpen }) => isOpen) : asked;
  const latestFirst = known.toSorted((a, b) => b.askedAtMs - a.askedAtMs || (a.id < b.id ? 1 : -1));
  const equal = latestFirst.filter(({ amountPaise }) => amountPaise === paise);
  const wanted = equal.filter(({ isTaken }) => !isTaken);
  const meant = firstAsked(wanted) ?? wanted[0];
  if (meant) return { orderId: meant.id };
  const less = latestFirst.flatMap(({ id, amountPaise, deductions, isOpen, isByCustomer, isTaken, hasHeld = false }) =>
    deductions
      .filter((each) => !isTaken && amountPaise - each.paise === paise)
      .map((each) => ({
        orderId: id,
        isOpen,
        isByCustomer,
        hasHeld,
        deduction: { ...each, isDeclared: each.percent === declared },
      })),
  );
  const declaredLess = less.filter(({ deduction }) => deduction.isDeclared);
  const likely = declaredLess.length > 0 ? declaredLess : less;
  // Two that came for two orders of one amount are held for one order each.
  const said = firstAsked(likely.filter(({ hasHeld }) => !hasHeld)) ?? firstAsked(likely) ?? likely[0];
  if (said) return { orderId: said.orderId, deduction: said.deduction };
  const other = mayBeOfLost ? undefined : (equal[0] ?? latestFirst[0]);
  return other && { orderId: other.id };
}

/** Of what is still to be paid, what the customer asked for first; else a holder of a pay link. */
const firstAsked = <Asked extends { isOpen: boolean; isByCustomer: boolean }>(latestFirst: readonly Asked[]) =>
  latestFirst.findLast(({ isOpen, isByCustomer }) => isOpen && isByCustomer) ??
  latestFirst.findLast(({ isOpen }) => isOpen);
