import type { Browser, Page } from '@playwright/test';
import { endCycle } from '#shared/contract/cycles.ts';
import { makePayLink } from '#shared/contract/pay-links.ts';
import { axeFaults } from './axe.ts';
import { checkoutOf, enterCard, goodCard, payByCard, poorCard, pressInCheckout } from './customer.ts';
import { expect, type ProductPlace, test } from './product.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onBoth, onPhone } from './tiers.ts';

/** A customer's pay link, from the calls that the pages make. */
async function newLink(product: ProductPlace) {
  const made = await newActivation(product, 'starter');
  const { customer, activationId, billingCycleId } = made;
  const make = async (endsEarlier = false) => {
    const body = { billingCycleIds: [billingCycleId], endsEarlier };
    return (await customer.send(makePayLink, { params: { activationId }, body })).url;
  };
  return { ...made, make, url: await make() };
}

const said = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** Another device, on which nobody is signed in. */
async function payerOf(browser: Browser, page: Page, url: string): Promise<Page> {
  const payer = await browser.newPage({ viewport: page.viewportSize() });
  await payer.goto(url);
  return payer;
}

test(
  'a customer copies a pay link, and somebody without an account pays by it after the customer’s page was closed',
  { tag: onBoth },
  async ({ page, product, browser }) => {
    const { customer, activationId } = await newActivation(product, 'starter');
    await openAs(page, customer, `/activations/${activationId}/billing`);
    await page.getByRole('button', { name: 'Let somebody else pay' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay link' });
    const url = (await dialog.getByText(/\/pay#CYC-/).textContent()) ?? '';
    await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeVisible();
    await page.goto('about:blank');

    const payer = await payerOf(browser, page, url);
    const sent: string[] = [];
    payer.on('request', (request) => sent.push(request.url(), request.headers()['referer'] ?? ''));
    await said(payer, 'Pay ₹499');
    for (const text of ['Kaveri Traders', 'Starter', '₹422.88', 'IGST']) {
      await expect(payer.getByText(text).first()).toBeVisible();
    }
    expect(await axeFaults(payer, 'tag', ['wcag2a', 'wcag2aa'])).toEqual([]);
    await payer.getByLabel('Your e-mail address (optional)').fill('accounts@payer.example');
    await payer.getByRole('button', { name: 'Pay ₹499' }).click();
    await payByCard(checkoutOf(payer), goodCard, '₹499');
    await said(payer, 'Thank you, your payment was received');
    await expect(payer.getByText('accounts@payer.example')).toBeVisible();
    expect(sent.filter((address) => address.includes(url.split('.').at(-1) ?? 'none'))).toEqual([]);
    await payer.reload();
    await said(payer, 'This is paid');
    await payer.close();
  },
);

test('a declined card says so, and the same page pays afterwards', async ({ page, product }) => {
  const { url } = await newLink(product);
  await page.goto(url);
  await expect(page.getByText('Seller’s GSTIN')).toBeVisible();
  await page.getByRole('button', { name: 'Pay ₹499' }).click();
  const sheet = checkoutOf(page);
  await enterCard(sheet, poorCard, '₹499');
  await pressInCheckout(sheet, 'Close');
  await expect(page.getByRole('alert').filter({ hasText: 'Not paid' })).toContainText('The bank declined');
  await page.getByRole('button', { name: 'Pay ₹499' }).click();
  await payByCard(checkoutOf(page), goodCard, '₹499');
  await said(page, 'Thank you, your payment was received');
});

test('a link that was withdrawn, replaced or never made says so, and shows nothing of the customer', async ({
  page,
  product,
}) => {
  const { customer, activationId, billingCycleId, make, url } = await newLink(product);
  await page.goto(url);
  await said(page, 'Pay ₹499');
  const next = await make(true);
  await page.reload();
  await said(page, 'This link was withdrawn');
  await expect(page.getByText('Kaveri Traders')).toHaveCount(0);
  await page.goto(next);
  await said(page, 'Pay ₹499');
  await customer.send(endCycle, { params: { activationId, billingCycleId } });
  await page.reload();
  await said(page, 'There is nothing to pay');
  await page.goto(`${url.slice(0, -4)}0000`);
  await said(page, 'This link leads nowhere');
  await page.goto(url.replace(/#.*/, ''));
  await said(page, 'This link leads nowhere');
});

test('a page that waits says when the customer has paid meanwhile', { tag: onPhone }, async ({ page, product }) => {
  const { customer, billingCycleId, url } = await newLink(product);
  await page.goto(url);
  await page.getByRole('button', { name: 'Pay ₹499' }).click();
  await expect(checkoutOf(page).getByLabel('Card number')).toBeVisible();
  expect(await customer.pay(billingCycleId)).toMatchObject({ status: 'success' });
  await said(page, 'This is paid');
});

test('the page is in Hindi too, is left out by search engines, and no shared cache keeps it', async ({
  page,
  product,
}) => {
  const { url } = await newLink(product);
  const response = await page.goto(url);
  expect(response?.headers()).toMatchObject({
    'x-robots-tag': 'noindex',
    'referrer-policy': 'strict-origin',
    'cache-control': 'no-store',
  });
  expect(response?.headers()['content-security-policy']).not.toContain('gsi');
  await page.getByRole('button', { name: 'हिन्दी में देखें' }).click();
  await said(page, '₹499 चुकाएँ');
  await expect(page.getByText('GST के बिना मूल्य')).toBeVisible();
});
