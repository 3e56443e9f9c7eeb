import { fine, looksOf } from './axe.ts';
import { find, openAsOperator, test } from './operator.ts';
import { newPaidActivation } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect } from './visitor.ts';

test(
  'a customer’s plans and payments are drawn in time, above their table',
  { tag: onBoth },
  async ({ page, product, owner }) => {
    const { customer } = await newPaidActivation(product);
    await openAsOperator(page, product, owner, '/');
    await find(page, customer.email);
    const picture = page.getByRole('figure', { name: /plans and packs in time/ });
    await expect(picture).toBeVisible();
    await expect(picture.getByTitle(/^Growth, /)).toBeVisible();
    await expect(picture.getByTitle(/^Payment of ₹1,499, /)).toBeVisible();
    await expect(page.getByRole('table', { name: 'All plans and packs' })).toContainText('Growth');
    expect(await looksOf(page)).toEqual(fine);
  },
);

test(
  'one kind of what waits has an address of its own, and Money its lists of e-invoices and SEZs',
  { tag: onBoth },
  async ({ page, product, owner }) => {
    await openAsOperator(page, product, owner, '/?kind=FAILED_WORK');
    await expect(page.getByRole('region', { name: 'Timed work fails' })).toBeVisible();
    await page.getByRole('link', { name: 'Show everything that waits' }).click();
    await expect(page.getByRole('region', { name: 'Waiting' })).toBeVisible();
    await page.goto('/operator/money/refunds');
    const tabs = page.getByRole('navigation', { name: 'Money' });
    await tabs.getByRole('link', { name: 'E-invoices' }).click();
    await expect(page.getByRole('region', { name: 'Documents without an IRN' })).toBeVisible();
    await tabs.getByRole('link', { name: 'SEZs and exports' }).click();
    await expect(page.getByRole('region', { name: 'SEZs and exports' })).toBeVisible();
    expect(await looksOf(page)).toEqual(fine);
  },
);
