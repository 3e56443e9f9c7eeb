import type { WebhookEventData, WebhookEventType } from '#shared/contract/webhook-events.ts';
import { addDays, startOfDay } from '#shared/domain/day.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { rupees } from '#shared/domain/money.ts';

/** What webhooks say of an event beside the facts of its plan. */
const webhookData: { [Type in WebhookEventType]: (event: PortalEvent<Type>) => WebhookEventData<Type> } = {
  'quota.reached': ({ day, percent, used, limit, renewsOn }) => ({
    quota: day === null ? 'monthly' : 'daily',
    percent,
    used,
    limit,
    renewsOn,
  }),
  'cycle.activated': () => ({}),
  'cycle.ending': ({ daysLeft }) => ({ daysLeft }),
  'cycle.ended': ({ reason }) => ({ reason }),
  'cycle.cancelled': ({ refundPaise }) => ({ refundAmount: rupees(refundPaise) }),
  'invoice.issued': ({ documentId, number, date, totalPaise }) => ({
    documentId,
    number,
    date,
    total: rupees(totalPaise),
    currency: 'INR',
  }),
  'bill.due': ({ notice, duePaise, dueOn, stopsOn, invoice }) => ({
    notice,
    amount: rupees(duePaise),
    currency: 'INR',
    dueOn,
    stopsOn,
    invoice: invoice.number,
  }),
  'api.deprecated': ({ what, since, sunset, note, link }) => ({ deprecated: what, since, sunset, note, link }),
  'payment.failed': ({ paymentId, amountPaise, reason }) => ({
    paymentId,
    amount: rupees(amountPaise),
    currency: 'INR',
    reason,
  }),
  'mandate.confirmed': ({ mandateId, ceilingPaise, expiresOn, pinEachTime }) => ({
    mandateId,
    ceiling: rupees(ceilingPaise),
    currency: 'INR',
    lastDay: addDays(expiresOn, -1),
    pinEachTime,
  }),
  'mandate.ended': ({ mandateId, endedBy }) => ({ mandateId, endedBy }),
  'renewal.announced': ({ mandateId, amountPaise, dates, debitOn, pinEachTime }) => ({
    mandateId,
    amount: rupees(amountPaise),
    currency: 'INR',
    renewsFrom: dates.fromDate,
    renewsTo: dates.toDate,
    debitOn,
    skipUntil: new Date(startOfDay(debitOn)).toISOString(),
    pinEachTime,
  }),
  'renewal.skipped': ({ mandateId, firstDay, by }) => ({ mandateId, renewsFrom: firstDay, skippedBy: by }),
  'renewal.resumed': ({ mandateId, firstDay }) => ({ mandateId, renewsFrom: firstDay }),
  'renewal.withheld': ({ mandateId, toDate, reason }) => ({ mandateId, renewsFrom: toDate, reason }),
  'renewal.paid': (event) => ({ ...debitOf(event), paymentId: event.paymentId }),
  'renewal.failed': (event) => {
    const { paymentId, reason, againOn } = event;
    return { ...debitOf(event), paymentId, reason, againOn };
  },
  'recharge.agreed': ({ mandateId, packName, units, monthlyPaise }) => ({
    mandateId,
    packName,
    units,
    monthlyCeiling: rupees(monthlyPaise),
    currency: 'INR',
  }),
  'recharge.ended': ({ mandateId }) => ({ mandateId }),
  'recharge.announced': ({ units, amountPaise, endsAt, askFrom, pinEachTime, ...event }) => ({
    ...rechargeOf(event),
    units,
    amount: rupees(amountPaise),
    currency: 'INR',
    unitsEndAt: endsAt.toISOString(),
    skipUntil: askFrom.toISOString(),
    pinEachTime,
  }),
  'recharge.skipped': ({ by, ...event }) => ({ ...rechargeOf(event), skippedBy: by }),
  'recharge.withheld': ({ endsAt, reason, ...event }) => ({
    ...rechargeOf(event),
    unitsEndAt: endsAt.toISOString(),
    reason,
  }),
  'recharge.paid': (event) => ({ ...debitOf(event), paymentId: event.paymentId }),
  'recharge.failed': (event) => ({ ...debitOf(event), paymentId: event.paymentId, reason: event.reason }),
  'refund.started': (event) => ({ ...refundOf(event), reason: event.reason }),
  'refund.completed': (event) => refundOf(event),
  'dispute.opened': (event) => disputeOf(event),
  'dispute.ended': (event) => ({
    ...disputeOf(event),
    outcome: event.status === 'lost' ? 'refunded' : 'payment_stands',
  }),
};

/** What webhooks say of a refund. */
export function refundOf({
  refundId,
  paymentId,
  amountPaise,
}: PortalEvent<'refund.started' | 'refund.completed' | 'refund.failed' | 'refund.transfer_due'>) {
  return { refundId, paymentId, amount: rupees(amountPaise), currency: 'INR' } as const;
}

function rechargeOf({ mandateId, packName, quotaUnits }: { mandateId: string; packName: string; quotaUnits: number }) {
  return { mandateId, packName, quotaUnits };
}

function debitOf({
  debitId,
  mandateId,
  attempt,
  amountPaise,
}: PortalEvent<'renewal.paid' | 'renewal.failed' | 'recharge.paid' | 'recharge.failed'>) {
  return { mandateId, orderId: debitId, attempt, amount: rupees(amountPaise), currency: 'INR' } as const;
}

function disputeOf({ disputeId, paymentId, amountPaise }: PortalEvent<'dispute.opened' | 'dispute.ended'>) {
  return { disputeId, paymentId, amount: rupees(amountPaise), currency: 'INR' } as const;
}

function isForWebhooks(event: PortalEvent): event is PortalEvent<WebhookEventType> {
  return Object.hasOwn(webhookData, event.type);
}

function dataOf<Type extends WebhookEventType>(event: PortalEvent<Type>): WebhookEventData<Type> {
  return webhookData[event.type](event);
}

/** What customers' webhooks say of an event, if anything; the facts of its plan are added. */
export const customerEventOf = (event: PortalEvent): { type: WebhookEventType; data: object } | undefined =>
  isForWebhooks(event) ? { type: event.type, data: dataOf(event) } : undefined;
