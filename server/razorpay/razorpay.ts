import { z } from 'zod';
import type { Day } from '#shared/domain/day.ts';
import { traced } from '#shared/platform/tracing.ts';
import { parseJson } from '#shared/platform/parse-json.ts';
import { readText } from '#shared/platform/read-response.ts';

/** An object that PHP writes as a list when it is empty. */
export const emptyAsList = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? null : value), shape.nullish());

/** A text that the provider may send as null or leave out. */
const maybeText = z.string().nullish();

/** A page of a list has some hundred thousand. */
const maxBytes = 10_000_000;

const orderSchema = z.object({
  id: z.string(),
  amount: z.int(),
  amount_paid: z.int(),
  currency: z.string(),
  receipt: z.string().nullable(),
  status: z.string(),
});
const paymentSchema = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  // created, authorized, captured, refunded, failed; decide by this alone, never by `captured` or the error fields.
  status: z.string(),
  order_id: z.string().nullish(),
  method: z.string().nullish(),
  error_description: maybeText,
  // All refunds that the provider has accepted, including those not yet paid out.
  amount_refunded: z.int().nullish(),
  // Null until it is captured; the fee includes its tax.
  fee: z.int().nullish(),
  tax: z.int().nullish(),
  created_at: z.int(),
});
/** The plan and cause of a refund that this portal requested; Razorpay sends a list where there are no notes. */
const notesOfRefund = z.object({ cycle: z.string().optional(), cause: z.string().optional() }).catch({});
const refundSchema = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  receipt: maybeText,
  notes: notesOfRefund,
  status: z.enum(['pending', 'processed', 'failed']),
  created_at: z.int(),
});
const disputeSchema = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  // The amount that the provider has deducted; 0 before that.
  amount_deducted: z.int().nullish(),
  reason_code: maybeText,
  reason_description: maybeText,
  phase: maybeText,
  status: z.enum(['open', 'under_review', 'won', 'lost', 'closed']),
  respond_by: z.int().nullish(),
  // When evidence was last submitted; null before, and when more is asked for.
  evidence: emptyAsList(z.object({ submitted_at: z.int().nullish() })),
  created_at: z.int(),
});
const settlementSchema = z.object({
  id: z.string(),
  amount: z.int(),
  status: z.enum(['created', 'processed', 'failed']),
  // Not known yet, however that is said: once it is stored it never changes.
  utr: maybeText.transform((utr) => (utr === '' ? null : utr)),
  created_at: z.int(),
});
/** A line of the settlement recon: a payment, refund, adjustment or something else that moved the balance. */
const reconItemSchema = z.object({
  entity_id: z.string(),
  type: z.string(),
  debit: z.int(),
  credit: z.int(),
  amount: z.int(),
  currency: z.string(),
  // With its GST, `tax`.
  fee: z.int(),
  tax: z.int(),
  on_hold: z.boolean().nullish(),
  settled: z.boolean(),
  created_at: z.int(),
  settled_at: z.int().nullish(),
  settlement_id: maybeText,
  description: maybeText,
  payment_id: maybeText,
  order_id: maybeText,
  dispute_id: maybeText,
});
const collectionOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });
const errorSchema = z.object({ error: z.object({ code: z.string(), description: z.string() }) });

export type ProviderOrder = z.output<typeof orderSchema>;
export type ProviderPayment = z.output<typeof paymentSchema>;
export type ProviderRefund = z.output<typeof refundSchema>;
export type ProviderDispute = z.output<typeof disputeSchema>;
export type ProviderSettlement = z.output<typeof settlementSchema>;
export type ProviderReconItem = z.output<typeof reconItemSchema>;

/** Maximum number of items per page of a list. */
const pageSize = 100;

/** The provider refused the request. */
export class ProviderRefusal extends Error {
  readonly status: number;
  constructor(status: number, description: string) {
    super(`The payment provider responded with ${status}: ${description}`);
    this.status = status;
  }
}

/** There was no usable response: it is unknown whether the provider did it. */
export class ProviderUnavailable extends Error {}

/** The calls of Razorpay's API that the portal needs. Each throws ProviderRefusal or ProviderUnavailable. */
export interface Razorpay {
  createOrder: (order: {
    amountPaise: number;
    receipt: string;
    notes: Record<string, string>;
  }) => Promise<ProviderOrder>;
  /** The order that an earlier attempt created with this receipt, if any. */
  findOrder: (receipt: string) => Promise<ProviderOrder | undefined>;
  listPayments: (orderId: string) => Promise<ProviderPayment[]>;
  readPayment: (paymentId: string) => Promise<ProviderPayment>;
  /** Creates one refund per key, however often it is called (X-Refund-Idempotency, at least 10 characters). */
  createRefund: (refund: {
    paymentId: string;
    cycleId: string;
    cause: string;
    amountPaise: number;
    key: string;
  }) => Promise<ProviderRefund>;
  readRefund: (refundId: string) => Promise<ProviderRefund>;
  /** Every refund of a payment, including those created elsewhere. */
  listRefunds: (paymentId: string) => Promise<ProviderRefund[]>;
  /** Every refund created since then (epoch seconds), page by page, newest first. */
  listRefundsSince: (since: number) => AsyncIterable<ProviderRefund[]>;
  readDispute: (disputeId: string) => Promise<ProviderDispute>;
  listDisputesSince: (since: number) => AsyncIterable<ProviderDispute[]>;
  listSettlementsSince: (since: number) => AsyncIterable<ProviderSettlement[]>;
  readSettlement: (settlementId: string) => Promise<ProviderSettlement>;
  /** Everything that was settled on a day (in India), page by page. */
  listSettledOn: (day: Day) => AsyncIterable<ProviderReconItem[]>;
}

