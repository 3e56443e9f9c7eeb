import type { z } from 'zod';
import type { Day } from '#shared/domain/day.ts';
import type { MandateMethod } from '#shared/domain/mandate.ts';
import { traced } from '#shared/platform/tracing.ts';
import { parseJson } from '#shared/platform/parse-json.ts';
import { readText } from '#shared/platform/read-response.ts';
import {
  orderSchema,
  paymentSchema,
  refundSchema,
  customerSchema,
  tokenSchema,
  debitSchema,
  bankTransferSchema,
  virtualAccountSchema,
  takenSchema,
  disputeSchema,
  settlementSchema,
  reconItemSchema,
  collectionOf,
  errorSchema,
  type ProviderOrder,
  type ProviderPayment,
  type ProviderBankTransfer,
  type ProviderVirtualAccount,
  type ProviderToken,
  type ProviderRefund,
  type ProviderDispute,
  type ProviderSettlement,
  type ProviderReconItem,
} from './shapes.ts';

export type {
  ProviderOrder,
  ProviderPayment,
  ProviderToken,
  ProviderRefund,
  ProviderDispute,
  ProviderSettlement,
  ProviderReconItem,
} from './shapes.ts';

/** A page of a list has some hundred thousand. */
const maxBytes = 10_000_000;

/** Maximum number of items per page of a list. */
const pageSize = 100;

/** The provider itself refused the request, with its reason. */
export class ProviderRefusal extends Error {
  readonly description: string;
  constructor(description: string) {
    super(`The payment provider refused: ${description}`);
    this.description = description;
  }
}

/**
 * There was no usable response: it is unknown whether the provider did it, or it was never asked, as with a wrong key or behind a proxy that
 * lets nothing through.
 */
export class ProviderUnavailable extends Error {
  readonly status: number | undefined;
  constructor(message: string, { status, ...options }: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.status = status;
  }
}

/** The calls of Razorpay's API that the portal and the doctor need. Each throws ProviderRefusal or ProviderUnavailable. */
export interface Razorpay {
  createOrder: (order: {
    amountPaise: number;
    receipt: string;
    notes: Record<string, string>;
    /** The payer's consent to later debits (decision 074). */
    mandate?: { customerId: string; method: MandateMethod; ceilingPaise: number; expiresAt: number } | undefined;
    /** Whose mandate is debited for it. */
    customerId?: string | undefined;
  }) => Promise<ProviderOrder>;
  /** The customer of this e-mail address and phone; created unless there is one. */
  createCustomer: (customer: { name: string; email: string; contact: string }) => Promise<{ id: string }>;
  readToken: (customerId: string, tokenId: string) => Promise<ProviderToken>;
  /** Asks for the end of a mandate, which the bank may refuse: read the token for what became of it. */
  cancelToken: (customerId: string, tokenId: string) => Promise<unknown>;
  /** Asks for a debit; its result comes after a day or two. Returns the payment's id. */
  createDebit: (debit: {
    email: string;
    contact: string;
    amountPaise: number;
    orderId: string;
    customerId: string;
    tokenId: string;
    description: string;
  }) => Promise<string>;
  /** An account number to which a customer transfers money. */
  createVirtualAccount: (account: {
    description: string;
    notes: Record<string, string>;
  }) => Promise<ProviderVirtualAccount>;
  /** Takes no transfers any more. */
  closeVirtualAccount: (id: string) => Promise<unknown>;
  /** Whether an account number was made since then (epoch seconds). */
  hasVirtualAccountSince: (since: number) => Promise<boolean>;
  /** Every payment by transfer to an account number, page by page, newest first. */
  listTransfers: (virtualAccountId: string) => AsyncIterable<ProviderPayment[]>;
  /** How a payment by bank transfer came. */
  readTransfer: (paymentId: string) => Promise<ProviderBankTransfer>;
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
    method: 'GET' | 'POST' | 'PUT' = body ? 'POST' : 'GET',
  ): Promise<z.output<T>> => {
    const route = (path.split('?')[0] ?? '').replaceAll(/\/[a-z]+_\w+/g, '/:id');
    const attributes = { 'http.request.method': method, 'http.route': route };
    return traced(`Razorpay ${method} ${route}`, { kind: 'client', attributes }, () =>
      exchange(reply, path, method, body, headers),
    );
  };
  const exchange = async <T extends z.ZodType>(
    reply: T,
    path: string,
    method: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<z.output<T>> => {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${options.apiUrl}${path}`, {
        method,
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
      const { status } = response;
      const described = errorSchema.safeParse(json).data?.error.description;
      // Nothing else says what the provider makes of the request.
      if (status === 400 && described !== undefined) throw new ProviderRefusal(described);
      const reason = described === undefined ? '' : `: ${described}`;
      throw new ProviderUnavailable(`The payment provider responded with ${status} to ${path}${reason}`, { status });
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
    createOrder: ({ amountPaise, receipt, notes, mandate, customerId = mandate?.customerId }) =>
      ask(orderSchema, '/orders', {
        amount: amountPaise,
        currency: 'INR',
        receipt,
        notes,
        payment: {
          capture: 'automatic',
          capture_options: { automatic_expiry_period: 7200, manual_expiry_period: 7200, refund_speed: 'normal' },
        },
        ...(customerId !== undefined && { customer_id: customerId }),
        ...(mandate && {
          method: mandate.method,
          token: { max_amount: mandate.ceilingPaise, expire_at: mandate.expiresAt, frequency: 'as_presented' },
        }),
      }),
    createCustomer: async ({ name, email, contact }) => {
      // Names are 3 to 50 characters there.
      const customer = { ...(name.length >= 3 && { name: name.slice(0, 50) }), email, contact };
      try {
        return await ask(customerSchema, '/customers', { ...customer, fail_existing: '0' });
      } catch (error) {
        // Razorpay's pages contradict each other on which of the two returns the customer that is there.
        if (!(error instanceof ProviderRefusal)) throw error;
        return ask(customerSchema, '/customers', { ...customer, fail_existing: '1' });
      }
    },
    readToken: (customerId, tokenId) => ask(tokenSchema, `/customers/${id(customerId)}/tokens/${id(tokenId)}`),
    cancelToken: (customerId, tokenId) =>
      ask(takenSchema, `/customers/${id(customerId)}/tokens/${id(tokenId)}/cancel`, {}, {}, 'PUT'),
    createDebit: async ({ amountPaise, orderId, customerId, tokenId, ...debit }) => {
      const made = await ask(debitSchema, '/payments/create/recurring', {
        ...debit,
        amount: amountPaise,
        currency: 'INR',
        order_id: orderId,
        customer_id: customerId,
        token: tokenId,
        recurring: '1',
      });
      return made.razorpay_payment_id;
    },
    createVirtualAccount: (account) =>
      ask(virtualAccountSchema, '/virtual_accounts', { receivers: { types: ['bank_account'] }, ...account }),
    closeVirtualAccount: (accountId) => ask(takenSchema, `/virtual_accounts/${id(accountId)}/close`, {}),
    hasVirtualAccountSince: async (since) =>
      (await ask(collectionOf(takenSchema), `/virtual_accounts?from=${since}&count=1`)).items.length > 0,
    listTransfers: (virtualAccountId) => pages(paymentSchema, `/virtual_accounts/${id(virtualAccountId)}/payments?`),
    readTransfer: (paymentId) => ask(bankTransferSchema, `/payments/${id(paymentId)}/bank_transfer`),
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
