import type { CycleDates } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import type { MandateEnder, SkippedBy } from '#shared/domain/mandate.ts';
import type { NoRenewal } from '#shared/domain/renewal.ts';
import type { NoRecharge } from '#shared/domain/recharge.ts';

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

/** A shortage of units of a plan, and the pack that a debit would pay for. */
interface RechargeOf extends MandateFacts {
  packName: string;
  /** What the plan can use in all without it. */
  quotaUnits: number;
  at: Date;
}

/** What happens with the renewal and recharge of a plan by mandate (`event.ts`). */
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
  'renewal.withheld': MandateFacts & {
    reason: NoRenewal;
    toDate: Day;
    on: Day;
    /** The debit of a pack has no result, and nothing else is debited meanwhile. `cycleId`: the next period, to be paid; null: it can't be added. */
    behindRecharge?: { cycleId: string | null };
  };
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
  /** The customer agreed that a pack is debited before units run out, or to another ceiling. */
  'recharge.agreed': MandateFacts & {
    packName: string;
    units: number;
    pricePaise: number;
    monthlyPaise: number;
    /** The member who did. */
    agreedBy: string;
    at: Date;
  };
  'recharge.ended': MandateFacts & { at: Date };
  /** A pack will be debited. `askFrom`: not before. */
  'recharge.announced': RechargeOf & {
    units: number;
    amountPaise: number;
    endsAt: Date;
    askFrom: Date;
    pinEachTime: boolean;
  };
  /** Units run out, and nothing is debited. */
  'recharge.withheld': RechargeOf & { reason: NoRecharge; endsAt: Date };
  'recharge.skipped': RechargeOf & { by: SkippedBy };
  /** The debit has paid for its pack. */
  'recharge.paid': DebitFacts & { paymentId: string };
  'recharge.failed': DebitFacts & {
    paymentId: string | null;
    reason: string | null;
    isSkipped?: true;
    /** Another pack was paid meanwhile, or the plan has ended: there is nothing to do. */
    isMoot?: true;
  };
}
