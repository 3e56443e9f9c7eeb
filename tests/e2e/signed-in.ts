import type { Page } from '@playwright/test';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile, type PortalCustomer } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { expect, type ProductPlace } from './product.ts';

/** Where the pages keep the session token (product §3.3). */
export const sessionStorageKey = 'portal.session';

/** Opens a page as a customer who is already signed in. Tests of the sign-in itself use the account chooser. */
export async function openAs(page: Page, customer: PortalCustomer, path: string): Promise<void> {
  await keepSession(page, customer.token);
  await page.goto(path);
}

/** What a tab does whose customer presses Logout, and another one signs in. */
export async function changePerson(page: Page, token: string): Promise<void> {
  await page.evaluate(
    ([key, value]) => {
      localStorage.setItem('portal.signed-out', String(Date.now()));
      localStorage.setItem(key, value);
    },
    [sessionStorageKey, token] as const,
  );
}

/** Gives the browser a session, as an earlier visit would have left it; `origin` where the portal is not that of the test. */
export async function keepSession(page: Page, token: string, origin = ''): Promise<void> {
  // Any file of the portal's origin gives access to its storage.
  await page.goto(`${origin}/mark.svg`);
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [sessionStorageKey, token] as const);
}

/** A new customer with business details and an activation whose plan is unpaid, if it costs anything. */
export async function newActivation(
  place: ProductPlace,
  planId: string,
  serviceId = 'tax-lookup-api',
): Promise<{ customer: PortalCustomer; activationId: string; billingCycleId: string }> {
  const customer = await newCustomer(place);
  await giveProfile(customer);
  const { activationId, billingCycleId = '' } = await customer.send(activateService, { body: { serviceId, planId } });
  return { customer, activationId, billingCycleId };
}

/** The same with the plan paid. */
export async function newPaidActivation(place: ProductPlace, planId = 'growth') {
  const made = await newActivation(place, planId);
  expect(await made.customer.pay(made.billingCycleId)).toMatchObject({ status: 'success' });
  return made;
}
