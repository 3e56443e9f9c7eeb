import { EventEmitter, once } from 'node:events';
import { z } from 'zod';
import { addCycle, buyPack } from '#shared/contract/cycles.ts';
import { listAllHistory } from '#shared/contract/invoices.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { newCustomer } from './customer-calls.ts';
import { dayFromNow } from './days.ts';
import {
  checkoutFrame,
  checkoutOf,
  enterCard,
  giveBusinessDetails,
  goodCard,
  openCheckout,
  payByCard,
  poorCard,
  pressInCheckout,
} from './customer.ts';
import { expect, test } from './product.ts';
import { newActivation, newPaidActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';

const pending = 'Complete your pending payment to activate subscription';

test.beforeEach(async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'starter');
  await openAs(page, customer, `/activations/${activationId}/billing`);
});

test('a declined card shows the reason, and another card on the same order pays', { tag: onBoth }, async ({ page }) => {
  const sheet = await openCheckout(page, '₹499');
  await enterCard(sheet, poorCard, '₹499');
  await expect(sheet.getByRole('alert').filter({ hasText: /\w/ })).toBeVisible();
  await pressInCheckout(sheet, 'Retry');
  await payByCard(sheet, goodCard, '₹499');
  await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
});

test('closing the checkout charges nothing, and it can be opened again', { tag: onBoth }, async ({ page }) => {
  const banner = page.getByRole('main').getByText(pending);
  const sheet = await openCheckout(page, '₹499');
  await pressInCheckout(sheet, 'Close checkout');
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

test('a failed payment stays on the page, also after a reload, until it is dismissed or tried again', async ({
  page,
}) => {
  const sheet = await openCheckout(page, '₹499');
  await enterCard(sheet, poorCard, '₹499');
  await pressInCheckout(sheet, 'Close');
  const notice = page.getByRole('main').getByRole('alert').filter({ hasText: 'Payment not completed' });
  await expect(notice).toContainText('the account did not have enough funds');
  await page.reload();
  await expect(notice).toBeVisible();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: /^ACT-/ }).click();
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
  await page.reload();
  await expect(page.getByRole('main').getByText(pending).first()).toBeVisible();
  await expect(notice).toBeHidden();
});

test('a payment that failed on another device is a notice with its reason, until the customer has dealt with it', async ({
  page,
  product,
}) => {
  const { customer, activationId, billingCycleId } = await newActivation(product, 'starter');
  await customer.failToPay(billingCycleId);
  const notice = page.getByRole('main').getByRole('alert').filter({ hasText: 'Payment not completed' });
  for (const path of [`/activations/${activationId}/billing`, `/api/${activationId}`, '/billing']) {
    await expect(async () => {
      await openAs(page, customer, path);
      await expect(notice).toContainText('the account did not have enough funds', { timeout: 3000 });
    }).toPass();
  }
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await expect(notice).toBeHidden();
  await page.goto(`/activations/${activationId}`);
  await expect(page.getByRole('main').getByText(pending).first()).toBeVisible();
  await expect(notice).toBeHidden();
});

test('a payment of a pack that failed on another device is a notice with its reason, in Hindi too, and its retry pays', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newPaidActivation(product, 'tiny');
  const { billingCycleId } = await customer.send(buyPack, { params: { activationId, packId: 'extra-20' } });
  await customer.failToPay(billingCycleId);
  const alerts = page.getByRole('main').getByRole('alert');
  const notice = alerts.filter({ hasText: 'Payment not completed' });
  for (const path of ['/billing', `/api/${activationId}`, `/activations/${activationId}/billing`]) {
    await expect(async () => {
      await openAs(page, customer, path);
      await expect(notice).toContainText('the account did not have enough funds', { timeout: 3000 });
    }).toPass();
  }
  await page.evaluate(() => localStorage.setItem('language', 'hi'));
  await page.reload();
  await expect(
    alerts.filter({ hasText: 'भुगतान पूरा नहीं हुआ' }).getByRole('button', { name: 'फिर कोशिश करें' }),
  ).toBeVisible();
  await page.evaluate(() => localStorage.setItem('language', 'en'));
  await page.reload();
  await notice.getByRole('button', { name: 'Try again' }).click();
  await payByCard(checkoutOf(page), goodCard, '₹25');
  await expect(page.getByText('Extra 20: 20 more')).toBeVisible();
  await expect(notice).toBeHidden();
});

test('the retry of a failed payment opens the checkout, and a paid one has no notice', async ({ page }) => {
  await page.route('**/v1/checkout.js', (route) => route.abort());
  await page.getByRole('button', { name: 'Pay ₹499' }).first().click();
  const notice = page.getByRole('main').getByRole('alert').filter({ hasText: 'Failed to initiate payment' });
  await expect(notice).toBeVisible();
  await page.unroute('**/v1/checkout.js');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await payByCard(checkoutOf(page), goodCard, '₹499');
  await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
  await expect(notice).toBeHidden();
});

