import {
  type CycleDates,
  grantsAccess,
  type Phase,
  phaseOf,
  type StoredStatus,
  type UnitsTaken,
  unusedOf,
} from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import {
  leftAtProvider,
  leftOf,
  type PaidBack,
  type Payout,
  payoutOf,
  refundOfUnused,
  withheldOfRefund,
} from '#shared/domain/refund-payout.ts';

/**
 * How a cycle ends before its last day, and what becomes of its money and its packs (product §4.12, decision 062). It ends by its date alone without
 * any of this.
 *
 * | the cycle | `deactivated`, by its customer, the operator or an erasure; `replaced`, by a switch or a grant | `refunded`: its whole price went back |
 * | --- | --- | --- |
 * | waits for its payment | `REMOVED`; a payment that still arrives is refunded | |
 * | upcoming | `REFUNDED` with all that is left, `DEACTIVATED` where nothing was paid; cancelled | `REFUNDED`; cancelled |
 * | running | `DEACTIVATED` with what is unused, if its plan says so and the provider can pay it; ended | `REFUNDED`; ended |
 * | over | | `REFUNDED`, and nobody hears of an end |
 * | a paid pack by itself | | `REFUNDED`, and its cycle goes on |
 *
 * `ended_before`: a running one ended and was refunded before the database was restored from a backup; it is `DEACTIVATED` with its packs, without a refund.
 *
 * The packs end with it: unpaid ones are removed, untouched ones refunded if the plan refunds what is unused.
 */
export type EndCause = 'deactivated' | 'replaced' | 'refunded' | 'ended_before';

/** Why we keep money of a cycle that has ended. */
export type KeptFor =
  /** Its days or units were used. */
  | 'USED'
  /** Its plan does not refund what is unused. */
  | 'LAPSED'
  /** The provider refunds nothing below a rupee. */
  | 'TOO_LITTLE'
  /** The customer deducted it as tax, and the provider has it no more. */
  | 'DEDUCTED';

/** A cycle or pack with its money. */
export interface EndingCycle extends CycleDates, PaidBack {
  id: string;
  planName: string;
  status: StoredStatus;
  isPack: boolean;
  /** What of the money that went back was tax that was not due. */
  excessTaxPaise: number;
  /** Null while nothing was paid. */
  capturedOn: Day | null;
  /** It was paid to our own bank account, or sold on credit terms. */
  isOwnTransfer: boolean;
  /** What is still due of what was sold on credit terms. */
  duePaise?: number;
  units: UnitsTaken;
  maxDays: number;
  /** Does its plan refund what is unused? */
  isRefunding: boolean;
}

export interface EndingPack {
  cycle: EndingCycle;
  /** Paid, and no unit of it was taken. */
  isUntouched: boolean;
}

/** What becomes of the money of one cycle or pack. All that it cost went back before, is refunded now, or is kept. */
export interface EndedMoney {
  refundPaise: number;
  /** What of the refund never came, as the customer had withheld it as tax (TDS): it is not paid out. */
  withheldPaise: number;
  /** What of the refund is paid by bank transfer, as the provider can't send it back the way it was paid. */
  transferPaise: number;
  /** What of it lowers a bill on credit terms instead. */
  offsetPaise: number;
  kept: { why: KeptFor; paise: number }[];
}

/** How one cycle or pack ends. */
export interface EndedOne extends EndedMoney {
  id: string;
  planName: string;
  status: 'REMOVED' | 'DEACTIVATED' | 'REFUNDED';
  /** For the customer, of the refund; undefined when there is none. */
  reason: string | undefined;
  /** Is the refund of a plan that another one replaced? */
  ofReplaced?: boolean;
}

export interface CycleEnd extends EndedOne {
  kind: 'remove' | 'deactivate' | 'cancel';
  unusedDays: number;
  unusedPaise: number;
  packs: EndedOne[];
  /** What customers hear; undefined where there was no access to end. */
  event: PortalEvent<'cycle.ended' | 'cycle.cancelled'> | undefined;
}

