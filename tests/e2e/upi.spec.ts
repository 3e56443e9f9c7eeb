import type { Browser, FrameLocator, Page } from '@playwright/test';
import { checkoutFrame, openCheckout, pressInCheckout } from './customer.ts';
import { expect, type ProductPlace, startProduct, test } from './product.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onPhone } from './tiers.ts';

/** Opens the bill of a new customer. */
async function openBill(page: Page, product: ProductPlace): Promise<void> {
  const { customer, activationId } = await newActivation(product, 'starter');
  await openAs(page, customer, `/activations/${activationId}/billing`);
}

/** Opens the checkout at UPI. */
async function chooseUpi(page: Page): Promise<FrameLocator> {
  const sheet = await openCheckout(page, '₹499');
  await sheet.getByRole('tab', { name: 'UPI' }).click();
  await expect(sheet.getByLabel('UPI ID')).toBeHidden();
  return sheet;
}

/** Shows the QR code in the checkout; returns the page's address that plays a phone which has scanned it. */
async function showCode(page: Page): Promise<{ sheet: FrameLocator; scanned: string }> {
  const sheet = await chooseUpi(page);
  await pressInCheckout(sheet, 'Show QR code');
  await expect(sheet.getByRole('timer')).toHaveText(/^1[12]:\d\d$/);
  return { sheet, scanned: await scannedCode(sheet) };
}

async function scannedCode(sheet: FrameLocator): Promise<string> {
  await expect(sheet.getByRole('img', { name: 'QR code to pay by UPI' })).toBeVisible();
  const scan = sheet.getByRole('link', { name: 'Scan it with the stand-in’s phone' });
  return scan.evaluate((link) => (link instanceof HTMLAnchorElement ? link.href : ''));
}

/** Chooses an app on the phone; returns the window that plays it. */
async function openApp(page: Page, sheet: FrameLocator, name: string): Promise<Page> {
  const opens = page.waitForEvent('popup');
  await sheet.getByRole('button', { name }).click();
  return opens;
}

/** Another device. */
async function takePhone(browser: Browser, address: string): Promise<Page> {
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await phone.goto(address);
  await expect(phone.getByRole('heading', { name: 'Pay ₹499' })).toBeVisible();
  return phone;
}

async function approve(phone: Page): Promise<void> {
  await phone.getByLabel('UPI PIN').fill('1234');
  await phone.getByRole('button', { name: 'Approve' }).click();
  await expect(phone.getByRole('heading', { name: 'Paid ₹499' })).toBeVisible();
}

/** Presses what closes its own page: Playwright may lose the page before the click has answered. */
async function pressAndLeave(page: Page, name: string): Promise<void> {
  const closed = page.waitForEvent('close');
  await page
    .getByRole('button', { name })
    .click()
    .catch((problem: unknown) => {
      if (!page.isClosed()) {
        throw problem;
      }
    });
  await closed;
}

const active = (page: Page) => page.getByRole('heading', { name: 'Active Plan' });
const notice = (page: Page) => page.getByRole('main').getByRole('alert').filter({ hasText: 'Payment not completed' });

test('a QR code is paid on another device, and the page says so', async ({ page, product, browser }) => {
  await openBill(page, product);
  const { scanned } = await showCode(page);
  const phone = await takePhone(browser, scanned);
  await expect(phone.getByText('Payment to')).toBeVisible();
  await approve(phone);
  await expect(page.getByText('Payment received')).toBeVisible();
  await expect(active(page)).toBeVisible();
  await expect(page.locator(checkoutFrame)).toHaveCount(0);
});

test('a QR code is paid while the browser that showed it is closed; opened again, the plan is active', async ({
  product,
  browser,
}) => {
  const { customer, activationId } = await newActivation(product, 'starter');
  const path = `/activations/${activationId}/billing`;
  const first = await browser.newContext({ baseURL: product.portalUrl });
  const page = await first.newPage();
  await openAs(page, customer, path);
  const { scanned } = await showCode(page);
  await first.close();
  await approve(await takePhone(browser, scanned));
  const again = await browser.newPage({ baseURL: product.portalUrl });
  await expect(async () => {
    await openAs(again, customer, path);
    await expect(active(again)).toBeVisible({ timeout: 3000 });
  }).toPass();
  await expect(notice(again)).toBeHidden();
});

