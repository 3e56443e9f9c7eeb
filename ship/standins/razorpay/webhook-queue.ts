import type {
  BankTransfer,
  Dispute,
  Order,
  Payment,
  Refund,
  Token,
  VirtualAccount,
} from '#ship/standins/razorpay/entities.ts';
import { accountId, randomId } from '#ship/standins/razorpay/ids.ts';
import type { Delivery, Ledger, PaymentRecord } from '#ship/standins/razorpay/ledger.ts';
import { webhookSignature } from '#ship/standins/razorpay/signature.ts';

export type WebhookEvent =
  | { event: 'payment.authorized' | 'payment.captured' | 'payment.failed'; payment: PaymentRecord }
  | { event: 'order.paid'; payment: PaymentRecord; order: Order }
  | { event: 'refund.created' | 'refund.processed' | 'refund.failed'; payment: PaymentRecord; refund: Refund }
  | {
      event: `payment.dispute.${'created' | 'under_review' | 'action_required' | 'won' | 'lost' | 'closed'}`;
      payment: PaymentRecord;
      dispute: Dispute;
    }
  | { event: `token.${'confirmed' | 'rejected' | 'paused' | 'cancelled'}`; token: Token }
  | { event: 'virtual_account.created' | 'virtual_account.closed'; account: VirtualAccount }
  | { event: 'virtual_account.credited'; payment: PaymentRecord; account: VirtualAccount; transfer: BankTransfer };

/** How long a shuffled event waits, so that the events of one payment can be reordered. */
const shuffleWindowMs = 1_000;

function paymentEntity({ payment, card }: PaymentRecord): Payment & { card?: unknown } {
  return card === null ? payment : { ...payment, card };
}

function payloadOf(event: WebhookEvent) {
  if ('token' in event) return { token: { entity: event.token } };
  if (!('payment' in event)) return { virtual_account: { entity: event.account } };
  const entity = paymentEntity(event.payment);
  const payment =
    event.event === 'payment.captured' ? { ...entity, base_amount: entity.amount, amount_transferred: 0 } : entity;
  return {
    ...('refund' in event ? { refund: { entity: event.refund } } : {}),
    payment: { entity: payment },
    ...('order' in event ? { order: { entity: event.order } } : {}),
    ...('dispute' in event ? { dispute: { entity: event.dispute } } : {}),
    ...('transfer' in event
      ? { virtual_account: { entity: event.account }, bank_transfer: { entity: event.transfer } }
      : {}),
  };
}

/** The envelope of an event; its payload is a snapshot at the time of the event. */
export function envelope(event: WebhookEvent, nowMs: number) {
  const payload = payloadOf(event);
  return {
    entity: 'event',
    account_id: accountId,
    event: event.event,
    contains: Object.keys(payload),
    payload,
    created_at: Math.floor(nowMs / 1000),
  };
}

export type WebhookQueue = {
  emit(event: WebhookEvent): void;
  /** Resends matching events `times` times; returns the number of deliveries. */
  replay(
    wanted: { paymentId?: string | undefined; event?: string | undefined },
    times: number,
    newIds: boolean,
  ): number;
};

/** Adds deliveries to the ledger; `webhook-sender` takes them from there. */
export function createWebhookQueue(settings: {
  ledger: Ledger;
  secret: string;
  /** The stand-in's clock, for `created_at`. */
  now: () => number;
  /** The machine's clock, for delays. */
  realNow: () => number;
}): WebhookQueue {
  const { ledger, secret, now, realNow } = settings;

  const enqueue = (
    of: Pick<Delivery, 'paymentId' | 'event' | 'body' | 'eventId'>,
    copies: number,
    isAsked: boolean,
  ) => {
    const { webhooks } = ledger.state.behaviour;
    const right = webhookSignature(secret, of.body);
    const signature = webhooks.signWith === 'right' ? right : webhookSignature(`${secret}-wrong`, of.body);
    for (let copy = 0; copy < copies; copy += 1) {
      const delivery: Delivery = {
        ...of,
        id: randomId(),
        signature,
        status: webhooks.enabled || isAsked ? 'pending' : 'withheld',
        attempts: 0,
        dueAtMs: realNow() + webhooks.delayMs + (webhooks.shuffle ? shuffleWindowMs : 0),
        createdAtMs: realNow(),
        lastAnswer: null,
      };
      ledger.save({ kind: 'delivery', value: delivery });
    }
  };

  return {
    emit: (event) => {
      const body = JSON.stringify(envelope(event, now()));
      const copies = 1 + ledger.state.behaviour.webhooks.duplicates;
      const paymentId = 'payment' in event ? event.payment.payment.id : null;
      enqueue({ paymentId, event: event.event, body, eventId: randomId() }, copies, false);
    },
    replay: ({ paymentId, event }, times, newIds) => {
      // One original per event: its copies and earlier replays have the same body.
      const originals = new Map<string, Delivery>();
      for (const delivery of ledger.state.deliveries.values()) {
        const isWanted =
          (paymentId === undefined || delivery.paymentId === paymentId) &&
          (event === undefined || delivery.event === event);
        if (isWanted && !originals.has(delivery.body)) originals.set(delivery.body, delivery);
      }
      for (let round = 0; round < times; round += 1) {
        for (const original of originals.values()) {
          const { paymentId, event, body } = original;
          enqueue({ paymentId, event, body, eventId: newIds ? randomId() : original.eventId }, 1, true);
        }
      }
      return originals.size * times;
    },
  };
}
