import {
  type ProviderEventData,
  type ProviderEventType,
  type SharedEventType,
  sharedEvents,
} from '#shared/contract/provider-events.ts';
import type { PortalEvent, PortalEventType } from '#shared/domain/event.ts';
import { rupees } from '#shared/domain/money.ts';
import { customerEventOf, refundOf } from './customer-events.ts';

/** An event as webhooks tell it; the facts of its plan and customer are added. */
export interface ToldEvent {
  type: ProviderEventType;
  data: object;
}

type OwnType = Exclude<ProviderEventType, SharedEventType>;
const tell = <Type extends OwnType>(type: Type, data: ProviderEventData<Type>): ToldEvent => ({ type, data });

/** What the provider's webhooks say of events that customers' webhooks don't have, or have with texts. */
const ownEvents: { [Type in PortalEventType]?: (event: PortalEvent<Type>) => ToldEvent } = {
  'customer.created': () => tell('customer.created', {}),
  'account.blocked': () => tell('customer.blocked', {}),
  'account.unblocked': () => tell('customer.unblocked', {}),
  'erasure.asked': () => tell('customer.erasure_asked', {}),
  'account.erased': () => tell('customer.erased', {}),
  'payment.captured': ({ paymentId, amountPaise, currency, use }) =>
    tell('payment.captured', {
      paymentId,
      amount: rupees(amountPaise),
      currency,
      use: ({ CYCLE: 'plan', DUE: 'bill', REFUND: 'refund', HELD: 'held' } as const)[use],
    }),
  'payment.failed': ({ paymentId, amountPaise }) =>
    tell('payment.failed', { paymentId, amount: rupees(amountPaise), currency: 'INR' }),
  'refund.started': (event) => tell('refund.started', refundOf(event)),
  'refund.failed': (event) => tell('refund.failed', refundOf(event)),
  'refund.transfer_due': (event) => tell('refund.transfer_due', refundOf(event)),
  'document.issued': ({ documentId, kind, number, date, totalPaise }) =>
    tell('document.issued', { documentId, kind, number, date, total: rupees(totalPaise), currency: 'INR' }),
  'tds.declared': ({ claimId, invoice, quarter, amountPaise }) =>
    tell('tds.declared', { claimId, invoice, quarter, amount: rupees(amountPaise), currency: 'INR' }),
  'tax_claim.declared': ({ claimId, kind }) => tell('tax_claim.declared', { claimId, kind }),
  'support.asked': ({ threadId, messageId, activationId, isFirst }) => {
    const about = { threadId, messageId, activationId };
    return isFirst ? tell('thread.opened', about) : tell('thread.replied', { ...about, author: 'CUSTOMER' });
  },
  'support.answered': ({ threadId, messageId, activationId }) =>
    tell('thread.replied', { threadId, messageId, activationId, author: 'PROVIDER' }),
  'approval.requested': ({ approvalId, call, amountPaise }) =>
    tell('approval.requested', { approvalId, call, amount: rupees(amountPaise), currency: 'INR' }),
};

const shared: readonly string[] = sharedEvents;
const isShared = (told: { type: string; data: object }): told is ToldEvent => shared.includes(told.type);

/** What the provider's webhooks say of an event, if anything. */
export function providerEventOf(event: PortalEvent): ToldEvent | undefined {
  const told = customerEventOf(event);
  return told !== undefined && isShared(told) ? told : ownEventOf(event);
}

const ownEventOf = <Type extends PortalEventType>(event: PortalEvent<Type>) => ownEvents[event.type]?.(event);
