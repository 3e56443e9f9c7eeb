import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readAccount } from '#shared/contract/account.ts';
import { payLater } from '#shared/contract/credit.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile, signInCustomer } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { checkoutOf, goodCard, payByCard, pressInCheckout } from './customer.ts';
import { askStandin, passDaysOf } from './product-clock.ts';
import { type ProductPlace, startProduct } from './product.ts';
import { openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

const root = join(import.meta.dirname, '..', '..');

/** An operator agrees on terms with a customer. */
async function setTerms({ dataDir }: ProductPlace, customerId: string, ...terms: string[]): Promise<void> {
  const command = [join(root, 'build', 'octroi.js'), 'customers', 'terms', customerId, ...terms];
  const env = { ...process.env, DATA_DIR: dataDir };
  await promisify(execFile)(process.execPath, [...command, '--reason', 'Contract', '--yes'], { cwd: root, env });
}

test(
  'a business pays later, sees its bill, pays it and reads its statement',
  { tag: onBoth },
  async ({ page, product }) => {
    const customer = await newCustomer(product);
    await giveProfile(customer, { gstin: '29ZZZCA0001A1Z0' });
    const { user } = await customer.send(readAccount, {});
    const body = { serviceId: 'tax-lookup-api', planId: 'growth' };
    const { activationId } = await customer.send(activateService, { body });
    const path = `/activations/${activationId}/billing`;
    await openAs(page, customer, path);
    await expect(page.getByRole('button', { name: 'Pay ₹1,499' }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^Pay later/ })).toHaveCount(0);
    await setTerms(product, user.id, '--limit', '5000');
    await page.reload();
    await page.getByRole('button', { name: /^Pay later, due on/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay later' });
    await expect(dialog).toContainText('You can pay up to ₹5,000 later.');
    const late = await page.context().newPage();
    await openAs(late, customer, path);
    await late.getByRole('button', { name: /^Pay later, due on/ }).click();
    await dialog.getByRole('button', { name: 'Begin now, pay later' }).click();
    await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
    await late.getByRole('button', { name: 'Begin now, pay later' }).click();
    await expect(late.getByRole('alert')).toContainText('The plan has begun already');
    await late.close();

    await page.goto('/billing');
    const bills = page.getByRole('table', { name: 'Bills to pay later' });
    await expect(bills).toContainText('₹1,499');
    await expect(page.getByText('Within 30 days, up to ₹5,000 at once; ₹3,501 of your limit is left.')).toBeVisible();
    await bills.getByRole('button', { name: 'Pay ₹1,499' }).click();
    await payByCard(checkoutOf(page), goodCard, '₹1,499');
    await expect(bills).toContainText('Paid');
    const statement = page.getByRole('table', { name: 'Statement of account' });
    await expect(statement).toContainText('Invoice');
    await expect(statement).toContainText('-₹1,499');
    await page.getByLabel('Until').fill('1 Apr 2020');
    await page.getByLabel('Until').press('Enter');
    await expect(page.getByRole('alert').getByText('Choose two days, “From” not after “Until”.')).toBeVisible();
    await expect(statement).toHaveCount(0);
  },
);

test('a plan whose bill is overdue says that calls are stopped, and is paid from any page', async ({ browser }) => {
  test.slow();
  // Its clock is moved, which nobody else may notice.
  const own = await startProduct();
  const context = await browser.newContext({ baseURL: own.portalUrl });
  const page = await context.newPage();
  try {
    const person = { claims: { sub: 'leela', name: 'Leela', email: 'leela@example.com' } };
    const customer = await signInCustomer(own, person);
    await giveProfile(customer, { gstin: '29ZZZCA0001A1Z0' });
    const { user } = await customer.send(readAccount, {});
    await setTerms(own, user.id, '--limit', '5000', '--days', '1', '--stop-after', '0');
    const body = { serviceId: 'tax-lookup-api', planId: 'growth' };
    const { activationId, billingCycleId = '' } = await customer.send(activateService, { body });
    await customer.send(payLater, { params: { activationId }, body: { billingCycleId } });
    const dashboard = `/activations/${activationId}`;
    await openAs(page, customer, dashboard);
    const main = page.getByRole('main');
    await expect(main.getByText('A bill is to be paid')).toBeVisible();
    await expect(main.getByText('TO BE PAID', { exact: true })).toHaveCount(2);
    await passDaysOf(own, page, person, 3);
    for (const path of [dashboard, `${dashboard}/billing`, `/api/${activationId}?tab=plan`]) {
      await page.goto(path);
      await expect(main.getByText('Calls are refused until this bill is paid')).toBeVisible();
      await expect(main.getByText('CALLS STOPPED', { exact: true }).first()).toBeVisible();
      await expect(main.getByRole('button', { name: 'Pay ₹1,499' })).toBeVisible();
      await expect(main.getByRole('button', { name: 'Pay by bank transfer' })).toBeVisible();
      await expect(main.getByText('PAID', { exact: true })).toHaveCount(0);
      await expect(main.getByText(/Nothing to pay|Paid until|Covered until/)).toHaveCount(0);
    }
    await page.goto('/marketplace');
    await expect(main.getByText('Calls are refused until the bill is paid')).toBeVisible();
    await page.goto('/billing');
    const bills = page.getByRole('table', { name: 'Bills to pay later' });
    await expect(main.getByText('CALLS STOPPED', { exact: true })).toBeVisible();
    await expect(bills.getByRole('button', { name: 'Pay by bank transfer' })).toBeVisible();
    await bills.getByRole('button', { name: 'Pay ₹1,499' }).click();
    const sheet = checkoutOf(page);
    await sheet.getByRole('tab', { name: 'UPI' }).click();
    await pressInCheckout(sheet, 'Show QR code');
    await expect(sheet.getByRole('img', { name: 'QR code to pay by UPI' })).toBeVisible();
    await pressInCheckout(sheet, 'Close checkout');
    await expect(page.getByText('If you still pay in your UPI app, it shows here.')).toBeVisible();
    await approveUpi(own);
    await expect(page.getByText('Payment received')).toBeVisible({ timeout: 60_000 });
    await expect(bills).toContainText('Paid');
    await expect(bills.getByRole('button')).toHaveCount(0);
  } finally {
    await context.close();
    await own.remove();
  }
});

/** The payer of the only QR code approves. */
async function approveUpi(place: ProductPlace): Promise<void> {
  const asked = await fetch(`${place.razorpayUrl}/standin/upi`);
  const { requests } = z.object({ requests: z.array(z.object({ reference: z.string() })) }).parse(await asked.json());
  await askStandin(place, `/standin/upi/${requests[0]?.reference ?? ''}/approve`, { pin: '1234' });
}
