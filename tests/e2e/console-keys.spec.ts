import { createApiKey } from '#shared/contract/api-keys.ts';
import { find, openAsOperator, test } from './operator.ts';
import { newPaidActivation } from './signed-in.ts';
import { expect } from './visitor.ts';

test('rows without a link are reached by j and k, and what can be done with one opens by its letter', async ({
  page,
  product,
  owner,
}) => {
  const { customer, activationId } = await newPaidActivation(product);
  for (const keyName of ['shop', 'till']) {
    await customer.send(createApiKey, { params: { activationId }, body: { keyName } });
  }
  await openAsOperator(page, product, owner, '/');
  await find(page, customer.email);
  const keys = page.getByRole('table', { name: 'API keys' });
  const row = keys.getByRole('row').nth(2);
  await expect(row).toBeVisible();
  const isIn = () => row.evaluate((each) => each.contains(document.activeElement));
  await expect.poll(async () => (await page.keyboard.press('j'), isIn())).toBe(true);
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog', { name: /^Revoke the key (shop|till)$/ })).toBeVisible();
});

test('the search box finds the pages behind others, and what can be done on the page that is shown', async ({
  page,
  product,
  owner,
}) => {
  const { customer } = await newPaidActivation(product);
  await openAsOperator(page, product, owner, '/');
  await find(page, customer.email);
  await expect(page.getByRole('heading', { level: 1, name: customer.name })).toBeVisible();
  const box = page.getByRole('dialog', { name: 'Search' });
  await page.keyboard.press('Control+k');
  await box.getByLabel('Search').fill('end sess');
  await box.getByRole('button', { name: /End sessions/ }).click();
  await expect(page.getByRole('dialog', { name: 'End sessions' })).toBeVisible();
  await page.keyboard.press('Escape');
  // While it fades out it still has the keyboard.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await box.getByLabel('Search').fill('TDS');
  await box.getByLabel('Search').press('Enter');
  await expect(page.getByRole('region', { name: 'TDS claims' })).toBeVisible();
});

test('what a list is narrowed to stands in its address', async ({ page, product, owner }) => {
  await openAsOperator(page, product, owner, '/audit');
  await page.getByLabel('Who did it').fill('nobody@example.com');
  await expect(page.getByText('Nobody of this name did anything.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Who did it')).toHaveValue('nobody@example.com');
  await expect(page.getByRole('button', { name: /^CSV/ })).toHaveCount(0);
  await page.getByLabel('Who did it').fill('test');
  await expect(page.getByRole('table', { name: 'Entries' })).toContainText('Add operator');
  await expect(page.getByRole('button', { name: 'CSV of Entries' })).toBeVisible();
});