test('a QR code can be paid after its checkout was closed: until then Pay is there, then the page updates by itself', async ({
  page,
  product,
  browser,
}) => {
  await openBill(page, product);
  const { sheet, scanned } = await showCode(page);
  await pressInCheckout(sheet, 'Close checkout');
  await expect(page.getByText('If you still pay in your UPI app, it shows here.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pay ₹499' }).first()).toBeEnabled();
  await approve(await takePhone(browser, scanned));
  await expect(active(page)).toBeVisible({ timeout: 60_000 });
});

test('a QR code that is approved after its page was reloaded, or another one opened, shows by itself', async ({
  page,
  product,
  browser,
}) => {
  await openBill(page, product);
  const { scanned } = await showCode(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Pay ₹499' }).first()).toBeEnabled();
  await page.goto('/billing');
  await approve(await takePhone(browser, scanned));
  await expect(page.getByText('Payment received')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('main').getByText('PAID', { exact: true })).toBeVisible();
});

test('a payer who declines is told so by the checkout, and the next code pays', async ({ page, product, browser }) => {
  await openBill(page, product);
  const { sheet, scanned } = await showCode(page);
  const phone = await takePhone(browser, scanned);
  await phone.getByRole('button', { name: 'Decline' }).click();
  await expect(phone.getByRole('heading', { name: 'Declined' })).toBeVisible();
  await expect(sheet.getByRole('alert').filter({ hasText: 'You may have cancelled the payment' })).toBeVisible();
  await pressInCheckout(sheet, 'Retry');
  await pressInCheckout(sheet, 'Show QR code');
  await approve(await takePhone(browser, await scannedCode(sheet)));
  await expect(active(page)).toBeVisible();
  await expect(notice(page)).toBeHidden();
});

test(
  'a phone chooses its UPI app, which opens, is approved and returns',
  { tag: onPhone },
  async ({ page, product, isMobile }) => {
    test.skip(!isMobile, 'A desktop shows a QR code.');
    await openBill(page, product);
    const sheet = await chooseUpi(page);
    await expect(sheet.getByRole('button', { name: 'Pay ₹499' })).toBeHidden();
    const app = await openApp(page, sheet, 'PhonePe');
    await expect(sheet.getByText('Approve the payment in PhonePe.')).toBeVisible();
    await approve(app);
    await pressAndLeave(app, 'Done');
    await expect(active(page)).toBeVisible();
  },
);

test(
  'a phone whose checkout was closed can pay again at once, and an app that approves late still pays',
  { tag: onPhone },
  async ({ page, product, isMobile }) => {
    test.skip(!isMobile, 'A desktop shows a QR code.');
    await openBill(page, product);
    const sheet = await chooseUpi(page);
    const app = await openApp(page, sheet, 'Google Pay');
    await expect(app.getByRole('heading', { name: 'Pay ₹499' })).toBeVisible();
    await pressInCheckout(sheet, 'Close checkout');
    await expect(notice(page)).toContainText('You may have cancelled the payment');
    await expect(page.getByRole('button', { name: 'Pay ₹499' }).first()).toBeEnabled();
    await approve(app);
    await expect(active(page)).toBeVisible({ timeout: 60_000 });
    await expect(notice(page)).toBeHidden();
  },
);

test('a QR code that nobody paid lapses: the checkout offers a new one, and nothing has failed', async ({
  browser,
}) => {
  test.slow();
  // Its clock is moved, which nobody else may notice.
  const product = await startProduct();
  const page = await browser.newPage({ baseURL: product.portalUrl });
  try {
    await openBill(page, product);
    const { sheet, scanned } = await showCode(page);
    const phone = await takePhone(browser, scanned);
    await page.request.post(`${product.razorpayUrl}/standin/clock`, { data: { advanceMs: 720_000 } });
    await expect(sheet.getByRole('alert').filter({ hasText: 'This QR code has expired.' })).toBeVisible();
    await expect(phone.getByRole('heading', { name: 'This request has expired' })).toBeVisible();
    await pressInCheckout(sheet, 'Show a new QR code');
    await approve(await takePhone(browser, await scannedCode(sheet)));
    await expect(active(page)).toBeVisible();
  } finally {
    await page.close();
    await product.remove();
  }
});
