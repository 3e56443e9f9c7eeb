import type { Page } from '@playwright/test';
import { listProducts } from '#shared/contract/marketplace.ts';
import { signInCustomer } from '#ship/demo/portal-customer.ts';
import { addOperator, addPasskey, confirm, openAsOperator } from './operator.ts';
import { expect, type Product, startProduct, test } from './product.ts';

// A product of its own, since the catalogue is changed for everybody.
let own: Product;
test.beforeAll(async () => void (own = await startProduct()));
test.afterAll(() => own.remove());

const rainOf = (...paths: string[]) => ({
  name: 'rain.json',
  mimeType: 'application/json',
  buffer: Buffer.from(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Rain', version: '1' },
      servers: [{ url: 'http://127.0.0.1:7999' }],
      paths: Object.fromEntries(paths.map((path) => [path, { get: { summary: `Rain at ${path}` } }])),
    }),
  ),
});

async function upload(page: Page, file: ReturnType<typeof rainOf>): Promise<void> {
  await page.goto('/operator/catalogue/import');
  const chooser = page.waitForEvent('filechooser');
  await page.getByLabel('OpenAPI document').click();
  await (await chooser).setFiles(file);
}

test('an uploaded document is put on sale with the passkey, and a newer one replaces it without its prices', async ({
  browser,
}) => {
  const page = await browser.newPage({ baseURL: own.portalUrl });
  const owner = await addOperator(own, 'owner');
  await openAsOperator(page, own, owner, '/');
  await addPasskey(page);
  await upload(page, rainOf('/v1/rain', '/v1/hail'));
  const starter = page.getByRole('group', { name: 'Plan starter' });
  await starter.getByLabel('Price (₹)').fill('749');
  await page.getByRole('button', { name: 'Preview and put on sale' }).click();
  await confirm(page, 'Put on sale');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.goto('/operator/catalogue');
  await expect(page.getByRole('region', { name: /^On sale/ })).toContainText('rain');
  const products = await (await signInCustomer(own, { account: 'asha' })).send(listProducts, {});
  expect(products.map(({ id }) => id)).toContain('rain');

  await upload(page, rainOf('/v1/rain', '/v1/snow'));
  await expect(page.getByRole('alert')).toContainText('in the catalogue already');
  await page.getByRole('button', { name: 'Replace the product on sale' }).click();
  await expect(page.getByRole('row', { name: /\/v1\/snow/ })).toContainText('New');
  await expect(page.getByRole('row', { name: /\/v1\/hail/ })).toContainText('Gone');
  await expect(page.getByRole('row', { name: /\/v1\/rain/ })).not.toContainText('New');
  await expect(starter.getByLabel('Price (₹)')).toHaveValue('749');
  await page.getByRole('button', { name: 'Preview and replace' }).click();
  await expect(page.getByRole('dialog').getByLabel('Preview')).toContainText('OpenAPI document changed');
  await confirm(page, 'Replace');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.goto('/operator/catalogue');
  await expect(page.getByRole('heading', { name: 'On sale: version 3' })).toBeVisible();
  await page.close();
});
