import { z } from 'zod';

/** Text where the provider may also send null or, for a field without a value, nothing. */
const maybeText = z.string().nullish();

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
  // created, authorized, captured, refunded, failed; decide on it alone, never on `captured` or the error fields.
  status: z.string(),
  order_id: z.string().nullish(),
  method: z.string().nullish(),
  error_description: maybeText,
  // All refunds that the provider has taken on, also those that it has not paid out yet.
  amount_refunded: z.int().nullish(),
  created_at: z.int(),
});
const refundSchema = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  receipt: maybeText,
  status: z.enum(['pending', 'processed', 'failed']),
  created_at: z.int(),
});
const disputeSchema = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount: z.int(),
  // What the provider has taken back; 0 while it has not.
  amount_deducted: z.int().nullish(),
  reason_code: maybeText,
  reason_description: maybeText,
  phase: maybeText,
  status: z.enum(['open', 'under_review', 'won', 'lost', 'closed']),
  respond_by: z.int().nullish(),
  created_at: z.int(),
});
const collectionOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) });
const errorSchema = z.object({ error: z.object({ code: z.string(), description: z.string() }) });

export type ProviderOrder = z.output<typeof orderSchema>;
export type ProviderPayment = z.output<typeof paymentSchema>;
export type ProviderRefund = z.output<typeof refundSchema>;
export type ProviderDispute = z.output<typeof disputeSchema>;

/** The most that a list gives at once. */
const pageSize = 100;

/** The provider answered that it will not do it. */
export class ProviderRefusal extends Error {
  readonly status: number;
  constructor(status: number, description: string) {
    super(`The payment provider answered ${status}: ${description}`);
    this.status = status;
  }
}

/** No usable answer came: it is not known whether the provider did it. */
export class ProviderSilence extends Error {}

/** The few calls of Razorpay's API that the portal makes. Each throws ProviderRefusal or ProviderSilence. */
export interface Razorpay {
  createOrder: (order: {
    amountPaise: number;
    receipt: string;
    notes: Record<string, string>;
  }) => Promise<ProviderOrder>;
  /** The order that an earlier attempt made under this receipt, if any. */
  findOrder: (receipt: string) => Promise<ProviderOrder | undefined>;
  listPayments: (orderId: string) => Promise<ProviderPayment[]>;
  readPayment: (paymentId: string) => Promise<ProviderPayment>;
  /** Refunds once however often it is asked with the same key (X-Refund-Idempotency, at least 10 characters). */
  createRefund: (refund: { paymentId: string; amountPaise: number; key: string }) => Promise<ProviderRefund>;
  readRefund: (refundId: string) => Promise<ProviderRefund>;
  /** Every refund of a payment, whoever made it. */
  listRefunds: (paymentId: string) => Promise<ProviderRefund[]>;
  /** Every refund that was made since then (epoch seconds), a page at a time, the newest first. */
  listRefundsSince: (since: number) => AsyncIterable<ProviderRefund[]>;
  readDispute: (disputeId: string) => Promise<ProviderDispute>;
  listDisputesSince: (since: number) => AsyncIterable<ProviderDispute[]>;
}

/** A client of the API at `apiUrl` (…/v1). */
export function createRazorpay(options: {
  apiUrl: string;
  keyId: string;
  keySecret: string;
  timeoutMs?: number;
}): Razorpay {
  const authorization = `Basic ${Buffer.from(`${options.keyId}:${options.keySecret}`).toString('base64')}`;
  const timeoutMs = options.timeoutMs ?? 4000;

  const ask = async <T extends z.ZodType>(
    reply: T,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
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
      text = await response.text();
    } catch (error) {
      throw new ProviderSilence(`The payment provider did not answer ${path}`, { cause: error });
    }
    const json = parseJson(text);
    if (!response.ok) {
      const fault = errorSchema.safeParse(json);
      // Over its limit or failing, the provider may have done it or not.
      if (response.status >= 500 || response.status === 429)
        throw new ProviderSilence(`The payment provider answered ${response.status} to ${path}`);
      throw new ProviderRefusal(response.status, fault.success ? fault.data.error.description : 'no reason given');
    }
    const parsed = reply.safeParse(json);
    if (!parsed.success)
      throw new ProviderSilence(`The payment provider's answer to ${path} is not understood: ${parsed.error.message}`);
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
    createRefund: ({ paymentId, amountPaise, key }) =>
      ask(
        refundSchema,
        `/payments/${id(paymentId)}/refund`,
        { amount: amountPaise, speed: 'normal', receipt: key },
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
    listDisputesSince: (since) => pages(disputeSchema, `/disputes?from=${since}&`),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
