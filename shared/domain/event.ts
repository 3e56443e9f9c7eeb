import type { BillEvents, EventDocument, PaidPeriod } from '#shared/domain/bill-event.ts';
import type { CycleDates } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import type { DisputeReport } from '#shared/domain/dispute.ts';
import type { DocumentKind, DocumentReference } from '#shared/domain/document.ts';
import type { Month } from '#shared/domain/month.ts';
import type { QuotaThreshold } from '#shared/domain/quota-thresholds.ts';
import type { QuotaWindow } from '#shared/domain/quota-window.ts';
import type { PaidOut, RefundPayout } from '#shared/domain/refund-payout.ts';
import type { EndingNotice } from '#shared/domain/reminder.ts';
import type { RenewalEvents } from '#shared/domain/renewal-event.ts';
import type { SupportAuthor } from '#shared/domain/support-thread.ts';
import type { TaxClaim } from '#shared/domain/tax-claim.ts';
import type { Quarter } from '#shared/domain/tds.ts';

/** What renews by mandate does so for the period from a day on; the bank was asked for `debitPaise` already. */
export interface RenewsFrom {
  renewsFrom?: Day;
  debitPaise?: number | null;
}

interface RefundFacts {
  cycleId: string;
  refundId: string;
  paymentId: string;
  amountPaise: number;
}

/** A claim about tax deducted at source, on an invoice. */
interface TdsFacts {
  claimId: string;
  cycleId: string;
  invoice: string;
  quarter: Quarter;
  amountPaise: number;
}

