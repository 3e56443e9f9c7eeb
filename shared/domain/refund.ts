import type { Day } from '#shared/domain/day.ts';
import type { EventDocument } from '#shared/domain/bill-event.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import {
  entryOfDisputeLoss,
  entryOfRefundDue,
  entryOfRefundOffset,
  entryOfRefundPaid,
  entryOfRefundWithheld,
  type LedgerEntry,
} from '#shared/domain/ledger.ts';
import type { RefundPayout, ReversedTax } from '#shared/domain/refund-payout.ts';
import type { RefundStart } from '#shared/domain/refund-start.ts';

/**
 * A refund, from its promise to the customer's bank account (decision 062). Its stage is its status, `TRANSFER` while it waits for the operator.
 *
 * | stage | reported: pending, processed, failed | refused | turned | transferred | covered | retried |
 * | --- | --- | --- | --- | --- | --- | --- |
 * | `STARTED`: not accepted by the provider | `PENDING`, `PROCESSED`, `FAILED` | `STARTED`, or `TRANSFER` for good | `TRANSFER` once refused | | `STARTED`, or `PROCESSED` by all of it | |
 * | `TRANSFER`: the provider can't pay it | `PENDING`, `PROCESSED`, `FAILED` | | | `PROCESSED` | `TRANSFER`, or `PROCESSED` by all of it | |
 * | `PENDING`: accepted by the provider | `PENDING`, `PROCESSED`, `FAILED` | | | | | |
 * | `FAILED`: a bank returned it | | | `TRANSFER`, in a new attempt | | as from `STARTED`, in a new attempt | `STARTED`, in a new attempt |
 * | `PROCESSED`: paid | | | | | | |
 *
 * The provider's report of `TRANSFER` is of a request that was under way as it became one: it is the provider's again. A report of failure of
 * what is a loss alone ends it without the loss.
 */
export type RefundStage = 'STARTED' | 'TRANSFER' | 'PENDING' | 'FAILED' | 'PROCESSED';
export type RefundStatus = Exclude<RefundStage, 'TRANSFER'>;

export function stageOf({ status, payout }: Pick<Refund, 'status' | 'payout'>): RefundStage {
  return status === 'STARTED' && payout === 'TRANSFER' ? 'TRANSFER' : status;
}

/** Promised, and not accepted by the provider: money that is refunded elsewhere pays it. */
export function isUnpaid({ status }: Pick<Refund, 'status'>): boolean {
  return status === 'STARTED' || status === 'FAILED';
}

/** Of which payment and cycle a refund is, and whose. */
interface RefundOf {
  paymentId: string;
  cycleId: string;
  customerId: string;
  currency: string;
}

export interface Refund {
  id: string;
  of: RefundOf;
  reason: string;
  amountPaise: number;
  /** So much of it pays what other refunds of the payment had promised. */
  coversPaise: number;
  status: RefundStatus;
  payout: RefundPayout;
  /** A refund that a bank returned is requested again, as another one for the provider. */
  attempt: number;
  /** So much of it was paid by others, or never came. */
  coveredPaise: number;
  /** So much of that had been withheld as tax (TDS): it never came, and is not paid out (decision 075). */
  withheldPaise: number;
  /** So much of that lowered what was due of a bill on credit terms instead (decision 081). */
  offsetPaise: number;
  /** What the provider paid beyond the price. */
  lossPaise: number;
  /** Null for what the provider has not accepted, and for a lost dispute. */
  providerRefundId: string | null;
  /** Since when the provider refuses it, and its words. */
  refusedAt: Date | null;
  refusal: string | null;
  /** The bank transfer that paid it. */
  utr: string | null;
  transferredOn: Day | null;
}

/** What is left to pay. */
export const openOf = ({ amountPaise, coveredPaise }: Pick<Refund, 'amountPaise' | 'coveredPaise'>): number =>
  amountPaise - coveredPaise;

/** What the provider, or the bank, pays for it: with a loss, which it paid beyond what was due. */
export const paidOutOf = (refund: Pick<Refund, 'amountPaise' | 'coveredPaise' | 'lossPaise'>): number =>
  openOf(refund) + refund.lossPaise;

/** How often a bank returned it: after each time but the last one there is another attempt. */
export const returnsOf = ({ status, attempt }: Pick<Refund, 'status' | 'attempt'>): number =>
  status === 'FAILED' ? attempt : attempt - 1;

/** One that the provider has not paid after so long is late, whatever it says of it: banks need up to a week beyond that. */
export const lateRefundMs = 7 * 86_400_000;

/** The provider's idempotency key and receipt of an attempt. Money refunded elsewhere since changes the amount, and so the key. */
export function keyOf({ id, attempt, coveredPaise }: Pick<Refund, 'id' | 'attempt' | 'coveredPaise'>): string {
  return `${id}${attempt === 1 ? '' : `-${attempt}`}${coveredPaise === 0 ? '' : `-less-${coveredPaise}`}`;
}