/** Creates a client of the API at `apiUrl` (…/v1). */
export function createRazorpay(options: {
  apiUrl: string;
  keyId: string;
  keySecret: string;
  timeoutMs?: number;
}): Razorpay {
  const authorization = `Basic ${Buffer.from(`${options.keyId}:${options.keySecret}`).toString('base64')}`;
  const timeoutMs = options.timeoutMs ?? 4000;

  const ask = <T extends z.ZodType>(
    reply: T,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<z.output<T>> => {
    const method = body ? 'POST' : 'GET';
    const route = (path.split('?')[0] ?? '').replaceAll(/\/[a-z]+_\w+/g, '/:id');
    const attributes = { 'http.request.method': method, 'http.route': route };
    return traced(`Razorpay ${method} ${route}`, { kind: 'client', attributes }, () =>
      exchange(reply, path, body, headers),
    );
  };
  const exchange = async <T extends z.ZodType>(
    reply: T,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<z.output<T>> => {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${options.apiUrl}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      text = await readText(response, maxBytes);
    } catch (error) {
      throw new ProviderUnavailable(`The payment provider did not respond to ${path}`, { cause: error });
    }
    const json = parseJson(text);
    if (!response.ok) {
      const fault = errorSchema.safeParse(json);
      // With a 429 or 5xx, it is unknown whether the provider did it.
      if (response.status >= 500 || response.status === 429)
        throw new ProviderUnavailable(`The payment provider responded with ${response.status} to ${path}`);
      throw new ProviderRefusal(response.status, fault.success ? fault.data.error.description : 'no reason given');
    }
    const parsed = reply.safeParse(json);
    if (!parsed.success)
      throw new ProviderUnavailable(`The payment provider's response to ${path} is invalid: ${parsed.error.message}`);
    return parsed.data;
  };
  const id = encodeURIComponent;

  async function* pages<T extends z.ZodType>(item: T, path: string): AsyncGenerator<z.output<T>[]> {
    for (let skip = 0; ; skip += pageSize) {
      const { items } = await ask(collectionOf(item), `${path}count=${pageSize}&skip=${skip}`);
      if (items.length > 0) yield items;
      if (items.length < pageSize) return;
    }
  }

  return {
    createOrder: ({ amountPaise, receipt, notes }) =>
      ask(orderSchema, '/orders', {
        amount: amountPaise,
        currency: 'INR',
        receipt,
        notes,
        payment: {
          capture: 'automatic',
          capture_options: { automatic_expiry_period: 7200, manual_expiry_period: 7200, refund_speed: 'normal' },
        },
      }),
    findOrder: async (receipt) => {
      const { items } = await ask(collectionOf(orderSchema), `/orders?receipt=${id(receipt)}`);
      return items.find((order) => order.receipt === receipt);
    },
    listPayments: async (orderId) => (await ask(collectionOf(paymentSchema), `/orders/${id(orderId)}/payments`)).items,
    readPayment: (paymentId) => ask(paymentSchema, `/payments/${id(paymentId)}`),
    createRefund: ({ paymentId, cycleId, cause, amountPaise, key }) =>
      ask(
        refundSchema,
        `/payments/${id(paymentId)}/refund`,
        { amount: amountPaise, speed: 'normal', receipt: key, notes: { cycle: cycleId, cause } },
        { 'X-Refund-Idempotency': key },
      ),
    readRefund: (refundId) => ask(refundSchema, `/refunds/${id(refundId)}`),
    listRefunds: async (paymentId) => {
      const refunds: ProviderRefund[] = [];
      for await (const page of pages(refundSchema, `/payments/${id(paymentId)}/refunds?`)) refunds.push(...page);
      return refunds;
    },
    listRefundsSince: (since) => pages(refundSchema, `/refunds?from=${since}&`),
    readDispute: (disputeId) => ask(disputeSchema, `/disputes/${id(disputeId)}`),
    listSettlementsSince: (since) => pages(settlementSchema, `/settlements?from=${since}&`),
    readSettlement: (settlementId) => ask(settlementSchema, `/settlements/${id(settlementId)}`),
    listSettledOn: (day) => {
      const [year, month, date] = day.split('-');
      return pages(reconItemSchema, `/settlements/recon/combined?year=${year}&month=${month}&day=${date}&`);
    },
    listDisputesSince: (since) => pages(disputeSchema, `/disputes?from=${since}&`),
  };
}
