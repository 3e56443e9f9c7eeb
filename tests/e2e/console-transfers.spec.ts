import { randomInt } from 'node:crypto';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { readAccount } from '#shared/contract/account.ts';
import { payLater } from '#shared/contract/credit.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile } from '#ship/demo/portal-customer.ts';
import { z } from 'zod';
import { fine, looksOf } from './axe.ts';
import { newCustomer } from './customer-calls.ts';
import { dayFromNow } from './days.ts';
import { addOperator, addPasskey, confirm, openAsOperator, test } from './operator.ts';
import type { ProductPlace } from './product.ts';
import { onBoth } from './tiers.ts';
import { expect } from './visitor.ts';

const newUtr = () => `SBIN${randomInt(1e11, 1e12)}`;

async function newBuyer(place: ProductPlace) {
  const customer = await newCustomer(place);
  await giveProfile(customer, { gstin: '29ZZZCA0001A1Z0' });
  const { user } = await customer.send(readAccount, {});
  const body = { serviceId: 'tax-lookup-api', planId: 'growth' };
  const { activationId, billingCycleId = '' } = await customer.send(activateService, { body });
  return { customer, customerId: user.id, activationId, billingCycleId };
}

const accounts = z.array(z.object({ id: z.string(), receivers: z.array(z.object({ account_number: z.string() })) }));

/** A transfer of ₹1,372, which is less than is due by what may be TDS. */
async function transferLess(place: ProductPlace, buyer: Awaited<ReturnType<typeof newBuyer>>, utr: string) {
  const { activationId, billingCycleId } = buyer;
  const asked = await buyer.customer.send(payByTransfer, {
    params: { activationId },
    body: { billingCycleIds: [billingCycleId] },
  });
  const standin = `${place.razorpayUrl}/standin/virtual_accounts`;
  const made = accounts.parse(await (await fetch(standin)).json());
  const account = made.find(({ receivers }) => receivers.some((each) => each.account_number === asked.account.number));
  await fetch(`${standin}/${account?.id ?? ''}/credit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 137_200, utr }),
  });
}

test(
  'a held transfer is answered from what waits, and nothing names a terminal',
  { tag: onBoth },
  async ({ page, product }) => {
    const buyer = await newBuyer(product);
    const utr = newUtr();
    await transferLess(product, buyer, utr);
    await openAsOperator(page, product, await addOperator(product, 'finance'), '/');
    await addPasskey(page);
    const row = page.getByRole('row').filter({ hasText: buyer.customer.name });
    await expect(async () => {
      await page.goto('/operator/?kind=HELD_TRANSFER');
      await expect(row).toBeVisible({ timeout: 3000 });
    }).toPass();
    await expect(row).not.toContainText('octroi');
    await row.getByRole('link').first().click();
    await expect(page.getByRole('button', { name: 'Refund' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Give it back' })).toBeVisible();
    await page.getByRole('button', { name: 'Let it pay' }).click();
    await expect(page.getByRole('dialog').getByLabel('Preview')).toContainText(utr);
    expect(await looksOf(page)).toEqual(fine);
    await expect(await confirm(page, 'Let it pay')).toContainText('₹127');
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('button', { name: 'Refund' }).first()).toBeVisible();
  },
);

test('a transfer to the own account is recorded beside the unpaid plan', { tag: onBoth }, async ({ page, product }) => {
  const { customerId } = await newBuyer(product);
  const utr = newUtr();
  await openAsOperator(page, product, await addOperator(product, 'finance'), '/');
  await addPasskey(page);
  await page.goto(`/operator/customers/${customerId}`);
  await page.getByRole('button', { name: /^Record transfer: Growth from/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Amount in rupees')).toHaveValue('1499');
  await dialog.getByLabel('UTR').fill(utr);
  await dialog.getByLabel('Day on the statement').fill(dayFromNow(0));
  expect(await looksOf(page)).toEqual(fine);
  await expect(await confirm(page, 'Record transfer')).toContainText(utr);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: /^Record transfer/ })).toHaveCount(0);
});

test(
  'a customer who pays later has terms, bills and a statement in the console',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, customerId, activationId, billingCycleId } = await newBuyer(product);
    await openAsOperator(page, product, await addOperator(product, 'finance'), '/');
    await addPasskey(page);
    await page.goto(`/operator/customers/${customerId}?tab=money`);
    const dialog = page.getByRole('dialog');
    const openTerms = async () => {
      await page.getByRole('button', { name: 'Let it pay later' }).click();
    };
    await openTerms();
    await dialog.getByLabel('Limit in rupees').fill('5000');
    await dialog.getByLabel('Days').fill('60');
    await confirm(page, 'Set the terms');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await openTerms();
    await expect(dialog.getByLabel('Limit in rupees')).toHaveValue('5000');
    await expect(dialog.getByLabel('Days')).toHaveValue('60');
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await customer.send(payLater, { params: { activationId }, body: { billingCycleId } });
    await page.reload();
    const bills = page.getByRole('region', { name: 'Bills to pay later' });
    await expect(bills).toContainText('Up to ₹5,000 at once, within 60 days.');
    await expect(bills).toContainText('₹1,499');
    await expect(bills.getByRole('button', { name: /^Write off/ })).toHaveCount(0);
    const payments = page.getByRole('region', { name: 'Payments' });
    await expect(payments).toContainText('PAY LATER');
    await expect(payments).toContainText('₹1,499 due');
    await bills.getByRole('button', { name: /^Record transfer: OCT/ }).click();
    await expect(dialog.getByLabel('Amount in rupees')).toHaveValue('1499');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await looksOf(page)).toEqual(fine);
    await bills.getByRole('link', { name: 'Statement of account' }).click();
    await expect(page.getByRole('table', { name: /^Financial year/ })).toContainText('Invoice');
    expect(await looksOf(page)).toEqual(fine);
  },
);
