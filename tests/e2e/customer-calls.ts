import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { readUsage } from '#shared/contract/usage.ts';
import { type PortalCustomer, type PortalPlace, signInCustomer } from '#ship/demo/portal-customer.ts';

/** A customer without a browser, using the calls that the pages make. */
export interface CallingCustomer {
  activationId: string;
  apiKey: string;
  /** One call of the activated API; returns the status. */
  callApi: () => Promise<number>;
  /** Calls counted today. */
  countedToday: () => Promise<number>;
}

/** Signs in a new customer. */
export function newCustomer(place: PortalPlace): Promise<PortalCustomer> {
  const name = `Kabir ${randomBytes(4).toString('hex')}`;
  const email = `${name.replace(' ', '.').toLowerCase()}@example.com`;
  return signInCustomer(place, { claims: { sub: randomBytes(8).toString('hex'), name, email } });
}

/** Signs in a new customer, activates the trial of the tax look-up, and generates a key. */
export async function newCallingCustomer(place: PortalPlace): Promise<CallingCustomer> {
  const customer = await newCustomer(place);
  const { activationId } = await customer.send(activateService, {
    body: { serviceId: 'tax-lookup-api', planId: 'trial' },
  });
  const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'kept' } });
  return {
    activationId,
    apiKey,
    callApi: () => callApi(place, apiKey),
    countedToday: async () => {
      const usage = await customer.send(readUsage, { params: { activationId } });
      return usage.insights.dailyUse.quotaUsed;
    },
  };
}

/** Waits for a change that a busy gateway has not confirmed in time: it takes effect by then at the latest. */
export async function whenInEffect({ effectiveBy }: { effectiveBy: string | null }): Promise<void> {
  if (effectiveBy !== null) await sleep(Date.parse(effectiveBy) - Date.now());
}

/** One call of the tax look-up with a key; returns the status. */
export async function callApi(place: PortalPlace, apiKey: string): Promise<number> {
  const { status } = await callPath(place, apiKey, 'gstin/27AAPFU0939F1ZV');
  return status;
}

/** One call of a path of the tax look-up. */
export async function callPath(
  { gatewayUrl }: PortalPlace,
  apiKey: string,
  path: string,
): Promise<{ status: number; requestId: string }> {
  const response = await fetch(`${gatewayUrl}/tax-lookup/v1/${path}`, { headers: { 'x-api-key': apiKey } });
  await response.arrayBuffer();
  return { status: response.status, requestId: response.headers.get('x-request-id') ?? '' };
}
