import type { EventDocument } from '#shared/domain/bill-event.ts';

/** Why money goes back. */
export type RefundCause =
  | { origin: 'OPERATOR' | 'EXCESS_TAX' }
  /** `ofReplaced`: of a plan that another one replaced. */
  | { origin: 'PORTAL'; ofReplaced: boolean }
  /** `document`: issued with the correction, or null where it needs none. */
  | { origin: 'CORRECTION'; document: EventDocument | null }
  | { origin: 'TDS'; claimId: string }
  | { origin: 'TDS'; isWithheld: true /* Deducted from the payment, which its entry in the ledger says. */ }
  /** It was refunded without the portal, or by it before a restore. `foreignId`: the provider's id of the refund or of the lost dispute. */
  | {
      origin: 'PROVIDER' | 'DISPUTE' | 'CORRECTION' | 'TDS';
      foreignId: string;
      coversPaise: number;
      lossPaise: number;
      withheldPaise?: number;
    };

export type RefundStart = RefundCause & {
  paymentId: string;
  cycleId: string;
  /** What becomes due by it. */
  amountPaise: number;
  currency: string;
  reason: string;
  /** What the money was captured for. Money that never paid for a cycle was due since its capture, and has no documents; nor has what paid a bill. */
  from: 'CYCLE' | 'DUE' | 'REFUND';
};
