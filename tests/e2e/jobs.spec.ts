import { readFileSync } from 'node:fs';
import type { FrameLocator, Page } from '@playwright/test';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '#shared/contract/api-keys.ts';
import { signInCustomer } from '#ship/demo/portal-customer.ts';
import { callApi, whenInEffect } from './customer-calls.ts';
import { checkoutOf, signInAsNew } from './customer.ts';
import { sellInLastMonth } from './last-month.ts';
import { Presses } from './presses.ts';
import { startProduct } from './product.ts';
import { newPaidActivation, openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

async function payInSheet(presses: Presses, sheet: FrameLocator, amount: string): Promise<void> {
  await presses.inCheckout(sheet, 'Use a test card');
  await presses.inCheckout(sheet, `Pay ${amount}`);
  await presses.type(sheet.getByLabel('OTP'), '1234');
  await presses.inCheckout(sheet, 'Submit OTP');
}

const copiedText = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const card = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(name) })
    .first();

test('the first call after sign-up takes at most seven clicks', async ({ page, product, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAsNew(page);
  const presses = new Presses();
  await presses.click(card(page, 'Tax Lookup API'));
  await presses.click(page.getByRole('button', { name: 'Activate This Service' }));
  await presses.click(page.getByRole('button', { name: 'Generate API Key' }));
  const dialog = page.getByRole('dialog');
  await presses.type(dialog.getByLabel('Key name'), 'first');
  await presses.click(dialog.getByRole('button', { name: 'Generate', exact: true }));
  await presses.click(dialog.getByRole('button', { name: 'Copy command' }));
  await expect.poll(() => copiedText(page)).toMatch(/gstk_live_\w+/);
  expect(await callApi(product, /gstk_live_\w+/.exec(await copiedText(page))?.[0] ?? '')).toBe(200);
  await expect(dialog.getByText(/^First call received, \d+ ms$/)).toBeVisible();
  expect(presses.count).toBeLessThanOrEqual(7);
});

test('why a call failed takes one click', async ({ page, product }) => {
  const { customer, activationId } = await newPaidActivation(product, 'starter');
  const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'prod1' } });
  const [key] = await customer.send(listApiKeys, { params: { activationId } });
  await whenInEffect(await customer.send(revokeApiKey, { params: { activationId, keyId: key?.id ?? '' } }));
  expect(await callApi(product, apiKey)).toBe(401);
  await openAs(page, customer, `/activations/${activationId}`);
  const presses = new Presses();
  await presses.click(page.getByRole('link', { name: /status 4\d\d: details$/ }));
  await expect(page.getByRole('dialog', { name: 'Request' })).toContainText('Failed here');
  expect(presses.count).toBeLessThanOrEqual(1);
});

test('prepaying three months takes at most eight clicks and one checkout', async ({ page, product }) => {
  const { customer, activationId } = await newPaidActivation(product, 'starter');
  await openAs(page, customer, `/activations/${activationId}/billing`);
  const presses = new Presses();
  await presses.click(page.getByRole('button', { name: 'Prepay next' }).first());
  const dialog = page.getByRole('dialog');
  await presses.choose(dialog.getByLabel('Periods'), '3');
  await presses.click(dialog.getByRole('button', { name: 'Complete' }));
  await presses.click(page.getByRole('button', { name: 'Pay ₹1,497 for all 3' }));
  const sheet = checkoutOf(page);
  await payInSheet(presses, sheet, '₹1,497');
  await expect(page.getByText('3 subscriptions are paid.')).toBeVisible();
  await expect(page.getByText('PAYMENT PENDING')).toHaveCount(0);
  expect(presses.count).toBeLessThanOrEqual(8);
});

test('last month’s invoices take at most two clicks', async ({ browser }) => {
  test.slow();
  // Its clock is moved, which nobody else may notice.
  const own = await startProduct();
  const context = await browser.newContext({ baseURL: own.portalUrl });
  const page = await context.newPage();
  try {
    const { person, invoice } = await sellInLastMonth(own);
    await openAs(page, await signInCustomer(own, person), '/marketplace');
    const presses = new Presses();
    await presses.click(page.getByRole('banner').getByRole('link', { name: 'Billing' }));
    const download = page.waitForEvent('download');
    await presses.click(page.getByRole('button', { name: / as ZIP$/ }));
    const zip = await download;
    expect(zip.suggestedFilename()).toBe(`documents-${invoice.date.slice(0, 7)}.zip`);
    // Names stand in a ZIP as they are.
    expect(readFileSync(await zip.path()).toString('latin1')).toContain(`${invoice.number.replaceAll('/', '-')}.pdf`);
    expect(presses.count).toBeLessThanOrEqual(2);
  } finally {
    await context.close();
    await own.remove();
  }
});

test('replacing a leaked key takes at most four clicks', async ({ page, product, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { customer, activationId } = await newPaidActivation(product, 'starter');
  const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'prod1' } });
  await openAs(page, customer, `/api/${activationId}`);
  const presses = new Presses();
  await presses.click(page.getByRole('tab', { name: /^API Keys/ }));
  await presses.click(page.getByRole('button', { name: 'Replace prod1' }));
  const dialog = page.getByRole('dialog');
  const replacing = page.waitForResponse('**/rotate');
  await presses.click(dialog.getByRole('button', { name: 'Replace at once' }));
  await presses.click(dialog.getByRole('button', { name: /^Copy( key)?$/ }).first());
  await expect.poll(() => copiedText(page)).toMatch(/^gstk_live_\w+$/);
  const made = await copiedText(page);
  expect(await callApi(product, made)).toBe(200);
  await whenInEffect(rotateApiKey.reply.parse(await (await replacing).json()));
  expect(await callApi(product, apiKey)).toBe(401);
  expect(presses.count).toBeLessThanOrEqual(4);
});
