import { formatMoney, toPaise } from '#shared/domain/money.ts';
import { uiTexts } from '#web/ui/texts.ts';

/** Rupees of the wire for people: 1499 → "₹1,499", 1270.34 → "₹1,270.34". A payment of another currency is in hundredths of its units as well. */
export function moneyText(rupees: number, currency = 'INR'): string {
  return formatMoney(toPaise(rupees), currency);
}

/** What a plan costs: "FREE" (product §6.1) or the rupees. */
export function priceText(rupees: number): string {
  return rupees === 0 ? uiTexts.free : moneyText(rupees);
}
