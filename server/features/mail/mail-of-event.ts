import { findPlan, productName } from '#catalog/catalog.ts';
import type { Tx } from '#shared/database/connect.ts';
import type { PortalEvent, PortalEventType } from '#shared/domain/event.ts';
import { replyAddress } from '#shared/domain/mail-reply.ts';
import type { Month } from '#shared/domain/month.ts';
import type { SupportAuthor } from '#shared/domain/support-thread.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import { readReplyToken } from '#server/features/support/support.ts';
import type { Owner, EventContext } from '#server/portal.ts';
import * as accountantTexts from './accountant-texts.ts';
import * as memberTexts from './member-texts.ts';
import { payPathOf, type ToPay } from './pay-path.ts';
import type { Letter } from './letter.ts';
import * as disputeTexts from './dispute-texts.ts';
import * as documentTexts from './document-texts.ts';
import * as tdsTexts from './tds-texts.ts';
import * as privacyTexts from './privacy-texts.ts';
import * as providerTexts from './provider-texts.ts';
import * as refundTexts from './refund-texts.ts';
import * as renewalTexts from './renewal-texts.ts';
import * as supportTexts from './support-texts.ts';
import * as texts from './texts.ts';
import { wasToldOfFailure } from './told-of-failure.ts';
import * as transferTexts from './transfer-texts.ts';

/** A mail about an event. */
export interface EventMail {
  letter: Letter;
  /** Attached documents: the mail is sent when all their PDFs have been rendered. */
  documentIds?: readonly string[];
  /** Addressed to the provider's support team, not to the customer. */
  toSupport?: boolean;
  /** Addressed to the customer's accountant. */
  toAccountant?: { id: string; email: string };
  /** Addressed to this address instead of the customer's. */
  to?: string;
  /** The files of all its documents exist: it need not wait for them. */
  arePrinted?: boolean;
  /** A mail of a support thread; the recipient replies into it. */
  thread?: { id: string; replyTo: string | undefined };
  /** The month whose papers are attached as a ZIP. */
  packMonth?: Month;
}

/** Events without a mail: another mail covers them, the customer caused them, or only programs of the provider hear of them. */
type NotMailed =
  | 'approval.requested'
  | 'customer.created'
  | 'cycle.activated'
  | 'cycle.cancelled'
  | 'cycle.ended'
  | 'document.finished'
  | 'document.issued'
  | 'invoice.issued'
  | 'mail.resent'
  | 'payment.captured'
  | 'refund.failed'
  | 'renewal.paid'
  | 'renewal.resumed'
  | 'renewal.skipped'
  | 'tax_claim.declared';
type MailedType = Exclude<PortalEventType, NotMailed>;

/** Data that letters need besides the event. */
interface Named {
  planOf: (cycleId: string) => Promise<texts.PlanNamed>;
  /** A pay link for what a failed payment or debit was to pay for, where it is still to be paid. */
  payPath: (of: ToPay) => Promise<string | undefined>;
  nameOfProduct: (productId: string) => string;
  nameOfCustomer: () => Promise<string>;
  /** The thread as a mail to one of its sides names it. */
  threadOf: (threadId: string, side: SupportAuthor) => Promise<{ id: string; replyTo: string | undefined }>;
  readSender: () => Promise<{ customerId: string; name: string; email: string }>;
}

type MailOf<Type extends MailedType> = (
  event: PortalEvent<Type>,
  named: Named,
) => EventMail | undefined | Promise<EventMail | undefined>;

