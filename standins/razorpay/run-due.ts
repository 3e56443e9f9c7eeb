import type { RazorpayParts } from '#standins/razorpay/parts.ts';
import { runDueSteps } from '#standins/razorpay/payments.ts';
import { runDueSettlements } from '#standins/razorpay/settlements.ts';

/** Does everything that is due by the stand-in's clock. */
export function runDue(parts: RazorpayParts): void {
  runDueSteps(parts);
  runDueSettlements(parts);
}
