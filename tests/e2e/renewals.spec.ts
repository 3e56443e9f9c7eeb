import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile, type PortalCustomer, signInCustomer } from '#ship/demo/portal-customer.ts';
import { fine, looksOf } from './axe.ts';
import { expect, type Product, startProduct, test } from './product.ts';
import { keepSession } from './signed-in.ts';
import { onBoth } from './tiers.ts';

let own: Product;
test.beforeAll(async () => void (own = await startProduct()));
test.afterAll(() => own.remove());

const orderSchema = z.object({ orderId: z.string(), mandate: z.object({ customerId: z.string() }) });

async function standin(path: string, body: object, method = 'POST'): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${own.razorpayUrl}${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
}

/** Both clocks move, which ends the customer's session. */
async function move(page: Page, person: Parameters<typeof signInCustomer>[1], days: number): Promise<PortalCustomer> {
  await standin('/standin/product-clock', { advanceMs: days * 86_400_000 });
  const customer = await signInCustomer(own, person);
  await keepSession(page, customer.token);
  return customer;
}

test(
  'a plan renews by UPI: agreed to with a payment, skipped and not, debited, failed, paid by hand, turned off',
  {
    tag: onBoth,
  },
  async ({ browser }) => {
    test.setTimeout(300_000);
    const sub = randomBytes(6).toString('hex');
    const person = { claims: { sub, name: `Asha ${sub}`, email: `${sub}@example.com` } };
    const context = await browser.newContext({ baseURL: own.portalUrl });
    const tab = await context.newPage();
    const customer = await signInCustomer(own, person);
    await giveProfile(customer);
    const plan = { serviceId: 'tax-lookup-api', planId: 'growth' };
    const { activationId } = await customer.send(activateService, { body: plan });
    await keepSession(tab, customer.token);
    const billing = `/activations/${activationId}/billing`;
    await tab.goto(billing);

    const consent = tab.getByRole('checkbox', { name: /Renew automatically by UPI/ });
    await consent.check();
    await expect(tab.getByText(/at most ₹1,874 per debit/)).toBeVisible();
    const ordered = tab.waitForResponse((reply) => reply.url().endsWith(`/billing/${activationId}/order`));
    await tab.getByRole('button', { name: 'Pay ₹1,499' }).first().click();
    const { orderId, mandate } = orderSchema.parse(await (await ordered).json());
    // On another device.
    const how = { method: 'upi', customer_id: mandate.customerId };
    await customer.payOrder(orderId, how);
    await expect(tab.getByRole('heading', { name: 'Active Plan' })).toBeVisible({ timeout: 60_000 });

    const renewal = tab.locator('section').filter({ has: tab.getByRole('heading', { name: 'Automatic renewal' }) });
    await expect(async () => {
      await tab.reload();
      await expect(renewal.getByText(/₹1,499, asked for on/)).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: 60_000 });
    expect(await looksOf(tab)).toEqual(fine);

    await renewal.getByRole('button', { name: 'Skip the next debit' }).click();
    await expect(renewal.getByText(/The next debit is skipped/)).toBeVisible();
    await renewal.getByRole('button', { name: 'Debit it after all' }).click();
    await expect(renewal.getByText(/₹1,499, asked for on/)).toBeVisible();

    await standin('/standin/behaviour', { mandates: { nextDebits: ['insufficient_funds'], retries: 0 } }, 'PUT');
    await move(tab, person, 25);
    const outbox = async () => (await tab.request.get('/backend/outbox')).text();
    await expect.poll(outbox, { timeout: 60_000 }).toContain('Renews soon: ₹1,499');
    await move(tab, person, 2);
    await expect(async () => {
      await tab.goto(billing);
      await expect(renewal.getByText(/₹1,499 was asked for/)).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: 60_000 });
    await expect(tab.getByText('Payment is being confirmed', { exact: true })).toBeVisible();

    await move(tab, person, 1.5);
    await expect(async () => {
      await tab.goto(billing);
      await expect(renewal.getByText(/did not go through/)).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: 60_000 });
    expect(await looksOf(tab)).toEqual(fine);

    await expect(tab.getByRole('button', { name: 'Pay ₹1,499' }).first()).toBeVisible();
    await renewal.getByRole('button', { name: 'Turn off' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await expect(renewal.getByText(/Nothing (more )?is debited/)).toBeVisible();
    await context.close();
  },
);
