import type { ConsoleMessage, Page } from '@playwright/test';
import { createApiKey, listApiKeys, revokeApiKey } from '#shared/contract/api-keys.ts';
import { addCycle, type Cycle, endCycle } from '#shared/contract/cycles.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import type { PortalCustomer } from '#ship/demo/portal-customer.ts';
import { callApi, newCustomer } from './customer-calls.ts';
import { type ProductPlace, sharedProduct, test as base } from './product.ts';
import { newActivation, newPaidActivation } from './signed-in.ts';

/** A customer with data on every page: a paid plan, one prepaid after it, an unpaid one, keys, calls and invoices. */
export interface Visitor {
  customer: PortalCustomer;
  activationId: string;
  /** Empty: there is none. */
  webhookId: string;
}

async function newVisitor(place: ProductPlace): Promise<Visitor> {
  const { customer, activationId } = await newPaidActivation(place);
  const params = { activationId };
  const { activations } = await customer.send(listActivations, {});
  let last: Cycle | undefined = activations[0]?.billingCycles[0];
  for (const pays of [true, false]) {
    const startDate = last?.toDate ?? '';
    const { billingCycleId = '' } = await customer.send(addCycle, {
      params: { activationId, planId: 'starter' },
      body: { startDate },
    });
    if (pays) await customer.pay(billingCycleId);
    const [read] = (await customer.send(listActivations, {})).activations;
    last = read?.billingCycles.find(({ id }) => id === billingCycleId);
  }
  const { apiKey } = await customer.send(createApiKey, { params, body: { keyName: 'prod1' } });
  await customer.send(createApiKey, { params, body: { keyName: 'old' } });
  const old = (await customer.send(listApiKeys, { params })).find(({ keyName }) => keyName === 'old');
  await customer.send(revokeApiKey, { params: { activationId, keyId: old?.id ?? '' } });
  for (let call = 0; call < 3; call += 1) await callApi(place, apiKey);
  // Nothing listens there: the pages show a webhook without deliveries.
  const { webhook } = await customer.send(createWebhook, {
    body: { url: 'https://1.1.1.1/hook', events: ['cycle.ended'] },
  });
  return { customer, activationId, webhookId: webhook.id };
}

/** A customer who has just signed up, and one whose activation has no cycle left. */
async function newBareVisitor(place: ProductPlace): Promise<Visitor> {
  const { customer, activationId, billingCycleId } = await newActivation(place, 'starter');
  await customer.send(endCycle, { params: { activationId, billingCycleId } });
  return { customer, activationId, webhookId: '' };
}

/** Errors that a page logged to the console, without the browser's own messages about failed requests. */
export function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message: ConsoleMessage) => {
    const isAnswer = message.text().startsWith('Failed to load resource:');
    if (message.type() === 'error' && !isAnswer) errors.push(message.text());
  });
  return errors;
}

/** Playwright's test with customers that all tests of a worker share and none changes. */
export const test = base.extend<
  { consoleErrors: string[] },
  { visitor: Visitor; bareVisitor: Visitor; newcomer: PortalCustomer }
>({
  visitor: [async ({}, use) => use(await newVisitor(sharedProduct())), { scope: 'worker' }],
  bareVisitor: [async ({}, use) => use(await newBareVisitor(sharedProduct())), { scope: 'worker' }],
  newcomer: [async ({}, use) => use(await newCustomer(sharedProduct())), { scope: 'worker' }],
  consoleErrors: [
    async ({ page }, use) => {
      const errors = errorsOf(page);
      await use(errors);
      base.expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
