import { callApi } from './customer-calls.ts';
import { newActivation, openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

test('a test key is generated with limits, replaced, used, and its calls appear in the request log', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'free');
  await openAs(page, customer, `/api/${activationId}?tab=keys`);
  await page.getByRole('button', { name: 'Generate API Key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Key name').fill('play');
  await dialog.getByText('Test', { exact: true }).click();
  await dialog.getByText('Limits (optional)').click();
  await dialog.getByLabel('Allowed addresses').fill('nowhere');
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(dialog.getByText('Enter addresses such as')).toBeVisible();
  await dialog.getByLabel('Allowed addresses').fill('127.0.0.0/8\n::1');
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: 'play' });
  await expect(row).toContainText('Test');
  await expect(row).toContainText('2 addresses');

  await row.getByRole('button', { name: 'Replace play' }).click();
  await dialog.getByLabel('1 hour').check();
  await dialog.getByRole('button', { name: 'Replace key' }).click();
  const key = (await dialog.getByLabel('API key', { exact: true }).textContent()) ?? '';
  expect(key).toMatch(/^gstk_test_/);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(row.filter({ hasText: 'Replaced' })).toHaveCount(1);

  await page.getByRole('link', { name: 'Request log' }).click();
  await expect(page.getByText('No calls yet')).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  // The page shows the call without a reload.
  expect(await callApi(product, key)).toBe(200);
  const call = page.getByRole('row').filter({ hasText: '/tax-lookup/v1/gstin/27**********1ZV' });
  await expect(call).toContainText('Not counted');
  await expect(call).toContainText('Test key');
  await page.getByLabel('Status', { exact: true }).selectOption('4xx');
  await expect(page.getByText('No matching calls')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^requests-\d{4}-\d\d-\d\d\.csv$/);
});
