import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readAccount } from '#shared/contract/account.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { checkoutOf, goodCard, payByCard } from './customer.ts';
import { openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

const root = join(import.meta.dirname, '..', '..');

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
    await promisify(execFile)(
      process.execPath,
      [
        join(root, 'build', 'octroi.js'),
        'customers',
        'terms',
        user.id,
        '--limit',
        '5000',
        '--reason',
        'Contract',
        '--yes',
      ],
      { cwd: root, env: { ...process.env, DATA_DIR: product.dataDir } },
    );
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
