import type { RenewalEffect } from '#shared/contract/renewal-effect.ts';
import type { PaidOut } from '#shared/domain/refund-payout.ts';
import type { PackEnd } from '#server/features/cycles/cycles.ts';

/** What an operator asks to be refunded. */
export interface RefundOrder {
  /** A payment (`pay_…`), an order (`order_…`, `ORD-…`), or a plan (`CYC-…`). */
  of: string;
  /** What the customer gets; all that is left when not given. */
  amountPaise?: number | undefined;
  /** For the audit log, the customer and the credit note. */
  reason: string;
}

/** The refund of one plan, as it is shown before and after. */
export interface CycleRefund {
  cycleId: string;
  planName: string;
  amountPaise: number;
  /** What of that never came, as its customer had withheld it as tax (TDS): it is not paid out. */
  withheldPaise: number;
  /** What of that lowers what is due of its bill on credit terms: it is not paid out either. */
  offsetPaise: number;
  /** What of its price is left afterwards. */
  leftPaise: number;
  /** The document that goes with it. */
  paper: 'CREDIT_NOTE' | 'REFUND_VOUCHER';
  endsCycle: boolean;
  /** What it does to the plan. */
  effect: 'goes on' | 'ends' | 'is cancelled' | 'has ended';
  /** `TRANSFER`: Razorpay can't pay it, the operator transfers it. */
  payout: PaidOut;
  /** Paid packs that end with the plan. */
  packs: PackEnd[];
}

export interface RefundPlan extends RenewalEffect {
  paymentId: string;
  customerId: string;
  /** What the customer gets, with what packs give back. */
  totalPaise: number;
  cycles: CycleRefund[];
  /** A dispute keeps the money waiting until it is decided. */
  waitsForDispute: boolean;
}

/** `already`: the same refunds were made before, and nothing was done. */
export type RefundResult = RefundPlan & { refundIds: string[]; already: boolean; effectiveBy: string | null };
