import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile, type PortalCustomer, signInCustomer } from '#ship/demo/portal-customer.ts';
import { fine, looksOf } from './axe.ts';
import { openCheckout, payByCard } from './customer.ts';
import { mailsTo } from './outbox.ts';
import { askStandin, passDaysOf } from './product-clock.ts';
import { expect, type Product, startProduct, test } from './product.ts';
import { keepSession, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';

let own: Product;
test.beforeAll(async () => void (own = await startProduct()));
test.afterAll(() => own.remove());

const orderSchema = z.object({
  orderId: z.string(),
  mandate: z.object({ customerId: z.string() }).nullable().optional(),
});

/** The card of the mandate. */
const renewalOf = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Automatic renewal' }) });

/** Presses a button that pays ₹1,499, and pays the order on another device. */
async function payElsewhere(page: Page, customer: PortalCustomer, button: 'first' | 'last'): Promise<boolean> {
  const ordered = page.waitForResponse(
    (reply) => /\/(order|make-order\/[^/]+)$/.test(reply.url()) && reply.request().method() === 'POST',
  );
  await page.getByRole('button', { name: 'Pay ₹1,499' })[button]().click();
  const { orderId, mandate } = orderSchema.parse(await (await ordered).json());
  await customer.payOrder(orderId, mandate ? { method: 'upi', customer_id: mandate.customerId } : { method: 'upi' });
  return mandate != null;
}

test(
  'who agrees to a renewal by card pays in a checkout that takes cards alone, and reads by which it renews',
  { tag: onBoth },
  async ({ browser }) => {
    const context = await browser.newContext({ baseURL: own.portalUrl });
    const tab = await context.newPage();
    const sub = randomBytes(6).toString('hex');
    const customer = await signInCustomer(own, {
      claims: { sub, name: `Ravi ${sub}`, email: `${sub}@example.com` },
    });
    await giveProfile(customer);
    const plan = { serviceId: 'tax-lookup-api', planId: 'growth' };
    const { activationId } = await customer.send(activateService, { body: plan });
    await openAs(tab, customer, `/activations/${activationId}/billing`);
    await tab.getByRole('checkbox', { name: /^Renew automatically/ }).check();
    const methods = tab.getByRole('radiogroup', { name: 'Debited by' });
    await expect(methods.getByRole('radio', { name: 'UPI' })).toBeChecked();
    await methods.getByRole('radio', { name: 'Card' }).check();
    expect(await looksOf(tab)).toEqual(fine);
    const sheet = await openCheckout(tab, '₹1,499');
    await expect(sheet.getByRole('tab')).toHaveText(['Card']);
    await payByCard(sheet, '4100 2800 0000 1007', '₹1,499');
    const renewal = renewalOf(tab);
    await expect(renewal.getByText(/₹1,499, on or after/)).toBeVisible();
    await expect(renewal.getByText('Card', { exact: true })).toBeVisible();
    await context.close();
  },
);

test(
  'a plan renews by UPI: agreed to by any Pay button, skipped from the mail and not, debited, failed, paid by hand, turned off',
  { tag: onBoth },
  async ({ browser }) => {
    test.slow();
    const sub = randomBytes(6).toString('hex');
    const person = { claims: { sub, name: `Asha ${sub}`, email: `${sub}@example.com` } };
    const context = await browser.newContext({ baseURL: own.portalUrl });
    const tab = await context.newPage();
    let customer = await signInCustomer(own, person);
    await giveProfile(customer);
    const plan = { serviceId: 'tax-lookup-api', planId: 'growth' };
    const { activationId } = await customer.send(activateService, { body: plan });
    await keepSession(tab, customer.token);
    const billing = `/activations/${activationId}/billing`;
    const renewal = renewalOf(tab);
    /** What is worked out in the background shows once the page is read again. */
    const reads = (text: RegExp, path = billing) =>
      expect(async () => {
        await tab.goto(path);
        await expect(renewal.getByText(text)).toBeVisible({ timeout: 5000 });
      }).toPass();

    await tab.goto(billing);
    await tab.getByRole('checkbox', { name: /^Renew automatically/ }).check();
    await expect(tab.getByText(/at most ₹1,874 per debit/)).toBeVisible();
    // The one that is not beside the tick.
    expect(await payElsewhere(tab, customer, 'last')).toBe(true);
    await expect(tab.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
    await reads(/₹1,499, on or after/);
    expect(await looksOf(tab)).toEqual(fine);

    await askStandin(
      own,
      '/standin/behaviour',
      { mandates: { nextDebits: ['insufficient_funds'], retries: 0 } },
      'PUT',
    );
    customer = await passDaysOf(own, tab, person, 25);
    const mails = () => mailsTo(tab, person.claims.email);
    const linkToSkip = async () => {
      const texts = (await mails()).map(({ text }) => text).join('\n');
      return /\/activations\/[A-Z0-9-]+\/billing\?skip=[0-9-]+/.exec(texts)?.[0] ?? '';
    };
    await expect.poll(linkToSkip).toContain(activationId);
    const link = await linkToSkip();
    await tab.goto(link);
    const dialog = tab.getByRole('dialog', { name: 'Skip this debit?' });
    await expect(dialog.getByText(/₹1,499 would be debited on or after/)).toBeVisible();
    await expect(dialog.getByText(/Your plan ends on \d+ \w+, 00:00 IST/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Keep the debit' })).toBeFocused();
    expect(await looksOf(tab)).toEqual(fine);
    await dialog.getByRole('button', { name: 'Skip the next debit' }).click();
    await expect(renewal.getByText(/The next debit is skipped. Your plan ends on \d+ \w+, 00:00 IST/)).toBeVisible();
    await expect(dialog).toBeHidden();
    await renewal.getByRole('button', { name: 'Debit it after all' }).click();
    await expect(renewal.getByText(/₹1,499, on or after/)).toBeVisible();

    customer = await passDaysOf(own, tab, person, 2);
    await reads(/₹1,499 was asked for.* You can pay yourself once it has/);
    expect(await looksOf(tab)).toEqual(fine);

    customer = await passDaysOf(own, tab, person, 1.5);
    await reads(/did not go through/);
    await expect.poll(async () => (await mails()).map(({ subject }) => subject).join()).toContain('Renewal not paid');
    expect(await looksOf(tab)).toEqual(fine);
    expect(await payElsewhere(tab, customer, 'first')).toBe(false);
    // What failed begins otherwise.
    await reads(/^₹1,499, on or after/);
    await expect(renewal.getByText(/did not go through/)).toBeHidden();

    await renewal.getByRole('button', { name: 'Turn off' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await expect(renewal.getByText(/Nothing (more )?is debited/)).toBeVisible();
    await context.close();
  },
);
