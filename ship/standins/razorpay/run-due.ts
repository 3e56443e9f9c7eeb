import { runDueDebits } from '#ship/standins/razorpay/debits.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { runDueSteps } from '#ship/standins/razorpay/payments.ts';
import { runDueSettlements } from '#ship/standins/razorpay/settlements.ts';
import { runDueVirtualAccounts } from '#ship/standins/razorpay/virtual-accounts.ts';

/** Does everything that is due by the stand-in's clock. */
export function runDue(parts: RazorpayParts): void {
  runDueDebits(parts);
  runDueSteps(parts);
  runDueVirtualAccounts(parts);
  runDueSettlements(parts);
}
