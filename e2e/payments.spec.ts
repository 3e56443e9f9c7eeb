import { onBoth } from './tiers.ts';
import { expect, test } from './product.ts';
import { checkoutOf, goodCard, openCheckout, payByCard, poorCard } from './customer.ts';
import { newActivation, openAs } from './signed-in.ts';

const pending = 'Complete your pending payment to activate subscription';

test.beforeEach(async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'starter');
  await openAs(page, customer, `/activations/${activationId}/billing`);
});

test('a declined card shows the reason, and another card on the same order pays', { tag: onBoth }, async ({ page }) => {
  const sheet = await openCheckout(page, '₹499');
  await sheet.getByLabel('Card number').fill(poorCard);
  await sheet.getByLabel('Expiry').fill('12 / 30');
  await sheet.getByLabel('CVV').fill('123');
  await sheet.getByRole('button', { name: 'Pay ₹499' }).click();
  await expect(sheet.getByRole('alert').filter({ hasText: /\w/ })).toBeVisible();
  await sheet.getByRole('button', { name: 'Retry' }).click();
  await payByCard(sheet, goodCard, '₹499');
  await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
});

test('closing the checkout charges nothing, and it can be opened again', { tag: onBoth }, async ({ page }) => {
  const banner = page.getByRole('main').getByText(pending);
  const sheet = await openCheckout(page, '₹499');
  await sheet.getByRole('button', { name: 'Close checkout' }).click();
  const leave = sheet.getByRole('button', { name: 'Yes, leave' });
  if (await leave.isVisible()) await leave.click();
  await expect(page.getByText('Payment not completed')).toBeVisible();
  await expect(banner).toBeVisible();
  await payByCard(await openCheckout(page, '₹499'), goodCard, '₹499');
  await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
  await expect(banner).toBeHidden();
});

test('a payment whose browser never returned is activated by the webhook alone', { tag: onBoth }, async ({ page }) => {
  await page.route('**/backend/billing/verify-payment', (route) => route.abort());
  const sheet = await openCheckout(page, '₹499');
  const url = page.url();
  await payByCard(sheet, goodCard, '₹499');
  await expect(checkoutOf(page).getByText('Payment successful')).toBeVisible();
  await page.goto('about:blank');
  await expect(async () => {
    await page.goto(url);
    await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible({ timeout: 2000 });
  }).toPass();
});
