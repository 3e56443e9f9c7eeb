import { z } from 'zod';
import { openJournal } from '#ship/standins/journal.ts';
import { type Behaviour, behaviourSchema } from '#ship/standins/razorpay/behaviour.ts';
import {
  bankTransferSchema,
  cardSchema,
  customerSchema,
  disputeSchema,
  orderSchema,
  paymentSchema,
  reconItemSchema,
  refundSchema,
  settlementSchema,
  tokenSchema,
  virtualAccountSchema,
} from '#ship/standins/razorpay/entities.ts';
import { frequencySchema } from '#ship/standins/razorpay/billing-cycles.ts';
import { failureReasonSchema } from '#ship/standins/razorpay/failures.ts';

/** The mandate that an order asks for. */
const orderMandateSchema = z.object({
  customerId: z.string(),
  maxAmount: z.int(),
  expireAt: z.int(),
  frequency: frequencySchema,
});

const orderRecordSchema = z.object({
  order: orderSchema,
  capture: z.enum(['automatic', 'manual']),
  /** The only method that it may be paid by. */
  method: z.enum(['card', 'upi', 'netbanking', 'emandate']).nullable().default(null),
  mandate: orderMandateSchema.nullable().default(null),
});

const tokenRecordSchema = z.object({
  token: tokenSchema,
  customerId: z.string(),
  frequency: frequencySchema,
  /** When the network confirms or refuses a cancellation that the business asked for. */
  cancellation: z.object({ atMs: z.number(), from: tokenSchema.shape.recurring_details.shape.status }).nullable(),
  /** When it was last debited. */
  debitedAtMs: z.number().nullable(),
  /** Removed from the lists; the mandate itself lives on. */
  isDeleted: z.boolean(),
});

/** A debit by mandate, by the stand-in's clock. */
const debitSchema = z.object({
  tokenId: z.string(),
  /** When the issuer notifies the payer, and whether it has. */
  noticeAtMs: z.number(),
  isNotified: z.boolean(),
  /** When the bank is asked next; null while it says nothing. */
  debitAtMs: z.number().nullable(),
  retriesLeft: z.int(),
  /** Until when the payer may enter the PIN. */
  pinUntilMs: z.number().nullable(),
});

/** A step that happens automatically at `atMs` of the stand-in's clock. */
const stepSchema = z.discriminatedUnion('to', [
  z.object({ to: z.literal('authorized'), atMs: z.number() }),
  z.object({ to: z.literal('failed'), atMs: z.number(), reason: failureReasonSchema }),
]);

const paymentRecordSchema = z.object({
  payment: paymentSchema,
  card: cardSchema.nullable(),
  /** Whose input the payment awaits: the payer's on an OTP or bank page or in a UPI app, or the bank's own. */
  awaiting: z.enum(['otp', 'bank-page', 'app', 'answer', 'pin']).nullable(),
  /** What the payer's UPI app was opened with; it can answer even after the checkout was closed. */
  request: z.object({ link: z.string(), closeAtMs: z.number(), isAnswered: z.boolean() }).nullable().default(null),
  approvedLate: z.boolean(),
  steps: z.array(stepSchema),
  debit: debitSchema.nullable().default(null),
});

/** A QR code of the checkout: no payment exists until a payer answers it. */
const qrCodeSchema = z.object({
  id: z.string(),
  orderId: z.string(),
  payer: z.object({ email: z.string(), contact: z.string(), description: z.string().nullable() }),
  customerId: z.string().optional(),
  link: z.string(),
  closeAtMs: z.number(),
  /** The latest payment that was made with it. */
  paymentId: z.string().nullable(),
});

const deliverySchema = z.object({
  id: z.string(),
  eventId: z.string(),
  event: z.string(),
  /** Null for an event that is not about a payment. */
  paymentId: z.string().nullable(),
  body: z.string(),
  signature: z.string(),
  status: z.enum(['pending', 'delivered', 'abandoned', 'withheld']),
  attempts: z.int(),
  dueAtMs: z.number(),
  createdAtMs: z.number(),
  /** The status code or the error of the last attempt. */
  lastAnswer: z.string().nullable(),
});
const attemptSchema = deliverySchema.pick({ id: true, status: true, attempts: true, dueAtMs: true, lastAnswer: true });

/** A bank transfer, and whether its money can't go back to a non-resident's account. */
const transferRecordSchema = z.object({ transfer: bankTransferSchema, isNonResident: z.boolean() });

const refundKeySchema = z.object({ key: z.string(), request: z.string(), refundId: z.string() });

/** `listed_at`: the time under which the recon lists it, in seconds. */
const settlementItemSchema = reconItemSchema.extend({ listed_at: z.int() });
const adjustmentSchema = z.object({
  id: z.string(),
  amount: z.int(),
  description: z.string(),
  created_at: z.int(),
});

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('order'), value: orderRecordSchema }),
  z.object({ kind: z.literal('payment'), value: paymentRecordSchema }),
  z.object({ kind: z.literal('customer'), value: customerSchema }),
  z.object({ kind: z.literal('token'), value: tokenRecordSchema }),
  z.object({ kind: z.literal('qr-code'), value: qrCodeSchema }),
  z.object({ kind: z.literal('virtual-account'), value: virtualAccountSchema }),
  z.object({ kind: z.literal('transfer'), value: transferRecordSchema }),
  z.object({ kind: z.literal('refund'), value: refundSchema }),
  z.object({ kind: z.literal('dispute'), value: disputeSchema }),
  z.object({ kind: z.literal('refund-key'), value: refundKeySchema }),
  z.object({ kind: z.literal('settlement'), value: settlementSchema }),
  z.object({ kind: z.literal('settlement-item'), value: settlementItemSchema }),
  z.object({ kind: z.literal('settlement-item-removed'), value: z.object({ id: z.string() }) }),
  z.object({ kind: z.literal('settled-day'), value: z.object({ day: z.int() }) }),
  z.object({ kind: z.literal('hold'), value: z.object({ paymentId: z.string(), on: z.boolean() }) }),
  z.object({ kind: z.literal('adjustment'), value: adjustmentSchema }),
  z.object({ kind: z.literal('delivery'), value: deliverySchema }),
  z.object({ kind: z.literal('attempt'), value: attemptSchema }),
  z.object({ kind: z.literal('behaviour'), value: behaviourSchema }),
  z.object({ kind: z.literal('clock'), value: z.object({ offsetMs: z.number() }) }),
]);

