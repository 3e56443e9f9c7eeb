import { createSignInNonce, signIn, updateProfile, type Profile } from '#shared/contract/account.ts';
import { declareTaxClaim, readTaxClaim } from '#shared/contract/tax-claims.ts';
import type { Call, CallInput, CallReply } from '#shared/contract/call.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { z } from 'zod';

/** The addresses of a running product with its stand-ins. */
export interface PortalPlace {
  portalUrl: string;
  gatewayUrl: string;
  googleUrl: string;
  razorpayUrl: string;
  /** Makes the calls to the portal, if not `fetch`. */
  fetchPortal?: (url: string, init: PortalRequest) => Promise<Response>;
}

interface PortalRequest {
  method: Call['method'];
  headers: Record<string, string>;
  body?: string;
}

/** A customer without a browser, using the calls that the pages make. */
export interface PortalCustomer {
  name: string;
  email: string;
  /** The session token. */
  token: string;
  /** Makes a call of the contract; rejects with status and body when it is refused. */
  send: <C extends Call>(call: C, input: CallInput<C>) => Promise<CallReply<C>>;
  /**
   * Pays a billing cycle as the checkout would, by card unless `play` says otherwise; returns the response of the
   * verification.
   */
  pay: (billingCycleId: string, play?: Record<string, unknown>) => Promise<CallReply<typeof verifyPayment>>;
  /** Pays an order at the provider without returning to the portal. */
  payOrder: (orderId: string, play?: Record<string, unknown>) => Promise<Response>;
  /** Lets the bank decline a payment of a billing cycle. */
  failToPay: (billingCycleId: string) => Promise<void>;
}

/** The customer who signs in; `account` is one of the stand-in's accounts, `claims` any other person. */
export type Person = { account: string } | { claims: { sub: string; name: string; email: string } };

const json = { 'content-type': 'application/json' };
const credentialSchema = z.object({ credential: z.string() });
const claimsSchema = z.object({ name: z.string(), email: z.string() });
const checkoutSchema = z.object({
  razorpay_payment_id: z.string(),
  razorpay_order_id: z.string(),
  razorpay_signature: z.string(),
});

/** Signs a customer in through the stand-in for Google. */
export async function signInCustomer(place: PortalPlace, person: Person): Promise<PortalCustomer> {
  const { nonce } = await sendCall(place, undefined, createSignInNonce, {});
  const issued = await fetch(`${place.googleUrl}/standin/token`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ nonce, ...person }),
  });
  const { credential } = credentialSchema.parse(await issued.json());
  const { accessToken } = await sendCall(place, undefined, signIn, { body: { googleIdToken: credential } });
  const send = <C extends Call>(call: C, input: CallInput<C>) => sendCall(place, accessToken, call, input);

  const payOrder = (orderId: string, how: Record<string, unknown> = {}): Promise<Response> => {
    const body = JSON.stringify({ order_id: orderId, method: 'card', ...how });
    return fetch(`${place.razorpayUrl}/standin/pay`, { method: 'POST', headers: json, body });
  };
  const play = async (billingCycleId: string, how: Record<string, unknown>): Promise<Response> => {
    const { orderId } = await send(createOrder, { params: { id: billingCycleId } });
    return payOrder(orderId, how);
  };
  return {
    ...claimsSchema.parse(JSON.parse(Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString())),
    token: accessToken,
    send,
    pay: async (billingCycleId, how = {}) => {
      const paid = checkoutSchema.parse(await (await play(billingCycleId, how)).json());
      const body = {
        paymentId: paid.razorpay_payment_id,
        orderId: paid.razorpay_order_id,
        signature: paid.razorpay_signature,
      };
      return send(verifyPayment, { body });
    },
    payOrder,
    failToPay: async (billingCycleId) => {
      const response = await play(billingCycleId, { outcome: 'insufficient_fund' });
      if (response.status !== 400) throw new Error(`the payment was not declined: ${response.status}`);
    },
  };
}

/** A letter that supports a claim about tax. */
const letter = Buffer.from('%PDF-1.7\n% Letter of approval').toString('base64');

/** Saves a business profile, which the first payment requires; by default in another State than the provider's. Declares what it claims. */
export async function giveProfile(customer: PortalCustomer, profile: Partial<Profile> = {}): Promise<void> {
  await customer.send(updateProfile, {
    body: {
      legalName: 'Kaveri Traders',
      phone: '+919876543210',
      gstin: null,
      address: '14 Residency Road',
      city: 'Bengaluru',
      pin: '560025',
      stateCode: '29',
      ...profile,
    },
  });
  const { needed } = await customer.send(readTaxClaim, {});
  if (needed) await customer.send(declareTaxClaim, { body: { name: 'letter-of-approval.pdf', letter } });
}

async function sendCall<C extends Call>(
  { portalUrl, fetchPortal = fetch }: PortalPlace,
  token: string | undefined,
  call: C,
  input: CallInput<C>,
): Promise<CallReply<C>> {
  const { params, query, body }: { params?: unknown; query?: unknown; body?: unknown } = input;
  const given = new Map(Object.entries(params ?? {}));
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(given.get(name))));
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await fetchPortal(`${portalUrl}/backend${path}${search.size > 0 ? `?${search.toString()}` : ''}`, {
    method: call.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : json),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${call.method} ${path} responded ${response.status}: ${text}`);
  return z.parse<C['reply']>(call.reply, JSON.parse(text));
}