test('a cycle paid in one tab ends the checkout of another, which says so once', async ({ page, context }) => {
  const other = await context.newPage();
  await other.goto(page.url());
  await openCheckout(other, '₹499');
  await payByCard(await openCheckout(page, '₹499'), goodCard, '₹499');
  // The sentence is gone after some seconds.
  await Promise.all([
    expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible(),
    expect(checkoutOf(other).getByLabel('Card number')).toBeHidden({ timeout: 60_000 }),
    expect(other.getByText('If you paid twice, the second payment is refunded.')).toBeVisible({ timeout: 60_000 }),
  ]);
  await expect(other.getByText('Payment not completed')).toBeHidden();
  await expect(other.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
});

test('paying the same cycle in two tabs ends with one sentence that says what is refunded', async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  await other.goto(page.url());
  const sheets = [await openCheckout(page, '₹499'), await openCheckout(other, '₹499')];
  for (const sheet of sheets) {
    await pressInCheckout(sheet, 'Use a test card');
    await pressInCheckout(sheet, 'Pay ₹499');
    await sheet.getByLabel('OTP').fill('1234');
  }
  for (const sheet of sheets) await pressInCheckout(sheet, 'Submit OTP');
  await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
  const notice = other.getByRole('main').getByRole('alert');
  await expect(notice).toContainText('Starter was paid already, so the second payment of ₹499 is refunded in full.');
  await expect(notice).toHaveCount(1);
  await expect(checkoutOf(other).getByText('Payment successful')).toBeHidden();
});

test('a checkout that was being opened at Logout stays closed', async ({ page, isMobile }) => {
  test.skip(isMobile, 'The menu of a phone has the same button.');
  // Loads the checkout, so that the next one opens as soon as its order is there.
  await pressInCheckout(await openCheckout(page, '₹499'), 'Close checkout');
  await expect(page.locator(checkoutFrame)).toHaveCount(0);
  const steps = new EventEmitter();
  await page.route('**/backend/billing/make-order/**', async (route) => {
    const response = await route.fetch();
    const goesOn = once(steps, 'on');
    steps.emit('ordered');
    await goesOn;
    await route.fulfill({ response });
  });
  const ordered = once(steps, 'ordered');
  await page.getByRole('button', { name: 'Pay ₹499' }).first().click();
  await ordered;
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  const responded = page.waitForResponse('**/backend/billing/make-order/**');
  steps.emit('on');
  await (await responded).finished();
  // By then the page has gone on with the order.
  await page.evaluate(() => fetch('/mark.svg', { cache: 'reload' }).then((response) => response.text()));
  await expect(page.locator(checkoutFrame)).toHaveCount(0);
});

test('the activation page has Pay, and after the business details are saved the checkout opens by itself', async ({
  page,
  product,
}) => {
  const customer = await newCustomer(product);
  const { activationId } = await customer.send(activateService, {
    body: { serviceId: 'tax-lookup-api', planId: 'starter' },
  });
  await openAs(page, customer, `/activations/${activationId}`);
  await page.getByRole('button', { name: 'Pay ₹499' }).click();
  await giveBusinessDetails(page);
  await expect(page).toHaveURL(`/activations/${activationId}`);
  await payByCard(checkoutOf(page), goodCard, '₹499');
  await expect(page.getByRole('main').getByText('Ends', { exact: true })).toBeVisible();
  await page.reload();
  await expect(checkoutOf(page).getByLabel('Card number')).toBeHidden();
});

test('Complete Payment offers each of several unpaid subscriptions, and all of them in one payment', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'growth');
  const add = { params: { activationId, planId: 'starter' }, body: { startDate: dayFromNow(30) } };
  await customer.send(addCycle, add);
  await openAs(page, customer, `/api/${activationId}`);
  await page.getByRole('button', { name: 'Complete Payment' }).click();
  await expect(page.getByRole('menuitem')).toHaveCount(3);
  await page.getByRole('menuitem', { name: 'Pay ₹1,998 for all 2' }).click();
  await payByCard(checkoutOf(page), goodCard, '₹1,998');
  await expect(page.getByText('2 subscriptions are paid.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Complete Payment' })).toBeHidden();
});

test('a disputed payment is a notice in the billing history, with its status and the way to support', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newPaidActivation(product);
  const { entries } = await customer.send(listAllHistory, {});
  const paymentId = entries[0]?.payments[0]?.id ?? '';
  const standin = (path: string) =>
    page.request.post(`${product.razorpayUrl}/standin/${path}`, { data: { phase: 'chargeback' } });
  const opened = z.object({ id: z.string() }).parse(await (await standin(`payments/${paymentId}/dispute`)).json());
  const notice = page.getByRole('alert').filter({ hasText: 'Your bank disputes ₹1,499' });
  await expect(async () => {
    await openAs(page, customer, '/billing');
    await expect(notice).toContainText('We have been asked to answer your bank.', { timeout: 3000 });
  }).toPass();
  await expect(notice).toContainText(paymentId);
  await notice.getByRole('link', { name: 'Contact support' }).click();
  await expect(page).toHaveURL(new RegExp(`/activations/${activationId}/support$`));
  await standin(`disputes/${opened.id}/under_review`);
  await expect(async () => {
    await page.goto(`/api/${activationId}?tab=billing`);
    await expect(notice).toContainText('Your bank has our answer and is deciding.', { timeout: 3000 });
  }).toPass();
});
