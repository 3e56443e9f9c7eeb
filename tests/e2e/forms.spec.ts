import { randomBytes } from 'node:crypto';
import { signOut } from '#shared/contract/account.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile, signInCustomer } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { problem } from './failures.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

test('the business profile shows each error when its field loses focus, and the first invalid field gets the focus', async ({
  page,
  product,
}) => {
  const { customer } = await newActivation(product, 'free');
  await openAs(page, customer, '/account');
  const phone = page.getByLabel('Phone');
  const city = page.getByLabel('City');
  const gstin = page.getByLabel('GSTIN (optional)');
  await phone.fill('12');
  await phone.blur();
  await expect(page.getByText('Enter a phone number, such as +91 98765 43210')).toBeVisible();
  await city.fill('');
  await gstin.fill('27AAPFU0939F1ZW');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter the city')).toBeVisible();
  await expect(page.getByText('one of the 15 characters is mistyped')).toBeVisible();
  await expect(phone).toBeFocused();
  await gstin.fill('27AAPFU0939F1ZV');
  await expect(page.getByText('Valid GSTIN, registered in Maharashtra')).toBeVisible();
  await expect(page.getByLabel('State', { exact: true })).toHaveValue('27');
});

test('a server error appears at its field, typed input is kept, and leaving asks first', async ({ page, product }) => {
  const { customer } = await newActivation(product, 'free');
  await openAs(page, customer, '/account');
  const city = page.getByLabel('City');
  await city.fill('Mysuru');
  const refused = problem('invalid_request');
  const errors = [{ pointer: '/city', message: 'No such city' }];
  await page.route('**/backend/account/profile', (route) =>
    route.fulfill({ ...refused, body: JSON.stringify({ ...JSON.parse(refused.body), errors }) }),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No such city')).toBeVisible();
  await expect(city).toBeFocused();
  await expect(city).toHaveValue('Mysuru');
  const away = page.getByRole('link', { name: 'Home' });
  await away.click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay here' }).click();
  await expect(city).toHaveValue('Mysuru');
  await page.unroute('**/backend/account/profile');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Business details saved')).toBeVisible();
  await away.click();
  await expect(page).toHaveURL(/\/marketplace$/);
});

test('what was typed when the session ends is in the form again after the next sign-in, for its own customer alone', async ({
  page,
  product,
}) => {
  const name = `asha.${randomBytes(4).toString('hex')}`;
  const identity = { claims: { sub: name, name, email: `${name}@example.com` } };
  const [customer, next] = [await signInCustomer(product, identity), await newCustomer(product)];
  await giveProfile(customer);
  const { activationId } = await customer.send(activateService, {
    body: { serviceId: 'tax-lookup-api', planId: 'free' },
  });
  const again = await signInCustomer(product, identity);
  await openAs(page, customer, '/account');
  await page.getByLabel('City').fill('Mysuru');
  await customer.send(signOut, {});
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Signup or Login')).toBeVisible();
  await openAs(page, next, '/account');
  await expect(page.getByLabel('City')).toHaveValue('');
  await openAs(page, again, '/account');
  await expect(page.getByLabel('City')).toHaveValue('Mysuru');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Business details saved')).toBeVisible();

  // A dialog's form, in a tab that learns of the end from another one.
  await page.goto(`/api/${activationId}?tab=keys`);
  const generate = page.getByRole('button', { name: 'Generate API Key' }).first();
  await generate.click();
  await page.getByRole('dialog').getByLabel('Key name').fill('typed');
  await again.send(signOut, {});
  const other = await page.context().newPage();
  await other.goto('/account');
  await expect(other.getByText('Signup or Login')).toBeVisible();
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await openAs(page, await signInCustomer(product, identity), `/api/${activationId}?tab=keys`);
  await generate.click();
  await expect(page.getByRole('dialog').getByLabel('Key name')).toHaveValue('typed');
});

test(
  'a dialog with unsaved input asks before Escape closes it, and shows what is missing',
  { tag: onBoth },
  async ({ page, visitor }) => {
    await openAs(page, visitor.customer, `/developers/webhooks/${visitor.webhookId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Edit' }).click();
    const address = dialog.getByLabel('Address');
    await address.fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Enter the address of your program.')).toBeVisible();
    await expect(address).toBeFocused();
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Keep open' })
      .click();
    await expect(dialog).toBeVisible();
  },
);

test('a buyer abroad declares with a letter: a wrong file is refused, a good one is stored, downloaded and withdrawn', async ({
  page,
  product,
}) => {
  const { customer } = await newActivation(product, 'free');
  await openAs(page, customer, '/account');
  await page.getByLabel('Country').selectOption('SG');
  await page.getByLabel('Postal code').fill('018956');
  await page.getByRole('button', { name: 'Save' }).click();
  const panel = page.locator('section').filter({ hasText: 'Tax declaration' });
  await expect(page.getByRole('heading', { name: 'Tax declaration' })).toBeVisible();
  const choose = async (name: string, content: string) => {
    const opened = page.waitForEvent('filechooser');
    await panel
      .getByRole('button', { name: /letter$/ })
      .first()
      .click();
    await (await opened).setFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(content) });
  };
  await choose('letter.pdf', '<html>');
  await expect(panel.getByRole('alert')).toContainText('This file is not a PDF, JPEG or PNG.');
  await choose('letter.pdf', '%PDF-1.7');
  await expect(page.getByText('letter.pdf (1 KB)')).toBeVisible();
  await expect(panel.getByRole('alert')).toHaveCount(0);
  const downloads = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Download letter' }).click();
  expect((await downloads).suggestedFilename()).toBe('letter.pdf');
  await panel.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('letter.pdf (1 KB)')).toHaveCount(0);
  await expect(panel.getByRole('button', { name: 'Declare and upload letter' })).toBeVisible();
});

test('the account page downloads everything that is kept; a failure is explained', async ({ page, product }) => {
  const customer = await newCustomer(product);
  await openAs(page, customer, '/account');
  await page.getByRole('tab', { name: 'Your data' }).click();
  const button = page.getByRole('button', { name: 'Download your data' });
  // The message may be gone by the time the server has the file.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    expect(page.getByText('The download has started')).toBeVisible(),
    button.click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^CUS-\w+\.zip$/);
  await page.route('**/backend/account/export', (route) => route.fulfill({ status: 500, body: '' }));
  await button.click();
  await expect(page.getByText('Your data could not be downloaded')).toBeVisible();
});

test('the account page asks to be erased, says so after a reload, and takes it back', async ({ page, product }) => {
  const customer = await newCustomer(product);
  await openAs(page, customer, '/account?view=data');
  await page.getByRole('button', { name: 'Ask to be erased' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Keep my account' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Ask to be erased' }).click();
  await expect(page.getByText('You asked for this on')).toBeVisible();
  await page.reload();
  await expect(page.getByText('You asked for this on')).toBeVisible();
  await page.route('**/backend/account/erasure', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  );
  await page.getByRole('button', { name: 'Take the request back' }).click();
  await expect(page.getByText('Your request could not be changed')).toBeVisible();
  await page.unroute('**/backend/account/erasure');
  await page.getByRole('button', { name: 'Take the request back' }).click();
  await expect(page.getByRole('button', { name: 'Ask to be erased' })).toBeVisible();
});
