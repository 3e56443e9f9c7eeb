import { listActivations } from '#shared/contract/activations.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { readInvoice } from '#shared/contract/invoices.ts';
import { goodCard, openCheckout, payByCard } from './customer.ts';
import { intercept } from './failures.ts';
import { newActivation, openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

test('errors are shown for an order that the server refuses, one that times out, and a checkout that does not load', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'starter');
  await openAs(page, customer, `/activations/${activationId}/billing`);
  const pay = page.getByRole('button', { name: 'Pay ₹499' }).first();
  const interception = await intercept(page, createOrder);
  await interception.set('not_found');
  await pay.click();
  await expect(page.getByRole('alert').getByText('Failed to create payment order')).toBeVisible();
  await interception.set('no-response');
  await pay.click();
  const failed = page.getByRole('alert').getByText('Failed to initiate payment. Please try again.');
  await expect(failed).toBeVisible();
  await interception.set('through');
  await page.reload();
  await page.route('**/v1/checkout.js', (route) => route.abort());
  await pay.click();
  await expect(failed).toBeVisible();
  await expect(pay).toBeEnabled();
});

test('the checkout has provider, amount, API Service Payment and green, and an unverified payment shows an error', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'starter');
  await openAs(page, customer, `/activations/${activationId}/billing`);
  const interception = await intercept(page, verifyPayment);
  await interception.set('internal');
  const sheet = await openCheckout(page, '₹499');
  await expect(sheet.getByText('API Service Payment')).toBeVisible();
  await expect(sheet.getByText('₹499').first()).toBeVisible();
  // The provider also notifies the server, and what the page reads of that replaces the error.
  const reading = await intercept(page, listActivations);
  await reading.set('no-response');
  await payByCard(sheet, goodCard, '₹499');
  await expect(
    page
      .getByRole('alert')
      .getByText('Payment completed but verification failed. Please contact support if you face any issues.'),
  ).toBeVisible();
  await expect(page.getByRole('alert').getByText('If money left your account, don’t pay again')).toBeVisible();
  await reading.set('through');
  await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
});

test('an invoice downloads as invoice-{id}.pdf; a response without a file says that the download has begun, a failed one shows an error', async ({
  page,
  visitor,
}) => {
  await openAs(page, visitor.customer, `/api/${visitor.activationId}?tab=billing`);
  const button = page.getByRole('button', { name: /^Download invoice/ }).first();
  const interception = await intercept(page, readInvoice);
  await interception.set('internal');
  await button.click();
  await expect(page.getByRole('alert').getByText('Failed to download invoice. Please try again.')).toBeVisible();
  await interception.set('through');
  const begun = page.getByRole('status').getByText('Invoice download initiated successfully!');
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toMatch(/^invoice-CYC-\w+\.pdf$/);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(begun).toHaveCount(0);
  await page.route('**/backend/billing/invoice/*', (route) =>
    route.fulfill({ json: { invoiceId: 'OCT/26-27/000001' } }),
  );
  await button.click();
  await expect(begun).toBeVisible();
});
