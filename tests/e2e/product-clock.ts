import type { Page } from '@playwright/test';
import { type PortalCustomer, type PortalPlace, signInCustomer } from '#ship/demo/portal-customer.ts';
import { keepSession } from './signed-in.ts';

const dayMs = 86_400_000;

/** Asks the payment provider's stand-in of a test's own product. */
export async function askStandin(place: PortalPlace, path: string, body: object, method = 'POST'): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${place.razorpayUrl}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
}

/** The clocks of the product and its stand-ins go on; sessions end. */
export const passDays = (place: PortalPlace, days: number): Promise<void> =>
  askStandin(place, '/standin/product-clock', { advanceMs: Math.round(days * dayMs) });

/** The same, after which the customer signs in again. */
export async function passDaysOf(
  place: PortalPlace,
  page: Page,
  person: Parameters<typeof signInCustomer>[1],
  days: number,
): Promise<PortalCustomer> {
  await passDays(place, days);
  const customer = await signInCustomer(place, person);
  await keepSession(page, customer.token);
  return customer;
}
