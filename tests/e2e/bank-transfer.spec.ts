import type { Page } from '@playwright/test';
import { z } from 'zod';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { textOfInvoice } from './pdf-text.ts';
import type { ProductPlace } from './product.ts';
import { openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

async function newBuyer(place: ProductPlace, gstin: string | null) {
  const customer = await newCustomer(place);
  await giveProfile(customer, { gstin });
  const body = { serviceId: 'tax-lookup-api', planId: 'growth' };
  const { activationId } = await customer.send(activateService, { body });
  return { customer, path: `/activations/${activationId}/billing` };
}

const accounts = z.array(z.object({ id: z.string(), receivers: z.array(z.object({ account_number: z.string() })) }));

/** A bank credits an account number of the stand-in. */
async function credit(page: Page, product: ProductPlace, number: string, data: { amount: number; utr: string }) {
  const standin = `${product.razorpayUrl}/standin/virtual_accounts`;
  const made = accounts.parse(await (await page.request.get(standin)).json());
  const account = made.find(({ receivers }) => receivers.some((each) => each.account_number === number));
  await page.request.post(`${standin}/${account?.id ?? ''}/credit`, { data });
}

test(
  'a business transfers the exact amount to its own account number, and its plan starts while it waits',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, path } = await newBuyer(product, '29ZZZCA0001A1Z0');
    await openAs(page, customer, path);
    await page.getByRole('button', { name: 'Pay by bank transfer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay by bank transfer' });
    await expect(dialog.getByText('₹1,499')).toBeVisible();
    await expect(dialog.getByText('RATN0VAAPIS')).toBeVisible();
    await expect(dialog.getByRole('button', { name: /^Copy / })).toHaveCount(4);
    const number = (await dialog.getByText(/^\d{16}$/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await credit(page, product, number, { amount: 149_900, utr: 'HDFCR52026112800009' });
    await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Pay by bank transfer' })).toHaveCount(0);
    expect(await textOfInvoice(page)).toContain('HDFCR52026112800009');
  },
);

test(
  'a business that deducts tax says so once, transfers the rest, and the invoice names both',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, path } = await newBuyer(product, '29ZZZCA0001A1Z0');
    await openAs(page, customer, path);
    await page.getByRole('button', { name: 'Pay by bank transfer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay by bank transfer' });
    await dialog.getByRole('button', { name: 'I deduct TDS' }).click();
    await dialog.getByLabel('Your TAN').fill('muma1234');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Enter your TAN, such as MUMA12345B.')).toBeVisible();
    await dialog.getByLabel('Your TAN').fill('muma12345b');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('₹1,372')).toBeVisible();
    await expect(dialog.getByText('Or less 10 % TDS (₹127)')).toBeVisible();
    await expect(dialog.getByText('₹1,499')).toBeVisible();
    const number = (await dialog.getByText(/^\d{16}$/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await credit(page, product, number, { amount: 137_200, utr: 'HDFCR52026112800010' });
    await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
    const text = await textOfInvoice(page);
    expect(text).toContain('HDFCR52026112800010');
    expect(text).toContain('Deducted as tax (TDS)');
    expect(text).toContain('1,499.00');
    await page.goto('/billing');
    await expect(page.getByText('TDS of ₹127 deducted: certificate to come')).toBeVisible();
  },
);

test('a button that is busy keeps the focus, and gets it back from the dialog that it opens', async ({
  page,
  product,
}) => {
  const { customer, path } = await newBuyer(product, '29ZZZCA0001A1Z0');
  await openAs(page, customer, path);
  for (const name of ['Pay by bank transfer', 'Let somebody else pay']) {
    const opener = page.getByRole('button', { name });
    await opener.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
  await page.goto('/account?view=mails');
  const choice = page.getByRole('checkbox', { name: 'A plan is about to end' });
  await choice.press('Space');
  await expect(choice).not.toBeChecked();
  await expect(choice).toBeFocused();
});

test('a buyer without a GSTIN is not offered a bank transfer', async ({ page, product }) => {
  const { customer, path } = await newBuyer(product, null);
  await openAs(page, customer, path);
  await expect(page.getByRole('button', { name: 'Pay ₹1,499' }).first()).toBeVisible();
  await expect(page.getByText('bank transfer')).toHaveCount(0);
});