/** How a cycle ends on a day, for a cause; undefined when it can't: it has ended, or is a pack that ends with its cycle. */
export function endOf(
  cycle: EndingCycle,
  packs: readonly EndingPack[],
  cause: EndCause,
  today: Day,
): CycleEnd | undefined {
  const end = endOfOne(cycle, cause, today);
  const refundsPacks = cycle.isRefunding && cause !== 'ended_before';
  return end && { ...end, packs: packs.map((pack) => endOfPack(pack, refundsPacks, today)) };
}

type EndWithoutPacks = Omit<CycleEnd, 'packs'>;

function endOfOne(cycle: EndingCycle, cause: EndCause, today: Day): EndWithoutPacks | undefined {
  const { id: cycleId, planName, status } = cycle;
  const phase = phaseOf(cycle, today);
  if (cause === 'refunded') return status === 'PAID' ? endOfRefunded(cycle, phase) : undefined;
  if (status === 'PAYMENT_PENDING') {
    const nothing = { unusedDays: 0, unusedPaise: 0, ...moneyOf(cycle, 0, [], today), reason: undefined };
    return { id: cycleId, planName, status: 'REMOVED', kind: 'remove', ...nothing, event: undefined };
  }
  if (!grantsAccess(status) || phase === 'over' || cycle.isPack) return undefined;
  // Money that was refunded already, through the portal or at the provider, is not refunded again.
  const leftPaise = leftOf(cycle);
  if (cause === 'ended_before') return phase === 'running' ? endOfEndedBefore(cycle, leftPaise, today) : undefined;
  if (phase === 'upcoming') {
    return {
      id: cycleId,
      planName,
      status: leftPaise > 0 ? 'REFUNDED' : 'DEACTIVATED',
      kind: 'cancel',
      unusedDays: cycle.maxDays,
      unusedPaise: leftPaise,
      ...moneyOf(cycle, leftPaise, [], today),
      reason: 'Cancelled before it started',
      event: { type: 'cycle.cancelled', cycleId, refundPaise: leftPaise - withheldOfRefund(cycle, leftPaise) },
    };
  }
  const unused = unusedOf(cycle, cycle.units, cycle.paidPaise - cycle.excessTaxPaise, today);
  const unusedPaise = Math.min(unused.paise, leftPaise);
  const refundPaise = cycle.isRefunding ? refundOfUnused(cycle, unusedPaise) : 0;
  const kept = [
    keep('USED', leftPaise - unusedPaise),
    keep(cycle.isRefunding ? 'TOO_LITTLE' : 'LAPSED', unusedPaise - refundPaise),
  ];
  return {
    id: cycleId,
    planName,
    status: 'DEACTIVATED',
    kind: 'deactivate',
    unusedDays: unused.days,
    unusedPaise,
    ...moneyOf(cycle, refundPaise, kept, today),
    reason: `Unused days of a ${cause} plan`,
    ofReplaced: cause === 'replaced',
    event: { type: 'cycle.ended', cycleId, reason: cause },
  };
}

/** What was unused of it then went back. */
function endOfEndedBefore(cycle: EndingCycle, leftPaise: number, today: Day): EndWithoutPacks {
  const { id: cycleId, planName } = cycle;
  return {
    id: cycleId,
    planName,
    status: 'DEACTIVATED',
    kind: 'deactivate',
    unusedDays: 0,
    unusedPaise: 0,
    ...moneyOf(cycle, 0, [keep('USED', leftPaise)], today),
    reason: undefined,
    event: { type: 'cycle.ended', cycleId, reason: 'deactivated' },
  };
}