/** The refund as it is promised. `payout`: of one that the portal carries out, or that needs nothing. `withheldPaise`: what of it never came; `offsetPaise`: what of it lowers a bill. */
export function promised(
  start: RefundStart,
  id: string,
  customerId: string,
  payout: RefundPayout,
  { withheldPaise = 0, offsetPaise = 0 } = {},
): Refund {
  const { paymentId, cycleId, currency, reason } = start;
  const foreign = 'foreignId' in start ? start : undefined;
  const coversPaise = foreign?.coversPaise ?? 0;
  const coveredPaise = withheldPaise + offsetPaise;
  const isNothingToPay = payout === 'WITHHELD' || (coveredPaise > 0 && coveredPaise === start.amountPaise);
  return {
    id,
    of: { paymentId, cycleId, customerId, currency },
    reason,
    amountPaise: start.amountPaise + coversPaise,
    coversPaise,
    status: foreign ? 'PENDING' : isNothingToPay ? 'PROCESSED' : 'STARTED',
    payout: foreign ? 'PROVIDER' : payout,
    attempt: 1,
    coveredPaise,
    withheldPaise,
    offsetPaise,
    lossPaise: foreign?.lossPaise ?? 0,
    providerRefundId: foreign && foreign.origin !== 'DISPUTE' ? foreign.foreignId : null,
    refusedAt: null,
    refusal: null,
    utr: null,
    transferredOn: null,
  };
}

/** The document of a promise: still to be issued, or that of its cause; null where the law wants none. */
export function paperOf(start: RefundStart): 'to be issued' | EventDocument | null {
  // Money that never paid for a cycle was not consideration for a supply; of tax deducted at source the price stays.
  if (start.amountPaise === 0 || start.from !== 'CYCLE' || start.origin === 'TDS') return null;
  return 'document' in start ? start.document : 'to be issued';
}

type Told = { document: EventDocument | null } & ReversedTax;

/** What a promise does: nothing where it only pays what others promised. */
export function effectsOfPromise(start: RefundStart, refund: Refund, told: Told): RefundEffects {
  const { amountPaise, reason } = start;
  const { payout, attempt, withheldPaise, offsetPaise } = refund;
  if (amountPaise === 0 || payout === 'WITHHELD') return { events: [], entries: [] };
  const isPartlyOffset = offsetPaise > 0 && payout !== 'OFFSET';
  const cashPaise = amountPaise - withheldPaise - (isPartlyOffset ? offsetPaise : 0);
  const facts = factsOf(refund, cashPaise);
  const claim = 'claimId' in start ? { tdsClaimId: start.claimId } : {};
  const account = start.from === 'DUE' ? 'receivables' : start.origin === 'TDS' ? 'tds' : 'cycles';
  return {
    events: [
      { type: 'refund.started', ...facts, reason, ...told, payout, ...claim, ...(isPartlyOffset && { offsetPaise }) },
      ...(payout === 'TRANSFER' && cashPaise > 0
        ? [{ type: 'refund.transfer_due' as const, ...facts, attempt, reason }]
        : []),
    ],
    entries: [
      ...(start.from === 'REFUND' ? [] : [entryOfRefundDue(refund.of, refund.id, amountPaise, account)]),
      ...(withheldPaise > 0 ? [entryOfRefundWithheld(refund.of, refund.id, withheldPaise)] : []),
      ...(offsetPaise > 0 ? [entryOfRefundOffset(refund.of, refund.id, offsetPaise)] : []),
    ],
  };
}

/** What happens to a refund. */
export type RefundEvent =
  /** The provider tells the state of an attempt. */
  | { type: 'reported'; key: string; status: 'pending' | 'processed' | 'failed'; providerRefundId: string | null }
  /** `forGood`: whenever it is asked again. */
  | { type: 'refused'; refusal: string; at: Date; forGood: boolean }
  /** The operator pays by bank transfer what the provider refuses or a bank returned. */
  | { type: 'turned'; isDisputed: boolean }
  | { type: 'transferred'; utr: string; on: Day; isDisputed: boolean }
  /** Money that was refunded elsewhere pays a part of it. */
  | { type: 'covered'; paise: number }
  | { type: 'retried' };

/** Why an event can't happen to a refund as it is. */
export type RefundFault =
  /** It is paid. */
  | 'PAID'
  /** It is not in a stage in which this happens. */
  | 'NOT_NOW'
  /** The report is of an attempt that is over: other money pays for it. */
  | 'SUPERSEDED'
  /** The bank may pay it by the dispute. */
  | 'DISPUTED';

/** What is published and booked. */
export interface RefundEffects {
  events: PortalEvent[];
  entries: LedgerEntry[];
}

