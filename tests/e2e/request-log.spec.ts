import { createApiKey, revokeApiKey } from '#shared/contract/api-keys.ts';
import { callApi, whenInEffect } from './customer-calls.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onBoth, onPhone } from './tiers.ts';
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
  await expect(dialog.getByText('No calls with the old key in the last 10 minutes.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(row.filter({ hasText: 'Replaced' })).toHaveCount(1);

  await page.getByRole('tab', { name: 'My Usage' }).click();
  await page.getByRole('link', { name: 'Request log', exact: true }).click();
  await expect(page.getByText('No calls yet', { exact: true })).toBeVisible();
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

test('a request log that could not be read again is not “Live”, and is read again by itself', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'trial');
  const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'play' } });
  await openAs(page, customer, `/activations/${activationId}/requests`);
  await expect(page.getByText('No calls yet')).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const list = `**/services/${activationId}/requests`;
  await page.route(list, (route) => route.abort());
  expect(await callApi(product, apiKey)).toBe(200);
  await expect(page.getByText('Live', { exact: true })).toBeHidden();
  await page.unroute(list);
  await expect(page.getByRole('row').filter({ hasText: '/tax-lookup/v1/gstin/' })).toHaveCount(1);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test(
  'each call of the request log opens: why it failed, what was checked, the endpoint, the sandbox and support',
  { tag: onPhone },
  async ({ page, product }) => {
    const { customer, activationId } = await newActivation(product, 'trial');
    const made = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'leak1' } });
    expect(await callApi(product, made.apiKey)).toBe(200);
    await whenInEffect(await customer.send(revokeApiKey, { params: { activationId, keyId: made.id } }));
    expect(await callApi(product, made.apiKey)).toBe(401);

    await openAs(page, customer, `/activations/${activationId}/requests`);
    await expect(page.getByText('1 call with the revoked key leak1')).toBeVisible();
    await page.getByRole('button', { name: /status 401: details$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Request' });
    await expect(dialog).toContainText('The key leak1 had been revoked when this call arrived.');
    await expect(dialog).toContainText('key-invalid');
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Failed here' })).toHaveText(
      /Key known and not revoked/,
    );
    await expect(dialog.getByRole('listitem').filter({ hasText: 'Not reached' }).first()).toBeVisible();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(dialog).toBeHidden();

    await page.getByLabel('Request id, code or path').fill('key-invalid');
    await expect(page.getByRole('button', { name: /: details$/ })).toHaveCount(1);
    await page.getByRole('button', { name: /status 401: details$/ }).click();
    await dialog.getByRole('link', { name: 'Try again in sandbox' }).click();
    await expect(page).toHaveURL(/\/reference\/tax-lookup-api\/checkGstin\?/);
    await expect(page.getByText('Send the call again with a test key')).toBeVisible();
    await page.goBack();
    await dialog.getByRole('button', { name: 'Ask support about this request' }).click();
    await expect(page.getByLabel('Subject')).toHaveValue(/^Request req_.*: status 401$/);
    await expect(page.getByLabel('Message', { exact: true })).toHaveValue(/Status: 401 key-invalid\nKey: leak1/);
  },
);

test(
  'after activating, three clicks lead to a command, and its dialog says when the first call arrives',
  { tag: onBoth },
  async ({ page, product, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { customer, activationId } = await newActivation(product, 'trial');
    await openAs(page, customer, `/activations/${activationId}`);
    const card = page.getByRole('region', { name: 'Next: your first call' });
    await card.getByRole('button', { name: 'Generate API Key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key name').fill('first');
    await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
    await expect(dialog.getByText('Waiting for the first call with this key.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Copy command' }).click();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const key = /gstk_live_\w+/.exec(command)?.[0] ?? '';
    expect(await callApi(product, key)).toBe(200);
    await expect(dialog.getByText(/^First call received, \d+ ms$/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(dialog).toBeHidden();
    await expect(card).toBeHidden();
  },
);

test('the steps to the first call go when the call is counted, also when that is some time after it was logged', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'trial');
  const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'first' } });
  let isCounted = false;
  await page.route(`**/services/${activationId}/apikeys`, async (route) => {
    const response = await route.fetch();
    const keys: object[] = await response.json();
    return route.fulfill({ response, json: isCounted ? keys : keys.map((key) => ({ ...key, lastUsedAt: null })) });
  });
  expect(await callApi(product, apiKey)).toBe(200);
  await openAs(page, customer, `/activations/${activationId}`);
  const card = page.getByRole('region', { name: 'Next: your first call' });
  await expect(card).toBeVisible();
  isCounted = true;
  await expect(card).toBeHidden();
});

/** The day in IST that lies this many days back. */
const day = (format: string, ago: number) =>
  new Intl.DateTimeFormat(format, { timeZone: 'Asia/Kolkata' }).format(Date.now() - ago * 86_400_000);

test('days are typed or chosen as they are written everywhere, and Escape closes the calendar before its dialog', async ({
  page,
  visitor,
}) => {
  await openAs(page, visitor.customer, `/activations/${visitor.activationId}/requests`);
  const from = page.getByLabel('From');
  await from.fill(day('en-IN', 2));
  await from.blur();
  await expect(page).toHaveURL(new RegExp(`from=${day('en-CA', 2)}`));
  await expect(from).toHaveValue(/^\d{1,2} [A-Z][a-z]{2} \d{4}$/);
  const calendar = page.locator('[data-dates-dropdown]');
  await expect(calendar).toBeHidden();
  await from.click();
  await calendar
    .getByRole('button', { name: new RegExp(`^${Number(day('en-CA', 0).slice(8))} `) })
    .last()
    .click();
  await expect(page).toHaveURL(new RegExp(`from=${day('en-CA', 0)}`));
  await expect(calendar).toBeHidden();

  await page.goto(`/api/${visitor.activationId}?tab=keys`);
  await page.getByRole('button', { name: 'More for prod1' }).click();
  await page.getByRole('menuitem', { name: 'Limits' }).click();
  const dialog = page.getByRole('dialog', { name: 'Limits of the key' });
  await expect(dialog.getByLabel('Last day')).toBeFocused();
  await expect(calendar).toBeHidden();
  await page.keyboard.press('ArrowDown');
  await expect(calendar).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(calendar).toBeHidden();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});
