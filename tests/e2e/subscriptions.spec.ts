import type { Locator, Page } from '@playwright/test';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { listPlans } from '#shared/contract/marketplace.ts';
import { goodCard, openCheckout, payByCard } from './customer.ts';
import { checkoutOf } from './customer.ts';
import { dayFromNow } from './days.ts';
import { intercept } from './failures.ts';
import { newActivation, newPaidActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

const pending = 'Complete your pending payment to activate subscription';
const tip = /Prepay several subscriptions with consecutive start dates\. They auto-activate as each one ends\./;

const otherDay = (dialog: Locator) => dialog.getByRole('radio', { name: 'Another day' });

const dateOf = (day: string) => Number(day.slice(8));

function notice(page: Page, text: string) {
  // The one that it replaces may still be fading.
  return page.locator('.mantine-Notifications-root').getByRole('alert').filter({ hasText: text }).last();
}

test('an unpaid cycle shows the banner, PAYMENT PENDING without underscores, the tip, Remove, and Complete Payment on the API page', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'growth');
  await openAs(page, customer, `/activations/${activationId}/billing`);
  const main = page.getByRole('main');
  await expect(main.getByText(pending)).toBeVisible();
  await expect(main.getByText('PAYMENT PENDING')).toBeVisible();
  await expect(main.getByText('PAYMENT_PENDING')).toBeHidden();
  await expect(main.getByText(tip)).toBeVisible();
  await expect(main.getByRole('button', { name: 'Remove' })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Add Subscription' })).toBeVisible();
  await page.goto(`/api/${activationId}`);
  await page.getByRole('button', { name: 'Complete Payment' }).click();
  await expect(checkoutOf(page).getByLabel('Card number')).toBeVisible();
  await page.goto(`/api/${activationId}`);
  await page.getByRole('link', { name: 'Back to Dashboard' }).click();
  await expect(page).toHaveURL(`/activations/${activationId}`);
});