export type RefundStep = RefundEffects & { refund: Refund };

/** The refund after an event, with what is published and booked in the same transaction. */
export function stepOf(refund: Refund, event: RefundEvent): RefundStep | RefundFault {
  const stage = stageOf(refund);
  if (stage === 'PROCESSED') return 'PAID';
  switch (event.type) {
    case 'reported':
      return stage === 'FAILED' || event.key !== keyOf(refund) ? 'SUPERSEDED' : reported(refund, event);
    case 'refused': {
      if (stage !== 'STARTED') return 'NOT_NOW';
      const refused = { ...refund, refusedAt: refund.refusedAt ?? event.at, refusal: event.refusal };
      return withFailure(event.forGood ? turned(refused) : quiet(refused));
    }
    case 'turned':
      if (stage !== 'FAILED' && (stage !== 'STARTED' || refund.refusedAt === null)) return 'NOT_NOW';
      return event.isDisputed ? 'DISPUTED' : turned(openAttempt(refund));
    case 'transferred':
      if (stage !== 'TRANSFER') return 'NOT_NOW';
      return event.isDisputed ? 'DISPUTED' : paid({ ...refund, utr: event.utr, transferredOn: event.on });
    case 'covered': {
      if (stage === 'PENDING' || event.paise > openOf(refund)) return 'NOT_NOW';
      const open = openAttempt(refund);
      const covered = { ...open, coveredPaise: open.coveredPaise + event.paise };
      return openOf(covered) === 0 ? paid(covered) : quiet(covered);
    }
    case 'retried':
      break;
  }
  return stage === 'FAILED' ? quiet(nextAttempt(refund)) : 'NOT_NOW';
}

function reported(refund: Refund, report: Extract<RefundEvent, { type: 'reported' }>): RefundStep {
  const { providerRefundId } = report;
  const accepted = { ...refund, payout: 'PROVIDER', providerRefundId, refusedAt: null, refusal: null } as const;
  if (report.status === 'processed') return paid(accepted);
  if (report.status === 'pending') return quiet({ ...accepted, status: 'PENDING' });
  // A bank returned it. What the customer would have had twice stays with us; what is due is requested again.
  const returned = { ...accepted, lossPaise: 0 };
  if (refund.amountPaise === 0) return paid(returned);
  return withFailure(quiet({ ...returned, status: 'FAILED' }));
}

/** An attempt failed. The same attempt may be refused again and again; it has failed once. */
function withFailure(step: RefundStep): RefundStep {
  const { refund } = step;
  const failed = { ...factsOf(refund, openOf(refund)), attempt: refund.attempt };
  return { ...step, events: [{ type: 'refund.failed', ...failed }, ...step.events] };
}

const quiet = (refund: Refund): RefundStep => ({ refund, events: [], entries: [] });

const factsOf = ({ id, of: { paymentId, cycleId } }: Refund, amountPaise: number) => ({
  refundId: id,
  paymentId,
  cycleId,
  amountPaise,
});

/** Its key is new, as the old one would only repeat the old response. */
const nextAttempt = (refund: Refund): Refund => ({
  ...refund,
  status: 'STARTED',
  attempt: refund.attempt + 1,
  providerRefundId: null,
});

/** What a bank returned goes on in its next attempt. */
const openAttempt = (refund: Refund): Refund => (refund.status === 'FAILED' ? nextAttempt(refund) : refund);

/** The provider won't pay it: it waits for the operator, and the customer is asked for a bank account. */
function turned(refund: Refund): RefundStep {
  const { reason, attempt } = refund;
  const facts = { ...factsOf(refund, openOf(refund)), attempt };
  return {
    refund: { ...refund, payout: 'TRANSFER' },
    events: [
      { type: 'refund.turned', ...facts },
      { type: 'refund.transfer_due', ...facts, reason },
    ],
    entries: [],
  };
}

/** Paid: by the provider, with what the customer got twice by it, by the operator, or by money that was refunded elsewhere. */
function paid(refund: Refund): RefundStep {
  const { id, of, payout, utr, lossPaise } = refund;
  const paidPaise = openOf(refund);
  // The part that pays another refund is announced with that one.
  const amountPaise = refund.amountPaise - refund.coversPaise - refund.withheldPaise - refund.offsetPaise;
  return {
    refund: { ...refund, status: 'PROCESSED', refusedAt: null, refusal: null },
    events: amountPaise > 0 ? [{ type: 'refund.completed', ...factsOf(refund, amountPaise), utr }] : [],
    entries: [
      ...(paidPaise > 0 ? [entryOfRefundPaid(of, id, paidPaise, payout === 'TRANSFER' ? payout : 'PROVIDER')] : []),
      ...(lossPaise > 0 ? [entryOfDisputeLoss(of, id, lossPaise)] : []),
    ],
  };
}