const mails: { [Type in MailedType]: MailOf<Type> } = {
  'payment.received': async (event, { planOf }) => ({
    letter: texts.paymentReceived(await planOf(event.cycleId), event),
    documentIds: event.periods.map(({ document }) => document.id),
  }),
  'transfer.held': async (event, { planOf }) => ({
    letter: transferTexts.transferHeld(await planOf(event.cycleId), event),
  }),
  'payment.failed': async (event, { planOf, payPath }) => ({
    letter: texts.paymentFailed(await planOf(event.cycleId), event, await payPath({ paymentId: event.paymentId })),
  }),
  'mandate.confirmed': (event) => ({ letter: renewalTexts.mandateConfirmed(event) }),
  'mandate.ended': ({ endedBy, ...mandate }) =>
    endedBy === 'DELETION' ? undefined : { letter: renewalTexts.mandateEnded({ ...mandate, endedBy }) },
  'renewal.announced': async (event, { planOf }) => ({
    letter: renewalTexts.renewalAnnounced(await planOf(event.cycleId), event),
  }),
  // Of an account that is blocked, its own mail says so.
  'renewal.withheld': async (event, { planOf, payPath }) => {
    if (event.reason === 'blocked') return undefined;
    const { activationId, toDate: debitedFrom, reason } = event;
    const link = reason === 'no_answer' ? await payPath({ activationId, debitedFrom }) : undefined;
    return { letter: renewalTexts.renewalWithheld(await planOf(event.cycleId), event, link) };
  },
  'renewal.failed': async (event, { planOf, payPath }) => ({
    letter: renewalTexts.renewalFailed(await planOf(event.cycleId), event, await payPath({ cycleId: event.cycleId })),
  }),
  'cycle.invoiced': async ({ cycleId, dates, invoice }, { planOf }) => ({
    letter: texts.planStarted(await planOf(cycleId), dates, invoice),
    documentIds: [invoice.id],
  }),
  'cycle.ending': async ({ cycleId, daysLeft, toDate }, { planOf }) => ({
    letter: texts.planEnds(await planOf(cycleId), daysLeft, toDate),
  }),
  'quota.reached': async (event, { planOf }) => {
    const kind = event.day === null ? 'monthly' : 'daily';
    return { letter: texts.quotaUsed(await planOf(event.cycleId), { ...event, kind, notice: event.percent }) };
  },
  'invoice.corrected': (event) => ({ letter: documentTexts.invoiceCorrected(event), documentIds: [event.invoice.id] }),
  'invoice.amended': ({ invoice }) => ({ letter: documentTexts.invoiceAmended(invoice), documentIds: [invoice.id] }),
  'invoice.cancelled': (event) => ({ letter: documentTexts.invoiceCancelled(event), documentIds: [event.invoice.id] }),
  'document.refused': ({ document, reason, ofBuyer }) => ({
    letter: documentTexts.documentRefused(document, reason, ofBuyer),
  }),
  'refund.started': async (event, { planOf }) =>
    // The mail about the accepted claim says it.
    event.tdsClaimId === undefined
      ? {
          letter: refundTexts.refundStarted(await planOf(event.cycleId), event),
          ...(event.document && { documentIds: [event.document.id] }),
        }
      : undefined,
  'refund.turned': async (event, { planOf }) => ({
    letter: refundTexts.refundTurned(await planOf(event.cycleId), event),
  }),
  'refund.transfer_due': async (event, { readSender }) => ({
    letter: refundTexts.transferDue(event, await readSender()),
    toSupport: true,
  }),
  'refund.completed': async (event, { planOf }) => ({
    letter: refundTexts.refundDone(await planOf(event.cycleId), event),
  }),
  'tds.declared': async (event, { readSender }) => ({
    letter: tdsTexts.tdsDeclared(event, await readSender()),
    toSupport: true,
  }),
  'tds.accepted': (event) => ({ letter: tdsTexts.tdsAccepted(event) }),
  'tds.refused': (event) => ({ letter: tdsTexts.tdsRefused(event) }),
  'dispute.opened': async (event, { planOf }) => ({
    letter: disputeTexts.disputeOpened(await planOf(event.cycleId), event),
  }),
  'dispute.ended': async (event, { planOf }) => ({
    letter: disputeTexts.disputeEnded(await planOf(event.cycleId), event),
  }),
  'dispute.reported': async (event, { readSender }) => ({
    letter: disputeTexts.disputeReported(event, await readSender()),
    toSupport: true,
  }),
  'accountant.asked': async ({ accountantId: id, email, path }, { nameOfCustomer }) => ({
    letter: accountantTexts.accountantAsked(await nameOfCustomer(), path),
    toAccountant: { id, email },
  }),
  'accountant.stopped': ({ email }) => ({ letter: accountantTexts.accountantStopped(email) }),
  'member.invited': async (event, { nameOfCustomer }) => ({
    letter: memberTexts.memberInvited(await nameOfCustomer(), event),
    to: event.email,
  }),
  'member.asked': (event) => ({ letter: memberTexts.memberAsked(event) }),
  'member.joined': (event) => ({ letter: memberTexts.memberJoined(event) }),
  'member.removed': async ({ email: to }, { nameOfCustomer: of }) => ({
    letter: memberTexts.memberRemoved(await of()),
    to,
  }),
  'member.left': (event) => ({ letter: memberTexts.memberLeft(event) }),
  'ownership.announced': async (event, { nameOfCustomer }) =>
    memberTexts.ownershipAnnounced(await nameOfCustomer(), event),
  'ownership.passed': async (event, { nameOfCustomer }) => memberTexts.ownershipPassed(await nameOfCustomer(), event),
  'month.packed': async (event, { nameOfCustomer }) => ({
    letter: accountantTexts.monthPacked(await nameOfCustomer(), event),
    toAccountant: { id: event.accountantId, email: event.email },
    ...(event.isAttached && { packMonth: event.month }),
  }),
  'key.new_network': (event) => ({ letter: texts.keyFromNewNetwork(event) }),
  'key.revoked': (event) => ({ letter: providerTexts.keyRevoked(event) }),
  'account.blocked': (event) => ({ letter: providerTexts.accountBlocked(event) }),
  'account.unblocked': (event) => ({ letter: providerTexts.accountUnblocked(event) }),
  'erasure.asked': async (event, { readSender }) => ({
    letter: privacyTexts.erasureAsked(event, await readSender()),
    toSupport: true,
  }),
  'erasure.withdrawn': async (event, { readSender }) => ({
    letter: privacyTexts.erasureWithdrawn(event, await readSender()),
    toSupport: true,
  }),
  'account.erased': (event) => ({
    letter: privacyTexts.accountErased(event),
    documentIds: event.documents.map(({ id }) => id),
    to: event.email,
  }),
  'plan.granted': async (event, { planOf }) => ({
    letter: providerTexts.planGranted(await planOf(event.cycleId), event),
  }),
  'plan.withdrawn': async (event, { planOf }) => ({
    letter: providerTexts.planWithdrawn(await planOf(event.cycleId), event),
  }),
  'quota.raised': async (event, { planOf }) => ({
    letter: providerTexts.quotaRaised(await planOf(event.cycleId), event),
  }),
  'rate.set': (event, { nameOfProduct }) => ({
    letter: providerTexts.rateSet(nameOfProduct(event.productId), event),
  }),
  'documents.sent': ({ documents, email }) => ({
    letter: providerTexts.documentsSent(documents),
    documentIds: documents.map(({ id }) => id),
    arePrinted: true,
    ...(email !== null && { to: email }),
  }),
  'payer.papers_asked': ({ documents, email, customerName }) => ({
    letter: documentTexts.papersOfPayment(customerName, documents),
    documentIds: documents.map(({ id }) => id),
    // Sending is tried again until they are.
    arePrinted: true,
    to: email,
  }),
  'api.deprecated': async (event, { planOf }) => ({
    letter: providerTexts.apiDeprecated((await planOf(event.cycleId)).productName, event),
  }),
  'webhook.disabled': ({ url, reason }) => ({ letter: texts.webhookDisabled(url, reason) }),
  'support.asked': async (event, { readSender, threadOf }) => {
    const thread = await threadOf(event.threadId, 'PROVIDER');
    return { letter: supportTexts.supportAsked(event, await readSender(), thread), toSupport: true, thread };
  },
  'support.answered': async (event, { threadOf }) => {
    const thread = await threadOf(event.threadId, 'CUSTOMER');
    return { letter: supportTexts.supportAnswered(event, thread), thread };
  },
  'support.mail_refused': (event) => ({
    letter: supportTexts.supportMailRefused(event),
    toSupport: event.side === 'PROVIDER',
  }),
};

