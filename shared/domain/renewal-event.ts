import type { CycleDates } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import type { MandateEnder, NoRenewal, SkippedBy } from '#shared/domain/mandate.ts';

/** `cycleId`: the last period of the plan that it renews. */
interface MandateFacts {
  mandateId: string;
  activationId: string;
  planName: string;
  cycleId: string;
}

/** A debit of a period, by a mandate. */
interface DebitFacts {
  debitId: string;
  mandateId: string;
  cycleId: string;
  attempt: number;
  amountPaise: number;
}

/** What happens with the renewal of a plan by mandate (`event.ts`). */
export interface RenewalEvents {
  /** The customer's bank has confirmed that a plan renews by itself. */
  'mandate.confirmed': MandateFacts & { ceilingPaise: number; expiresOn: Day; pinEachTime: boolean };
  'mandate.ended': MandateFacts & { endedBy: MandateEnder | 'REPLACED' };
  /** The next period will be debited. `debitOn`: not before. */
  'renewal.announced': MandateFacts & {
    dates: CycleDates;
    amountPaise: number;
    debitOn: Day;
    pinEachTime: boolean;
    /** The price of what the customer had added for these days on terms that are not on sale any more. */
    replacesPaise: number | null;
    /** When this is said. */
    on: Day;
    /** It was withheld for days that were given, and these were taken away: maybe on the same day. */
    isAgain?: true;
  };
  /** The next period won't be debited, so that the plan ends. `cycleId`: the running one. */
  'renewal.withheld': MandateFacts & { reason: NoRenewal; toDate: Day; on: Day };
  /** The next period won't be debited: by the customer here, by its payer at the bank, or as it was removed or cancelled. */
  'renewal.skipped': MandateFacts & { firstDay: Day; by: SkippedBy; at: Date };
  /** The customer took that back. */
  'renewal.resumed': MandateFacts & { firstDay: Day; at: Date };
  /** The debit has paid for its period. */
  'renewal.paid': DebitFacts & { paymentId: string };
  /** `paymentId`: null when the provider refused to make one. */
  'renewal.failed': DebitFacts & {
    paymentId: string | null;
    reason: string | null;
    againOn: Day | null;
    /** The provider has given days: the period after them is announced in its own time. */
    isAnnouncedAnew?: true;
    /** By its payer, after the bank's notice. */
    isSkipped?: true;
  };
}
