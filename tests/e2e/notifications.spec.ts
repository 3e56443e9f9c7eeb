import { newCustomer } from './customer-calls.ts';
import { expect, test } from './product.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onPhone } from './tiers.ts';

test(
  'on a phone one notification stands at a time, a failure first, and the others follow',
  { tag: onPhone },
  async ({ page, product, isMobile }) => {
    test.skip(!isMobile, 'A large screen has room for several.');
    await page.addInitScript(() => {
      // Notifications stay for minutes instead of 5 seconds: a busy machine reaches them later.
      const start = window.setTimeout.bind(window);
      const setTimeout = (handler: () => void, ms?: number) => start(handler, ms === 5_000 ? 300_000 : ms);
      Object.assign(window, { setTimeout });
    });
    await openAs(page, await newCustomer(product), '/account?view=mails');
    const place = page.locator('.mantine-Notifications-root');
    const [done, failed] = [place.getByRole('status'), place.getByRole('alert')];
    const choice = page.getByRole('checkbox', { name: 'A plan is about to end' });
    // By key: the pointer stays on the notification, which holds its time.
    await choice.press('Space');
    await expect(done.getByText('Your choice is saved')).toBeVisible();
    await done.hover();
    await page.getByRole('tab', { name: 'Your data' }).press('Enter');
    await page.getByRole('button', { name: 'Download your data' }).press('Enter');
    await page.waitForEvent('download');
    await expect(done).toHaveCount(1);
    await expect(done.getByText('Your choice is saved')).toBeVisible();

    await page.route('**/backend/account/erasure', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    );
    await page.getByRole('button', { name: 'Ask to be erased' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Ask to be erased' }).press('Enter');
    await expect(failed).toBeVisible();
    await expect(done).toHaveCount(0);
    await failed.getByRole('button').click();
    for (const text of ['Your choice is saved', 'The download has started']) {
      await expect(done.getByText(text)).toBeVisible();
      await expect(done).toHaveCount(1);
      await done.hover();
      await done.getByRole('button').click();
    }
    await expect(done).toHaveCount(0);
  },
);

test('the next outcome of an action replaces its last notification, also when it says nothing itself', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'free');
  await openAs(page, customer, '/account?view=mails');
  const place = page.locator('.mantine-Notifications-root');
  const [done, failed] = [place.getByRole('status'), place.getByRole('alert')];
  const choice = page.getByRole('checkbox', { name: 'A plan is about to end' });
  await page.route('**/backend/account/mails', (route) => route.abort());
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await choice.press('Space');
    await expect(failed.first()).toBeVisible();
    await expect(choice).toBeEnabled();
  }
  await expect(failed).toHaveCount(1);
  // It holds its time.
  await failed.hover();
  await page.unroute('**/backend/account/mails');
  await choice.press('Space');
  await expect(done).toBeVisible();
  await expect(failed).toHaveCount(0);

  await page.goto(`/api/${activationId}?tab=keys`);
  await page.route('**/apikeys/generate', (route) => route.abort());
  await page.getByRole('button', { name: 'Generate API Key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' });
  await dialog.getByLabel('Key name').fill('retry');
  const generate = dialog.getByRole('button', { name: 'Generate', exact: true });
  await generate.click();
  await expect(failed.getByText('Failed to generate API key')).toBeVisible();
  await failed.hover();
  await page.unroute('**/apikeys/generate');
  await generate.press('Enter');
  await expect(dialog.getByText('retry is ready')).toBeVisible();
  await expect(failed).toHaveCount(0);
});

test('an outcome replaces that of another action about the same thing, which it contradicts', async ({
  page,
  product,
}) => {
  await openAs(page, await newCustomer(product), '/account?view=data');
  const place = page.locator('.mantine-Notifications-root');
  await page.getByRole('button', { name: 'Ask to be erased' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Ask to be erased' }).press('Enter');
  await expect(place.getByText('You asked to be erased')).toBeVisible();
  // It holds its time.
  await place.getByRole('status').hover();
  await page.getByRole('button', { name: 'Take the request back' }).press('Enter');
  await expect(place.getByText('Your request is taken back')).toBeVisible();
  await expect(place.getByText('You asked to be erased')).toHaveCount(0);
});

test('a notification that comes over a button while that is pressed leaves it the press', async ({ page, product }) => {
  await openAs(page, await newCustomer(product), '/account?view=mails');
  const toast = page.locator('.mantine-Notifications-root').getByRole('status');
  await page.getByRole('checkbox', { name: 'A plan is about to end' }).press('Space');
  await expect(toast).toBeVisible();
  const button = page.getByRole('banner').getByRole('button', { name: 'Search' });
  await button.hover();
  await page.mouse.down();
  // As if it had moved there.
  await toast.evaluate((element) => Object.assign(element.style, { position: 'fixed', inset: '0' }));
  await page.mouse.up();
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
});