/** The mail about an event, if there is one. */
export async function mailOfEvent(
  context: EventContext,
  owner: Owner,
  tx: Tx,
  event: PortalEvent,
): Promise<EventMail | undefined> {
  const { catalog, settings } = context;
  const base = settings.supportReplyAddress;
  if (!isMailed(event)) return undefined;
  // The mail about its refund says it.
  if (event.type === 'dispute.ended' && event.status === 'lost') return undefined;
  // The mail about the renewal says it.
  if (event.type === 'payment.failed' && (event.isDebit || (await wasToldOfFailure(context, owner, tx, event))))
    return undefined;
  return makeMail(event, {
    planOf: async (cycleId) => {
      const cycle = await selectCycle(owner, tx, cycleId);
      const product = catalog.find(cycle.service_id);
      return {
        productName: productName(catalog, cycle.service_id),
        planName: cycle.plan.name,
        activationId: cycle.activation_id,
        inUnits: cycle.plan.costs !== undefined,
        hasPacks: ((product && findPlan(product, cycle.plan.planId)?.packs.length) ?? 0) > 0,
        isPack: cycle.adds_to !== null,
      };
    },
    payPath: (of) => payPathOf(owner, tx, of),
    nameOfProduct: (productId) => productName(catalog, productId),
    nameOfCustomer: async () => (await readProfile(owner, tx))?.legalName ?? (await readUser(owner, tx)).name,
    threadOf: async (id, side) => {
      if (base === undefined) return { id, replyTo: undefined };
      return { id, replyTo: replyAddress(base, await readReplyToken(owner, tx, id, side)) };
    },
    readSender: async () => ({ ...owner, ...(await readUser(owner, tx)) }),
  });
}

function isMailed(event: PortalEvent): event is PortalEvent<MailedType> {
  return Object.hasOwn(mails, event.type);
}

function makeMail<Type extends MailedType>(event: PortalEvent<Type>, named: Named) {
  return mails[event.type](event, named);
}

function selectCycle(owner: Owner, tx: Tx, cycleId: string) {
  return tx
    .selectFrom('cycles')
    .select(['activation_id', 'service_id', 'plan', 'adds_to'])
    .where('id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
}