/** Every event that a customer, or a program of the provider, is notified of by mail or webhook, by type. */
interface PortalEvents extends RenewalEvents, BillEvents {
  /** The customer's first sign-in. */
  'customer.created': { customerId: string };
  /** `use`: for which the payment was taken; what pays for no plan is refunded. */
  'payment.captured': {
    cycleId: string;
    paymentId: string;
    amountPaise: number;
    currency: string;
    use: 'CYCLE' | 'DUE' | 'REFUND' | 'HELD';
  };
  /** A bank transfer is held: it is what is due less tax (TDS) that the customer has not declared, and the operator is asked. */
  'transfer.held': { cycleId: string; paymentId: string; amountPaise: number; tdsPaise: number; utr: string };
  /** Of the first period; `periods` has all that the payment paid for, each with its own document. */
  'payment.received': {
    paymentId: string;
    periods: PaidPeriod[];
    /** A bank transfer; `withheldPaise`: what of the price its payer deducted as tax (TDS). */
    transfer?: { utr: string; withheldPaise: number };
  } & PaidPeriod;
  /** `isDebit`: of a renewal, which is an event of its own. */
  'payment.failed': {
    cycleId: string;
    paymentId: string;
    amountPaise: number;
    reason: string | null;
    isDebit?: true;
    /** It was to pay a bill of a plan that runs already. */
    isOfBill?: true;
  };
  'cycle.activated': { cycleId: string };
  /** A cycle that was paid in advance has started and has its invoice. */
  'cycle.invoiced': { cycleId: string; dates: CycleDates; invoice: EventDocument };
  'cycle.ending': { cycleId: string; notice: EndingNotice; daysLeft: number; toDate: Day };
  'cycle.ended': { cycleId: string; reason: 'expired' | 'deactivated' | 'refunded' | 'replaced' };
  'cycle.cancelled': { cycleId: string; refundPaise: number };
  'quota.reached': { percent: QuotaThreshold; used: number; limit: number; renewsOn: Day } & QuotaWindow;
  /** Of any kind; an invoice is `invoice.issued` too. */
  'document.issued': {
    cycleId: string;
    documentId: string;
    kind: DocumentKind;
    number: string;
    date: Day;
    totalPaise: number;
  };
  'invoice.issued': { cycleId: string; documentId: string; number: string; date: Day; totalPaise: number };
  /** `refundPaise`: tax that was added to the price and is no longer due; its refund is an event of its own. */
  'invoice.corrected': {
    replaced: DocumentReference;
    creditNote: DocumentReference;
    invoice: EventDocument;
    refundPaise: number;
  };
  /** The buyer's details of an invoice, and of its credit notes, were amended; number, date and amounts stay. */
  'invoice.amended': { invoice: EventDocument };
  /** The operator cancelled the registration of an invoice, within its 24 hours, and a new invoice replaces it. */
  'invoice.cancelled': { cancelled: EventDocument; invoice: EventDocument; refundPaise: number };
  /** The invoice portal rejected a document. `ofBuyer`: for the GSTIN of its buyer, who alone can correct it. */
  'document.refused': { document: EventDocument; reason: string; ofBuyer: boolean };
  /** The PDF of a document, or of its amended version, is available. */
  'document.finished': { documentId: string; amended?: true };
  /**
   * `document`: the refund voucher or credit note; null when the money never paid for a cycle, for tax deducted at source (`tdsClaimId`), or
   * when the registration of its invoice was cancelled.
   */
  'refund.started': {
    reason: string;
    document: EventDocument | null;
    payout: PaidOut;
    /** So much more lowers what is due of a bill on credit terms, where only the rest is paid out. */
    offsetPaise?: number;
    tdsClaimId?: string;
    /** What the document is over beyond the amount: tax (TDS) that the customer had withheld, so that it never came. */
    withheldPaise?: number;
    /** And that was paid out for that tax before. */
    taxPaidBeforePaise?: number;
  } & RefundFacts;
  /** An attempt failed: the payment provider refused it, or a bank returned it. */
  'refund.failed': { attempt: number } & RefundFacts;
  /** The provider won't pay out a refund that was started: it becomes a bank transfer. Again, where the provider accepted it after all and a bank returned it. */
  'refund.turned': { attempt: number } & RefundFacts;
  /** The operator has to transfer a refund. */
  'refund.transfer_due': { attempt: number; reason: string } & RefundFacts;
  /** `utr`: the number of the bank transfer; null when the provider paid it out. */
  'refund.completed': { utr: string | null } & RefundFacts;
  /** The customer declared tax deducted at source; the operator has to decide. */
  'tds.declared': TdsFacts & { tan: string };
  'tds.accepted': TdsFacts & {
    paymentId: string;
    payout: RefundPayout;
    /** What is refunded for it, where that is less. */
    refundPaise?: number;
    /** What of it lowers a bill that is paid later, instead. */
    offsetPaise?: number;
  };
  'tds.refused': TdsFacts & { reason: string };
  /** The customer declared that no tax is due: as a unit of an SEZ, or as a buyer abroad. */
  'tax_claim.declared': { claimId: string; kind: TaxClaim['kind'] };
  /** An operator asks for a second person: the amount is above what one may decide. */
  'approval.requested': { approvalId: string; call: string; amountPaise: number };
  /** The customer's bank disputes a payment (chargeback). */
  'dispute.opened': { cycleId: string; paymentId: string; disputeId: string; amountPaise: number };
  /** It ended. Lost: the customer has the money back, which is a refund with a mail of its own. */
  'dispute.ended': {
    cycleId: string;
    paymentId: string;
    disputeId: string;
    amountPaise: number;
    status: 'won' | 'lost' | 'closed';
  };
  /** What the operator has to know or do about a dispute. */
  'dispute.reported': DisputeReport;
  /** The customer wants the papers of each month mailed to an accountant, who has to agree first. `path`: of the page for the answer. */
  'accountant.asked': { accountantId: string; email: string; path: string };
  /** The accountant wants no more mails. */
  'accountant.stopped': { accountantId: string; email: string };
  /** Somebody may become a member, or the owner. `path`: of the page for the answer. */
  'member.invited': { invitationId: string; email: string; role: string; path: string; endsAt: Date };
  /** A colleague of the owner's Workspace asks to be invited. */
  'member.asked': { invitationId: string; name: string; email: string };
  'member.joined': { memberId: string; email: string; role: string };
  'member.removed': { memberId: string; email: string };
  /** `name`: empty where the member wants to be forgotten. */
  'member.left': { memberId: string; name: string };
  /** `by`: the address of the new owner. Told to both. */
  'ownership.passed': { invitationId: string; email: string; name: string; by: string };
  /** The provider offers the ownership to an address, in the place of an owner whom nobody reaches. Told to all; `path`: of the page to object or accept. */
  'ownership.announced': {
    invitationId: string;
    email: string;
    to: string;
    reason: string;
    startsAt: Date;
    path: string | null;
    /** The address is the owner’s own: the passkeys are lost, and go. */
    isOwners: boolean;
  };
  /**
   * A passkey of a member came or went, or the account asks for passkeys from now on, or no longer. `name`: of the member. Told to member and owner,
   * once by `changeId` and address.
   */
  'passkeys.changed': {
    changeId: string;
    what: 'added' | 'removed' | 'removed by owner' | 'anew' | 'on' | 'off';
    name: string;
    to: string;
  };
  /** A month's papers go to the accountant. `isAttached`: false when they are too large for a mail. */
  'month.packed': {
    customerId: string;
    accountantId: string;
    email: string;
    month: Month;
    documents: number;
    isAttached: boolean;
    /** The path of the ZIP, and of the page that stops the mails. */
    download: string;
    path: string;
  };
  /** Something of an API that the customer holds keys of is deprecated. */
  'api.deprecated': {
    cycleId: string;
    activationId: string;
    productId: string;
    deprecationId: string;
    /** `product`, `v1` or `GET /v1/shops/{id}`. */
    what: string;
    since: Day;
    sunset: Day | null;
    note: string;
    link: string | null;
  };
  'webhook.disabled': { webhookId: string; url: string; reason: 'FAILING' | 'GONE'; at: Date };
  /** A key was used from a network that it had not been used from. At most once a day for each key. */
  'key.new_network': {
    keyId: string;
    keyName: string;
    activationId: string;
    address: string;
    client: string;
    at: Date;
    day: Day;
  };
  /** The provider revoked a key. */
  'key.revoked': { keyId: string; keyName: string; hint: string; activationId: string; reason: string; at: Date };
  /** The customer wrote to support: the first message of a thread, or a further one. */
  'support.asked': {
    threadId: string;
    messageId: string;
    subject: string;
    message: string;
    activationId: string | null;
    isFirst: boolean;
    /** How many are attached. */
    files: number;
    /** How many files of its mail were not taken. */
    leftOut: number;
  };
  'support.answered': {
    threadId: string;
    messageId: string;
    subject: string;
    message: string;
    activationId: string | null;
    files: number;
  };
  /** The provider blocked the account, or took the block away. */
  'account.blocked': { customerId: string; reason: string; at: Date };
  'account.unblocked': { customerId: string; reason: string; at: Date; since: Date };
  /** The customer asked for erasure, or took that back. */
  'erasure.asked': { requestId: string; at: Date };
  'erasure.withdrawn': { requestId: string; at: Date };
  /** The provider erased the account; `email` was its address. */
  'account.erased': {
    customerId: string;
    email: string;
    reason: string;
    at: Date;
    keptUntil: Day | null;
    /** Of plans that it ended, with the documents about that. */
    refundPaise: number;
    documents: EventDocument[];
  };
  /** The provider granted a plan. */
  'plan.granted': { cycleId: string; dates: CycleDates; reason: string } & RenewsFrom;
  /** The provider ended a granted plan before its days were over. */
  'plan.withdrawn': { cycleId: string; dates: CycleDates; reason: string } & RenewsFrom;
  /** The provider raised the quota of a plan, or took back a part of that. `raised`: all that is added by now. */
  'quota.raised': { cycleId: string; raiseId: string; units: number; raised: number; reason: string };
  /** The provider set other calls per second than those of the plans; null: it took that back. */
  'rate.set': { activationId: string; productId: string; callsPerSecond: number | null; reason: string; at: Date };
  /** An operator mailed documents again. `email`: to this address instead of the customer's. */
  'documents.sent': { sendingId: string; documents: EventDocument[]; email: string | null };
  'payer.papers_asked': { paymentId: string; documents: EventDocument[]; email: string; customerName: string };
  /** An operator sent a mail again, as a new one with the id `copyId`. */
  'mail.resent': { mailId: string; copyId: string };
  /** A mail into a thread was not taken; the side whose address it came to is told, once a day. */
  'support.mail_refused': { threadId: string; side: SupportAuthor; from: string; reason: string; day: Day };
}

export type PortalEventType = keyof PortalEvents;

/** An event about a customer. Its cause publishes it once, with `happened`. */
export type PortalEvent<Type extends PortalEventType = PortalEventType> = {
  [Each in Type]: { type: Each } & PortalEvents[Each];
}[Type];
