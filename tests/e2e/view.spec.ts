import type { BrowserContext, Page } from '@playwright/test';
import { readAccount } from '#shared/contract/account.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { axeFaults } from './axe.ts';
import { newCustomer } from './customer-calls.ts';
import { addOperator, confirm, find, openAsOperator, test } from './operator.ts';
import { keepSession, newPaidActivation, sessionStorageKey } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect } from './visitor.ts';

/** Opens the portal of a customer from the console. */
async function openView(page: Page, context: BrowserContext, name: string): Promise<Page> {
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.keyboard.press('s');
  const happened = await confirm(page, 'See');
  await expect(happened).not.toContainText('octv_');
  const [view] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('dialog').getByRole('link', { name: 'Open in a new tab' }).click(),
  ]);
  await expect(view.getByRole('complementary', { name: 'View as the customer' })).toContainText(
    `Read-only view of ${name}`,
  );
  return view;
}

test(
  'an operator sees a customer’s portal, can’t change it, ends the view, and the customer reads of it',
  { tag: onBoth },
  async ({ page, context, product }) => {
    const support = await addOperator(product, 'support');
    const { customer, activationId } = await newPaidActivation(product);
    // Somebody is signed in as another customer in the same browser.
    const other = await newCustomer(product);
    await keepSession(page, other.token);
    await openAsOperator(page, product, support, '/');
    await find(page, customer.email);
    const view = await openView(page, context, customer.name);
    const bar = view.getByRole('complementary', { name: 'View as the customer' });
    await expect(bar).toContainText(support);
    expect(view.url()).not.toContain('octv_');

    const writes: string[] = [];
    view.on('request', (request) => {
      if (!['GET', 'HEAD'].includes(request.method())) writes.push(request.url());
    });
    await view.goto(`/api/${activationId}?tab=keys`);
    await view.getByRole('button', { name: 'Generate API Key' }).click();
    const dialog = view.getByRole('dialog', { name: 'Generate API Key' });
    await dialog.getByLabel('Key name').fill('mine');
    const generate = dialog.getByRole('button', { name: 'Generate', exact: true });
    await expect(generate).toHaveAttribute('aria-disabled', 'true');
    await generate.hover();
    await expect(view.getByRole('tooltip', { name: 'Only the customer can do this' })).toBeVisible();
    await generate.press('Enter');
    await dialog.getByLabel('Key name').press('Enter');
    await expect(dialog.getByLabel('Key name')).toHaveValue('mine');
    expect(writes).toEqual([]);
    expect(await customer.send(listApiKeys, { params: { activationId } })).toEqual([]);
    await view.goto(`/api/${activationId}?tab=billing`);
    const [download] = await Promise.all([
      view.waitForEvent('download'),
      view
        .getByRole('button', { name: /invoice/i })
        .first()
        .click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.pdf$/);
    expect(await axeFaults(view, 'tag', ['wcag2a', 'wcag2aa'])).toEqual([]);

    const end = bar.getByRole('button', { name: 'End view' });
    await end.focus();
    await end.press('Enter');
    await expect(view.getByRole('heading', { name: 'This view is over' })).toBeVisible();
    await view.goto('/account');
    await expect(view.getByRole('heading', { name: 'This view is over' })).toBeVisible();
    // The other customer's session is as it was.
    expect(await view.evaluate((key) => localStorage.getItem(key), sessionStorageKey)).toBe(other.token);
    expect((await customer.send(readAccount, {})).providerActions[0]).toMatchObject({
      action: 'customers.see',
      reason: 'Agreed by telephone',
    });
    await keepSession(page, customer.token);
    await page.goto('/account?view=activity');
    await expect(page.getByText('Your portal looked at, read-only')).toBeVisible();
  },
);

test('a view ends with the session of its operator, and its page says so', async ({ page, context, product }) => {
  const support = await addOperator(product, 'support');
  const customer = await newCustomer(product);
  await openAsOperator(page, product, support, '/');
  await find(page, customer.email);
  const view = await openView(page, context, customer.name);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', { name: /google/i })).toBeVisible();
  await expect(view.getByRole('heading', { name: 'This view is over' })).toBeVisible({ timeout: 60_000 });
});