test('a PAID cycle is the Active Plan and removes Add Subscription; the tip is shown while it is the only cycle', async ({
  page,
  product,
  visitor,
}) => {
  const { customer, activationId } = await newPaidActivation(product, 'starter');
  await openAs(page, customer, `/activations/${activationId}/billing`);
  await expect(page.getByRole('heading', { name: 'Active Plan', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Subscription' })).toBeHidden();
  await expect(page.getByText(tip)).toBeVisible();
  await openAs(page, visitor.customer, `/activations/${visitor.activationId}/billing`);
  await expect(page.getByRole('heading', { name: 'Active Plan', exact: true })).toBeVisible();
  await expect(page.getByText(tip)).toBeHidden();
});

test('Add Subscription: a plan, Continue, Back to Plans, a start date, Complete; then the page lists it', async ({
  page,
  product,
  isMobile,
}) => {
  const { customer, activationId, billingCycleId } = await newActivation(product, 'growth');
  await customer.send(endCycle, { params: { activationId, billingCycleId } });
  await openAs(page, customer, `/activations/${activationId}/billing`);
  await page.getByRole('button', { name: 'Add Subscription' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(notice(page, 'Please select a plan and start date')).toBeVisible();
  await dialog.getByRole('radio', { name: /^Starter/ }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();

  // Today is proposed, with its days and its sum in sight; the calendars are for another day.
  await expect(dialog.getByRole('radio', { name: /^Today, / })).toBeChecked();
  for (const text of ['₹499', '(30 days)'])
    await expect(dialog.getByRole('status').getByText(text).first()).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('button', { name: 'Complete' })).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('table')).toHaveCount(0);
  await otherDay(dialog).click();
  const months = dialog.getByRole('table');
  await expect(months).toHaveCount(2);
  const [first, second] = [await months.nth(0).boundingBox(), await months.nth(1).boundingBox()];
  // One below the other on a phone.
  expect((second?.y ?? 0) > (first?.y ?? 0)).toBe(isMobile);
  const titles = dialog.locator('[data-month-level]');
  for (const month of await months.all()) await expect(month.locator('td')).toHaveCount(42);
  const yesterday = dialog.locator(`[data-day="${dayFromNow(-1)}"]`);
  if ((await yesterday.count()) > 0) await expect(yesterday.first()).toBeDisabled();
  const past = await dialog
    .locator('[data-day]')
    .evaluateAll(
      (days, today) =>
        days.filter((day) => (day.getAttribute('data-day') ?? '') < today && !day.matches(':disabled')).length,
      dayFromNow(0),
    );
  expect(past).toBe(0);
  await dialog.getByRole('button', { name: 'Complete' }).click();
  await expect(notice(page, 'Please select a plan and start date')).toBeVisible();
  await dialog.getByRole('button', { name: 'Back to Plans' }).click();
  await expect(dialog.getByRole('radio', { name: /^Starter/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(otherDay(dialog)).toBeChecked();
  // Both months move on by one.
  const shown = await titles.allTextContents();
  await dialog.getByRole('button', { name: 'Next month' }).click();
  await expect(titles.first()).toHaveText(shown[1] ?? '');
  await dialog.getByRole('button', { name: 'Previous month' }).click();
  // There is no latest day: more than a year ahead can be chosen.
  for (let month = 0; month < 14; month += 1) await dialog.getByRole('button', { name: 'Next month' }).click();
  const far = dialog.locator('td:not([inert]) [data-day]').first();
  await expect(far).toBeEnabled();
  for (let month = 0; month < 14; month += 1) await dialog.getByRole('button', { name: 'Previous month' }).click();
  await dialog.locator(`td:not([inert]) [data-day="${dayFromNow(0)}"]`).click();
  await expect(dialog.getByText('₹422.88')).toBeVisible();
  // However far it is scrolled, the sum stands beside the button that commits to it.
  await titles.first().scrollIntoViewIfNeeded();
  await expect(dialog.getByRole('status').filter({ hasText: '₹499' })).toBeInViewport();
  const covered = new RegExp(`${dateOf(dayFromNow(0))} .*– ${dateOf(dayFromNow(29))} \\w+ \\d+ \\(30 days\\)`);
  await expect(dialog.getByText(covered)).toBeVisible();
  await expect(dialog.getByText(new RegExp(`^Ends ${dateOf(dayFromNow(30))} .*, 00:00 IST$`))).toBeVisible();

  await dialog.getByRole('button', { name: 'Complete' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main').getByText(pending)).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Starter/ })).toBeVisible();
  await expect(page.getByRole('main').getByText('30 days from the day you pay')).toBeVisible();
});

test('days that are taken say why, and today is the server’s, not the browser’s', async ({ page, visitor }) => {
  await page.clock.install({ time: Date.now() - 5 * 86_400_000 });
  await openAs(page, visitor.customer, `/activations/${visitor.activationId}/billing`);
  await page.getByRole('button', { name: 'Prepay next' }).first().click();
  const dialog = page.getByRole('dialog');
  await otherDay(dialog).click();
  await expect(dialog.getByText(/^Growth: .*\(30 days\)$/)).toBeVisible();
  const previous = dialog.getByRole('button', { name: 'Previous month' });
  while (await previous.isEnabled()) await previous.click();
  const day = (days: number) => dialog.locator(`td:not([inert]) [data-day="${dayFromNow(days)}"]`);
  await expect(day(0)).toHaveAttribute('title', /^Covered by Growth, /);
  await expect(day(0)).toHaveAttribute('data-now', 'true');
  // On the first of a month it is shown only where that month begins within a week.
  const yesterday = dialog.locator(`[data-day="${dayFromNow(-1)}"]`);
  if ((await yesterday.count()) > 0) await expect(yesterday.first()).toBeDisabled();
});

test(
  'three periods are added with their dates and total, and one checkout pays for all of them',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, activationId, billingCycleId } = await newActivation(product, 'growth');
    await customer.send(endCycle, { params: { activationId, billingCycleId } });
    await openAs(page, customer, `/activations/${activationId}/billing`);
    await page.getByRole('button', { name: 'Add Subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^Starter/ }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByLabel('Periods').selectOption('3 periods');
    await expect(dialog.getByRole('list', { name: 'Dates of each period' }).getByRole('listitem')).toHaveCount(3);
    await expect(dialog.getByText('₹1,497')).toBeVisible();
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await expect(dialog).toBeHidden();
    await payByCard(await openCheckout(page, '₹1,497 for all 3'), goodCard, '₹1,497');
    await expect(page.getByRole('heading', { name: 'Active Plan', exact: true })).toBeVisible();
    await expect(page.getByText('Prepaid on')).toHaveCount(2);
  },
);

test('Prepay next proposes the running plan after the last open one, by keyboard alone', async ({ page, product }) => {
  const { customer, activationId } = await newPaidActivation(product, 'growth');
  const add = { params: { activationId, planId: 'starter' }, body: { startDate: dayFromNow(30) } };
  await customer.send(addCycle, add);
  await openAs(page, customer, `/activations/${activationId}/billing`);
  await page.getByRole('button', { name: 'Prepay next' }).first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const periods = dialog.getByLabel('Periods');
  await expect(periods).toBeFocused();
  // The unpaid plan has the days from 30 on; the next free day is proposed.
  const next = dialog.getByRole('radio', { name: /The day after your last subscription$/ });
  await expect(next).toBeChecked();
  await expect(next).toContainText(new RegExp(`^${dateOf(dayFromNow(60))} `));
  await expect(dialog.getByText('Growth', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Back to Plans' }).press('Enter');
  await expect(dialog.getByRole('radio', { name: /^Growth(?! 90)/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Continue' }).press('Enter');
  await dialog.getByRole('button', { name: 'Complete' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('listitem').filter({ hasText: 'Growth' })).toContainText('PAYMENT PENDING');
});

test('a dialog fades for 300 ms while it closes', async ({ page, bareVisitor: { customer, activationId } }) => {
  await openAs(page, customer, `/activations/${activationId}/billing`);
  await page.getByRole('button', { name: 'Add Subscription' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio').first()).toBeVisible();
  await dialog.evaluate((content) => {
    let began = 0;
    const look = () => {
      if (began === 0 && content instanceof HTMLElement && content.style.opacity === '0') began = performance.now();
      const tookMs = performance.now() - began;
      if (!content.isConnected) document.documentElement.dataset['closedInMs'] ??= String(tookMs);
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const tookMs = Number(await page.locator('html').getAttribute('data-closed-in-ms'));
  expect(tookMs).toBeGreaterThanOrEqual(295);
});

for (const [failure, text] of [
  ['internal', 'Plan activation failed. Please try again.'],
  ['no-response', 'Failed to activate plan. Please try again.'],
] as const)
  test(`a subscription that cannot be added (${failure}) shows: ${text}`, async ({
    page,
    bareVisitor: { customer, activationId },
  }) => {
    await openAs(page, customer, `/activations/${activationId}/billing`);
    const interception = await intercept(page, addCycle);
    await page.getByRole('button', { name: 'Add Subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^Starter/ }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await interception.set(failure);
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await expect(notice(page, text)).toBeVisible();
    await expect(otherDay(dialog)).toBeVisible();
  });

test('plans that fail to load in the dialog show an error, and Try Again loads them', async ({
  page,
  bareVisitor: { customer, activationId },
}) => {
  await openAs(page, customer, `/activations/${activationId}/billing`);
  const interception = await intercept(page, listPlans);
  await interception.set('internal');
  await page.getByRole('button', { name: 'Add Subscription' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toContainText('Failed to load plan data');
  await interception.set('through');
  await dialog.getByRole('button', { name: 'Try Again' }).click();
  await expect(dialog.getByRole('radio', { name: /^Starter/ })).toBeVisible();
});

test('Deactivate plan asks in a dialog that says what is lost, shows a failure, and ends the plan at once', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newPaidActivation(product, 'starter');
  await openAs(page, customer, `/activations/${activationId}/billing`);
  const interception = await intercept(page, endCycle);
  await page.getByRole('button', { name: 'Deactivate plan' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The plan ends immediately. Unused days are lost.');
  await expect(dialog).toContainText('29 days');
  await dialog.getByRole('button', { name: 'Keep plan' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Active Plan', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Deactivate plan' }).click();
  await interception.set('internal');
  await dialog.getByRole('button', { name: 'Deactivate plan' }).click();
  await expect(notice(page, 'Failed to deactivate plan. Please try again.')).toBeVisible();
  await interception.set('through');
  await dialog.getByRole('button', { name: 'Deactivate plan' }).click();
  await expect(page.getByText('No Active Plans')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Active Plan', exact: true })).toBeHidden();
  await page.goto(`/api/${activationId}?tab=billing`);
  await expect(page.getByText('DEACTIVATED')).toBeVisible();
  await expect(
    page.getByRole('row').filter({ hasText: 'DEACTIVATED' }).getByText('Paid', { exact: true }),
  ).toBeVisible();
});

test('Remove asks in a dialog, shows a failure, and removes the unpaid cycle', async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'starter');
  await openAs(page, customer, `/activations/${activationId}/billing`);
  const interception = await intercept(page, endCycle);
  await page.getByRole('main').getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove this subscription?' });
  await interception.set('no-response');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(notice(page, 'Failed to remove plan. Please try again.')).toBeVisible();
  await interception.set('through');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No Active Plans')).toBeVisible();
});
