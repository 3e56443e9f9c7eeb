import { activateService } from '#shared/contract/marketplace.ts';
import { newCustomer } from './customer-calls.ts';
import { goodCard, checkoutOf, giveBusinessDetails, payByCard } from './customer.ts';
import { newActivation, openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

test('a switch that waits for the business details opens the checkout after them, and its dialog stays closed', async ({
  page,
  product,
}) => {
  const customer = await newCustomer(product);
  const body = { serviceId: 'tax-lookup-api', planId: 'free' };
  const { activationId } = await customer.send(activateService, { body });
  await openAs(page, customer, `/activations/${activationId}/billing?switch`);
  const dialog = page.getByRole('dialog', { name: 'Switch plan' });
  await dialog.getByRole('radio', { name: /^Growth, / }).click();
  await dialog.getByRole('button', { name: 'Pay ₹1,499' }).click();
  await giveBusinessDetails(page);
  await expect(checkoutOf(page).getByLabel('Card number')).toBeVisible();
  await expect(dialog).toBeHidden();
});

test('Switch plan shows what ends and what it costs, and the payment replaces the running plan', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'free');
  // Where a warning's “Renew or upgrade” leads.
  await openAs(page, customer, `/activations/${activationId}/billing?switch`);
  const dialog = page.getByRole('dialog', { name: 'Switch plan' });
  await expect(dialog.getByRole('button', { name: 'Choose a plan' })).toBeDisabled();
  await dialog.getByRole('radio', { name: /^Free/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('This free plan is running already');
  await dialog.getByRole('radio', { name: /^Growth, / }).click();
  await expect(dialog.getByText('Free ends')).toBeVisible();
  await expect(dialog.getByText('29 days')).toBeVisible();
  await expect(dialog.getByText('₹1,270.34 + ₹228.66 GST')).toBeInViewport();
  await expect(dialog.getByRole('button', { name: 'Pay ₹1,499' })).toBeInViewport();
  await dialog.getByRole('button', { name: 'Pay ₹1,499' }).click();
  await payByCard(checkoutOf(page), goodCard, '₹1,499');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main').getByText('Growth', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Active Plan', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Subscription' })).toBeHidden();
  await page.goto(`/api/${activationId}?tab=billing`);
  await expect(page.getByRole('row').filter({ hasText: 'Free' })).toContainText('DEACTIVATED');
});
