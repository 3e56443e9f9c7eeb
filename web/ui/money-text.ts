import { formatRupees, toPaise } from '#shared/domain/money.ts';
import { uiTexts } from '#web/ui/texts.ts';

/** Rupees of the wire for people: 1499 → "₹1,499", 1270.34 → "₹1,270.34". */
export function moneyText(rupees: number): string {
  return formatRupees(toPaise(rupees));
}

/** What a plan costs: "FREE" (product §6.1) or the rupees. */
export function priceText(rupees: number): string {
  return rupees === 0 ? uiTexts.free : moneyText(rupees);
}
