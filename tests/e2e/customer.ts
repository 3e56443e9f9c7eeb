import { randomBytes } from 'node:crypto';
import { expect, type FrameLocator, type Page } from '@playwright/test';

/** The stand-in's card that always succeeds, and one that the bank declines for insufficient funds. */
export const goodCard = '4100 2800 0000 1007';
export const poorCard = '4100 2800 0008 0001';

/** At Google, as somebody with an account of this name. */
export async function chooseAccount(
  page: Page,
  { name, email = `${name.replace(' ', '.').toLowerCase()}@example.com` }: { name: string; email?: string },
): Promise<void> {
  const popupOpens = page.waitForEvent('popup');
  await page.getByRole('button', { name: /google/i }).click();
  const chooser = await popupOpens;
  await chooser.getByRole('button', { name: 'Use another account' }).click();
  await chooser.getByLabel('Name', { exact: true }).fill(name);
  await chooser.getByLabel(/e-?mail/i).fill(email);
  await chooser.getByRole('button', { name: /next|continue|sign in/i }).click();
}

/**
 * Signs in as a new customer through the account chooser, and waits for a page's heading, unless the sign-in is to be
 * refused (null). Returns the name.
 */
export async function signInAsNew(
  page: Page,
  path = '/login',
  heading: string | null = 'Our Products',
): Promise<string> {
  const name = `Asha ${randomBytes(4).toString('hex')}`;
  await page.goto(path);
  await expect(page.getByText('Signup or Login')).toBeVisible();
  await chooseAccount(page, { name });
  if (heading !== null) await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  return name;
}

/** Fills in the business details, which the first payment requires. */
export async function giveBusinessDetails(page: Page): Promise<void> {
  await page.getByLabel('Legal name').fill('Kaveri Traders');
  await page.getByLabel('Phone').fill('+919876543210');
  await page.getByLabel('Address').fill('14 Residency Road');
  await page.getByLabel('City').fill('Bengaluru');
  await page.getByLabel('PIN code').fill('560025');
  await page.getByLabel('State').selectOption('Karnataka (29)');
  await page.getByRole('button', { name: /^Save/ }).click();
}

/** Activates a product with a paid plan and opens its subscriptions. Returns the activation's id. */
export async function activatePlan(page: Page, product: string, plan: RegExp): Promise<string> {
  await page.goto(`/marketplace/${product}`);
  await page.getByRole('radio', { name: plan }).check({ force: true });
  await page.getByRole('button', { name: 'Activate This Service' }).click();
  await expect(page).toHaveURL(/\/activations\/ACT-/);
  const id = /ACT-\w+/.exec(page.url())?.[0] ?? '';
  await page.getByRole('link', { name: /Subscriptions & Billing/ }).click();
  await expect(page.getByRole('heading', { name: 'Manage Subscriptions' })).toBeVisible();
  return id;
}

export const checkoutFrame = 'iframe[src*="/checkout"]';

/** The checkout's own page inside ours. */
export function checkoutOf(page: Page): FrameLocator {
  return page.frameLocator(checkoutFrame);
}

/** Presses Pay; the first time, fills in the business details, after which the checkout opens by itself. Leaves it open. */
export async function openCheckout(page: Page, amount: string): Promise<FrameLocator> {
  const pay = page.getByRole('button', { name: `Pay ${amount}` }).first();
  await pay.click();
  const details = page.getByLabel('Legal name');
  const sheet = checkoutOf(page);
  await expect(details.or(page.locator(checkoutFrame))).toBeVisible();
  if (await details.isVisible()) {
    await giveBusinessDetails(page);
  }
  await expect(sheet.getByLabel('Card number')).toBeVisible();
  return sheet;
}

/**
 * Presses a button of the open checkout. When that removes the checkout's frame before Chromium has confirmed the
 * click, it never confirms it, so the end of the frame counts as well.
 */
export async function pressInCheckout(sheet: FrameLocator, name: string): Promise<void> {
  const button = sheet.getByRole('button', { name, exact: true });
  await button.waitFor();
  await Promise.race([button.click(), sheet.owner().waitFor({ state: 'detached' })]);
}

/** Enters a card in the open checkout and presses Pay. */
export async function enterCard(sheet: FrameLocator, number: string, amount: string): Promise<void> {
  await sheet.getByLabel('Card number').fill(number);
  await sheet.getByLabel('Expiry').fill('12 / 30');
  await sheet.getByLabel('CVV').fill('123');
  await pressInCheckout(sheet, `Pay ${amount}`);
}

/** Enters a card and the bank's OTP in the open checkout. */
export async function payByCard(sheet: FrameLocator, number: string, amount: string): Promise<void> {
  await enterCard(sheet, number, amount);
  await sheet.getByLabel('OTP').fill('1234');
  await pressInCheckout(sheet, 'Submit OTP');
}

/** Generates a key on the API page and returns it, as it is shown only once. */
export async function generateKey(page: Page, activationId: string, name: string): Promise<string> {
  await page.goto(`/api/${activationId}?tab=keys`);
  await page.getByRole('button', { name: 'Generate API Key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Key name').fill(name);
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(dialog.getByText(`${name} is ready`)).toBeVisible();
  const shown = await dialog
    .getByText(/gstk_live_\w{36}/)
    .first()
    .textContent();
  const key = /gstk_live_\w{36}/.exec(shown ?? '')?.[0] ?? '';
  await dialog
    .getByRole('button', { name: /^Copy( key)?$/ })
    .first()
    .click();
  // It stays like this once the key is copied, unlike “Copied!”.
  const done = dialog.getByRole('button', { name: 'Done' });
  await expect(done).toHaveAttribute('data-variant', 'filled');
  await done.click();
  return key;
}