type Entry = z.infer<typeof entrySchema>;
export type OrderRecord = z.infer<typeof orderRecordSchema>;
export type TokenRecord = z.infer<typeof tokenRecordSchema>;
export type Debit = z.infer<typeof debitSchema>;
export type PaymentRecord = z.infer<typeof paymentRecordSchema>;
export type QrCode = z.infer<typeof qrCodeSchema>;
export type Delivery = z.infer<typeof deliverySchema>;
export type RefundKey = z.infer<typeof refundKeySchema>;

type State = {
  orders: Map<string, OrderRecord>;
  payments: Map<string, PaymentRecord>;
  customers: Map<string, z.infer<typeof customerSchema>>;
  tokens: Map<string, TokenRecord>;
  qrCodes: Map<string, QrCode>;
  virtualAccounts: Map<string, z.infer<typeof virtualAccountSchema>>;
  /** By payment. */
  transfers: Map<string, z.infer<typeof transferRecordSchema>>;
  refunds: Map<string, z.infer<typeof refundSchema>>;
  disputes: Map<string, z.infer<typeof disputeSchema>>;
  refundKeys: Map<string, RefundKey>;
  settlements: Map<string, z.infer<typeof settlementSchema>>;
  settlementItems: Map<string, z.infer<typeof settlementItemSchema>>;
  /** The latest day (of days since 1970 in India) whose settlement was made; undefined before the first check. */
  settledDay: number | undefined;
  /** Payments that are held back from settlement. */
  holds: Set<string>;
  adjustments: Map<string, z.infer<typeof adjustmentSchema>>;
  deliveries: Map<string, Delivery>;
  behaviour: Behaviour;
  clockOffsetMs: number;
};

function apply(state: State, entry: Entry): void {
  switch (entry.kind) {
    case 'order':
      state.orders.set(entry.value.order.id, entry.value);
      break;
    case 'payment':
      state.payments.set(entry.value.payment.id, entry.value);
      break;
    case 'customer':
      state.customers.set(entry.value.id, entry.value);
      break;
    case 'token':
      state.tokens.set(entry.value.token.id, entry.value);
      break;
    case 'qr-code':
      state.qrCodes.set(entry.value.id, entry.value);
      break;
    case 'virtual-account':
      state.virtualAccounts.set(entry.value.id, entry.value);
      break;
    case 'transfer':
      state.transfers.set(entry.value.transfer.payment_id, entry.value);
      break;
    case 'refund':
      state.refunds.set(entry.value.id, entry.value);
      break;
    case 'dispute':
      state.disputes.set(entry.value.id, entry.value);
      break;
    case 'refund-key':
      state.refundKeys.set(entry.value.key, entry.value);
      break;
    case 'settlement':
      state.settlements.set(entry.value.id, entry.value);
      break;
    case 'settlement-item':
      state.settlementItems.set(entry.value.entity_id, entry.value);
      break;
    case 'settlement-item-removed':
      state.settlementItems.delete(entry.value.id);
      break;
    case 'settled-day':
      state.settledDay = entry.value.day;
      break;
    case 'hold':
      if (entry.value.on) state.holds.add(entry.value.paymentId);
      else state.holds.delete(entry.value.paymentId);
      break;
    case 'adjustment':
      state.adjustments.set(entry.value.id, entry.value);
      break;
    case 'delivery':
      state.deliveries.set(entry.value.id, entry.value);
      break;
    case 'attempt': {
      const delivery = state.deliveries.get(entry.value.id);
      if (delivery) state.deliveries.set(delivery.id, { ...delivery, ...entry.value });
      break;
    }
    case 'behaviour':
      state.behaviour = entry.value;
      break;
    case 'clock':
      state.clockOffsetMs = entry.value.offsetMs;
      break;
  }
}

export type Ledger = { state: Readonly<State>; save(entry: Entry): void };

/** The stand-in's state: the journal's lines applied in order, the last one for an id wins. */
export function openLedger(path: string): Ledger {
  const state: State = {
    orders: new Map(),
    payments: new Map(),
    customers: new Map(),
    tokens: new Map(),
    qrCodes: new Map(),
    virtualAccounts: new Map(),
    transfers: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    refundKeys: new Map(),
    settlements: new Map(),
    settlementItems: new Map(),
    settledDay: undefined,
    holds: new Set(),
    adjustments: new Map(),
    deliveries: new Map(),
    behaviour: behaviourSchema.parse({}),
    clockOffsetMs: 0,
  };
  const journal = openJournal(path, entrySchema);
  for (const entry of journal.entries) apply(state, entry);
  return {
    state,
    save: (entry) => {
      journal.append(entry);
      apply(state, entry);
    },
  };
}
