import type { PortalEvent, PortalEventType } from '#shared/domain/event.ts';
import type { QuotaWindow } from '#shared/domain/quota-window.ts';
import type { QuotaThreshold } from '#shared/domain/quota-thresholds.ts';
import type { EndingNotice } from '#shared/domain/reminder.ts';

const dedupeKeys: { [Type in PortalEventType]: (event: PortalEvent<Type>) => string } = {
  'customer.created': ({ customerId }) => `customer:${customerId}`,
  'payment.captured': ({ paymentId }) => `captured:${paymentId}`,
  'transfer.held': ({ paymentId }) => `held:${paymentId}`,
  'payment.received': ({ paymentId }) => `paid:${paymentId}`,
  'bill.issued': ({ cycleId }) => `billed:${cycleId}`,
  // What had paid it may go back, so that it is due again: all is told again, also at the same amount.
  'bill.due': ({ cycleId, notice, duePaise, returns }) =>
    `bill:${cycleId}:${notice}:${duePaise}${returns === 0 ? '' : `:${returns}`}`,
  'bill.reported': ({ cycleId, report }) =>
    `bill-report:${cycleId}:${report.is === 'due_again' ? `due:${report.returns}` : `rate:${report.from}`}`,
  'bill.paid': ({ paymentId }) => `bill-paid:${paymentId}`,
  'payment.failed': ({ paymentId }) => `failed:${paymentId}`,
  'mandate.confirmed': ({ mandateId }) => `mandate:${mandateId}`,
  'mandate.ended': ({ mandateId }) => `mandate-ended:${mandateId}`,
  // Another price is told anew.
  'renewal.announced': ({ mandateId, dates, amountPaise, on, isAgain }) =>
    `renewal:${mandateId}:${dates.fromDate}:${amountPaise}:${on}${isAgain ? ':again' : ''}`,
  'renewal.withheld': ({ mandateId, toDate, reason, on }) => `renewal-withheld:${mandateId}:${toDate}:${reason}:${on}`,
  // It can be skipped, taken back and skipped again.
  'renewal.skipped': ({ mandateId, firstDay, at }) => `renewal-skipped:${mandateId}:${firstDay}:${at.toISOString()}`,
  'renewal.resumed': ({ mandateId, firstDay, at }) => `renewal-resumed:${mandateId}:${firstDay}:${at.toISOString()}`,
  'renewal.paid': ({ debitId }) => `renewal-paid:${debitId}`,
  'renewal.failed': ({ debitId }) => `renewal-failed:${debitId}`,
  'recharge.agreed': ({ mandateId, at }) => `recharge-agreed:${mandateId}:${at.toISOString()}`,
  'recharge.ended': ({ mandateId, at }) => `recharge-ended:${mandateId}:${at.toISOString()}`,
  'recharge.announced': ({ mandateId, cycleId, quotaUnits, amountPaise, at }) =>
    `recharge:${mandateId}:${cycleId}:${quotaUnits}:${amountPaise}:${at.toISOString()}`,
  'recharge.withheld': ({ cycleId, quotaUnits, reason, at }) =>
    `recharge-withheld:${cycleId}:${quotaUnits}:${reason}:${at.toISOString()}`,
  // For good.
  'recharge.skipped': ({ cycleId, quotaUnits }) => `recharge-skipped:${cycleId}:${quotaUnits}`,
  'recharge.paid': ({ debitId }) => `recharge-paid:${debitId}`,
  'recharge.failed': ({ debitId }) => `recharge-failed:${debitId}`,
  'cycle.activated': ({ cycleId }) => `activated:${cycleId}`,
  'cycle.invoiced': ({ cycleId }) => `started:${cycleId}`,
  'cycle.ending': ({ cycleId, notice }) => endingDedupeKey(cycleId, notice),
  // A cycle ends once, whatever ends it.
  'cycle.ended': ({ cycleId }) => `ended:${cycleId}`,
  'cycle.cancelled': ({ cycleId }) => `ended:${cycleId}`,
  'quota.reached': (event) => quotaDedupeKey(event, event.percent),
  'document.issued': ({ documentId }) => `issued:${documentId}`,
  'invoice.issued': ({ documentId }) => `invoice:${documentId}`,
  'invoice.corrected': ({ invoice }) => `corrected:${invoice.id}`,
  'invoice.amended': ({ invoice }) => `amended:${invoice.id}`,
  'invoice.cancelled': ({ cancelled }) => `cancelled:${cancelled.id}`,
  'document.refused': ({ document }) => `refused:${document.id}`,
  'document.finished': ({ documentId, amended }) => `finished:${documentId}${amended === true ? ':amended' : ''}`,
  'refund.started': ({ refundId }) => `refund-started:${refundId}`,
  'refund.failed': ({ refundId, attempt }) => `refund-failed:${refundId}:${attempt}`,
  'refund.turned': ({ refundId, attempt }) => `refund-turned:${refundId}:${attempt}`,
  'refund.transfer_due': ({ refundId, attempt }) => `refund-transfer:${refundId}:${attempt}`,
  'refund.completed': ({ refundId }) => `refund-done:${refundId}`,
  'tds.declared': ({ claimId }) => `tds:${claimId}`,
  'tds.accepted': ({ claimId }) => `tds-accepted:${claimId}`,
  'tds.refused': ({ claimId }) => `tds-refused:${claimId}`,
  'tax_claim.declared': ({ claimId }) => `tax-claim:${claimId}`,
  'approval.requested': ({ approvalId }) => `approval:${approvalId}`,
  'dispute.opened': ({ disputeId }) => `disputed:${disputeId}`,
  'dispute.ended': ({ disputeId }) => `dispute-ended:${disputeId}`,
  // More evidence may be asked for several times, each with its own time.
  'dispute.reported': ({ disputeId, stage, respondBy }) =>
    `dispute:${disputeId}:${stage}:${respondBy === null ? '-' : respondBy.getTime()}`,
  'accountant.asked': ({ accountantId }) => `accountant-asked:${accountantId}`,
  'member.invited': ({ invitationId }) => `member-invited:${invitationId}`,
  'member.asked': ({ invitationId }) => `member-asked:${invitationId}`,
  'member.joined': ({ memberId }) => `member-joined:${memberId}`,
  'member.removed': ({ memberId }) => `member-removed:${memberId}`,
  'member.left': ({ memberId }) => `member-left:${memberId}`,
  'ownership.announced': ({ invitationId, email }) => `ownership-announced:${invitationId}:${email}`,
  'ownership.passed': ({ invitationId, email }) => `ownership-passed:${invitationId}:${email}`,
  'passkeys.changed': ({ changeId, to }) => `passkeys:${changeId}:${to}`,
  'accountant.stopped': ({ accountantId }) => `accountant-stopped:${accountantId}`,
  // A month goes out once, also when another accountant follows.
  'month.packed': ({ customerId, month }) => `month-packed:${customerId}:${month}`,
  'api.deprecated': ({ productId, deprecationId, activationId }) =>
    `deprecated:${productId}:${deprecationId}:${activationId}`,
  'webhook.disabled': ({ webhookId, at }) => `webhook-disabled:${webhookId}:${at.toISOString()}`,
  'key.new_network': ({ keyId, day }) => `key-network:${keyId}:${day}`,
  'key.revoked': ({ keyId }) => `key-revoked:${keyId}`,
  // Several customers may be blocked in one millisecond.
  'account.blocked': ({ customerId, at }) => `account-blocked:${customerId}:${at.toISOString()}`,
  'account.unblocked': ({ customerId, at }) => `account-unblocked:${customerId}:${at.toISOString()}`,
  'erasure.asked': ({ requestId }) => `erasure-asked:${requestId}`,
  'erasure.withdrawn': ({ requestId }) => `erasure-withdrawn:${requestId}`,
  'account.erased': ({ customerId }) => `account-erased:${customerId}`,
  'plan.granted': ({ cycleId }) => `granted:${cycleId}`,
  'plan.withdrawn': ({ cycleId }) => `withdrawn:${cycleId}`,
  'quota.raised': ({ raiseId }) => `quota-raised:${raiseId}`,
  'rate.set': ({ activationId, at }) => `rate-set:${activationId}:${at.toISOString()}`,
  'documents.sent': ({ sendingId }) => `documents-sent:${sendingId}`,
  'payer.papers_asked': ({ paymentId }) => `payer-papers:${paymentId}`,
  'mail.resent': ({ copyId }) => `mail-resent:${copyId}`,
  'support.asked': ({ messageId }) => `support:${messageId}`,
  'support.answered': ({ messageId }) => `support-answered:${messageId}`,
  'support.mail_refused': ({ threadId, side, day }) => `support-mail:${threadId}:${side}:${day}`,
};

/**
 * The key of an event: two events with one key are the same event, and customers are notified once. Stored, so never
 * changed.
 */
export function dedupeKeyOf<Type extends PortalEventType>(event: PortalEvent<Type>): string {
  return dedupeKeys[event.type](event);
}

/** The key of a cycle's `cycle.ending`. */
export function endingDedupeKey(cycleId: string, notice: EndingNotice): string {
  return `ends:${cycleId}:${notice}`;
}

/**
 * The key of a quota's `quota.reached`. A daily quota belongs to the activation, even when its plan changes within the
 * day.
 */
export function quotaDedupeKey(
  { cycleId, activationId, day, packUnits }: QuotaWindow,
  percent: QuotaThreshold,
): string {
  const key = day === null ? `quota:monthly:${cycleId}:${percent}` : `quota:daily:${activationId}:${day}:${percent}`;
  return packUnits === 0 ? key : `${key}:${packUnits}`;
}