/** Its money went back before. */
function endOfRefunded(cycle: EndingCycle, phase: Phase): EndWithoutPacks {
  const { id: cycleId, planName, paidPaise: refundPaise } = cycle;
  const event = {
    upcoming: { type: 'cycle.cancelled', cycleId, refundPaise },
    running: { type: 'cycle.ended', cycleId, reason: 'refunded' },
    over: undefined,
  } as const;
  return {
    id: cycleId,
    planName,
    status: 'REFUNDED',
    kind: phase === 'upcoming' ? 'cancel' : 'deactivate',
    unusedDays: 0,
    unusedPaise: 0,
    refundPaise: 0,
    offsetPaise: 0,
    withheldPaise: 0,
    transferPaise: 0,
    kept: keep('DEDUCTED', leftOf(cycle)),
    reason: undefined,
    // A pack gave no access of its own.
    event: cycle.isPack ? undefined : event[phase],
  };
}

/** A pack is refunded whole, if no unit of it was taken and the plan's rule refunds what was not used; otherwise not at all. */
function endOfPack({ cycle, isUntouched }: EndingPack, isRefunding: boolean, today: Day): EndedOne {
  const { id, planName, status } = cycle;
  if (status === 'PAYMENT_PENDING')
    return { id, planName, status: 'REMOVED', ...moneyOf(cycle, 0, [], today), reason: undefined };
  const leftPaise = leftOf(cycle);
  const refundPaise = isUntouched && isRefunding ? leftPaise : 0;
  const kept = [keep(isUntouched ? 'LAPSED' : 'USED', leftPaise - refundPaise)];
  return {
    id,
    planName,
    status: refundPaise > 0 ? 'REFUNDED' : 'DEACTIVATED',
    ...moneyOf(cycle, refundPaise, kept, today),
    reason: 'Unused pack of a plan that ended',
  };
}

const keep = (why: KeptFor, paise: number): EndedMoney['kept'] => (paise > 0 ? [{ why, paise }] : []);

function moneyOf(cycle: EndingCycle, refundPaise: number, kept: EndedMoney['kept'][], today: Day): EndedMoney {
  const withheldPaise = withheldOfRefund(cycle, refundPaise);
  const cashPaise = refundPaise - withheldPaise;
  const { payout, offsetPaise } = payoutOfEnd(cycle, cashPaise, today);
  const transferPaise = payout === 'TRANSFER' ? cashPaise - offsetPaise : 0;
  return { refundPaise, withheldPaise, transferPaise, offsetPaise, kept: kept.flat() };
}

/** How a refund that is started today is paid out. */
function payoutOfEnd(
  cycle: EndingCycle,
  amountPaise: number,
  today: Day,
): Partial<Payout> & Pick<Payout, 'offsetPaise'> {
  const { capturedOn, isOwnTransfer, duePaise = 0 } = cycle;
  if (amountPaise === 0 || capturedOn === null) return { offsetPaise: 0 };
  return payoutOf({ amountPaise, leftPaise: leftAtProvider(cycle), capturedOn, today, isOwnTransfer, duePaise });
}

/** What the customer gets back when a cycle ends, with its packs. */
export const refundOfEnd = (end: CycleEnd): number =>
  [end, ...end.packs].reduce((sum, { refundPaise, withheldPaise }) => sum + refundPaise - withheldPaise, 0);

/** What of the prices it doesn't get, since it had withheld it as tax. */
export const withheldOfEnd = ({ withheldPaise, packs }: CycleEnd): number =>
  packs.reduce((sum, pack) => sum + pack.withheldPaise, withheldPaise);

/** How much of that is paid by bank transfer. */
export const transferOfEnd = ({ transferPaise, packs }: CycleEnd): number =>
  packs.reduce((sum, pack) => sum + pack.transferPaise, transferPaise);

/** How much of that lowers what is due of bills, so that nothing is paid out. */
export const offsetOfEnd = ({ offsetPaise, packs }: CycleEnd): number =>
  packs.reduce((sum, pack) => sum + pack.offsetPaise, offsetPaise);

/** What we keep of one that has ended. */
export const keptOf = ({ kept }: EndedMoney): number => kept.reduce((sum, { paise }) => sum + paise, 0);
