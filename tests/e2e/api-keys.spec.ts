import type { Locator } from '@playwright/test';
import { createApiKey, listApiKeys, revokeApiKey } from '#shared/contract/api-keys.ts';
import { listProducts } from '#shared/contract/marketplace.ts';
import { intercept } from './failures.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

test('a key’s name is lowercased and cut to five characters, errors are shown, and Generate waits for a valid name', async ({
  page,
  visitor,
}) => {
  await openAs(page, visitor.customer, `/api/${visitor.activationId}?tab=keys`);
  await page.getByRole('button', { name: 'Generate API Key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' });
  const name = dialog.getByLabel('Key name');
  const generate = dialog.getByRole('button', { name: 'Generate', exact: true });
  await expect(generate).toBeDisabled();
  await name.fill('ABCDEFG');
  await expect(name).toHaveValue('abcde');
  await expect(generate).toBeEnabled();
  await name.fill('a_b');
  await expect(dialog.getByText('Key name must be lowercase alphanumeric only')).toBeVisible();
  await expect(generate).toBeDisabled();
  await name.fill('');
  await name.press('Enter');
  await expect(
    dialog.getByText('Please enter a valid key name (lowercase, max 5 characters, alphanumeric)'),
  ).toBeVisible();
  await name.fill('prod1');
  await generate.click();
  await expect(dialog.getByText('An active key already has this name.')).toBeVisible();
  await expect(name).toHaveValue('prod1');
});

test(
  'nothing moves after a new key has appeared, however late the products load, and Copy is primary until copied',
  { tag: onBoth },
  async ({ page, context, product }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { customer, activationId } = await newActivation(product, 'free');
    const products = await intercept(page, listProducts);
    await openAs(page, customer, '/account');
    await products.set('hold');
    await page.goto(`/api/${activationId}?tab=keys`);
    await page.getByRole('button', { name: 'Generate API Key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Generate API Key' });
    await dialog.getByLabel('Key name').fill('still');
    await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
    await expect(dialog.getByText('still is ready')).toBeVisible();
    const copy = dialog.getByRole('button', { name: 'Copy', exact: true });
    const done = dialog.getByRole('button', { name: 'Done' });
    await expect(copy).toBeFocused();
    await expect(copy).toHaveAttribute('data-variant', 'filled');
    await expect(done).toHaveAttribute('data-variant', 'default');
    const before = await settledBox(copy);
    const arrived = page.waitForResponse((response) => response.url().endsWith('/backend/marketplace'));
    await products.set('through');
    await (await arrived).finished();
    expect(await settledBox(copy)).toEqual(before);
    await copy.click();
    await expect(done).toHaveAttribute('data-variant', 'filled');
    await expect(copy).toHaveAttribute('data-variant', 'default');
    expect(await settledBox(copy)).toEqual(before);
  },
);

test('Escape and × ask before they close a key that was not copied, and close one that was', async ({
  page,
  context,
  product,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { customer, activationId } = await newActivation(product, 'free');
  await openAs(page, customer, `/api/${activationId}?tab=keys`);
  await page.getByRole('button', { name: 'Generate API Key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' });
  await dialog.getByLabel('Key name').fill('asks');
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  const shown = dialog.getByText(/gstk_live_\w{36}/).first();
  await expect(shown).toBeVisible();
  const question = page.getByRole('dialog', { name: 'Leave without copying?' });
  await page.keyboard.press('Escape');
  await expect(question.getByRole('button', { name: 'Keep open' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(shown).toBeVisible();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await question.getByRole('button', { name: 'Keep open' }).click();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Done' })).toHaveAttribute('data-variant', 'filled');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(question).toBeHidden();
});

/** The position of an element once it has stopped moving. */
async function settledBox(place: Locator) {
  let box = await place.boundingBox();
  await expect(async () => {
    const last = box;
    box = await place.boundingBox();
    expect(box).toEqual(last);
  }).toPass();
  return box;
}

test('a key is generated once however often it is clicked, shown once, copied for 2 seconds, and revoked for good', async ({
  page,
  context,
  product,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { customer, activationId } = await newActivation(product, 'free');
  await page.clock.install();
  await openAs(page, customer, `/api/${activationId}?tab=keys`);
  const interception = await intercept(page, createApiKey);
  await page.getByRole('button', { name: 'Generate API Key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' });
  await dialog.getByLabel('Key name').fill('first');
  await interception.set('internal');
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(dialog.getByText('Something failed on our side. Try again.')).toBeVisible();
  await interception.set('no-response');
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(page.getByRole('alert').getByText('Failed to generate API key')).toBeVisible();
  await interception.set('hold');
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Generating...' })).toBeDisabled();
  await dialog.getByLabel('Key name').press('Enter');
  await interception.set('through');
  await expect(dialog.getByText('first is ready')).toBeVisible();
  const key = (await dialog.getByLabel('API key', { exact: true }).textContent()) ?? '';
  expect(key).toMatch(/^gstk_live_\w{36}$/);

  const copy = dialog.getByRole('button', { name: 'Copy', exact: true });
  const copied = dialog.getByText('Copied!');
  await page.clock.pauseAt(Date.now() + 60_000);
  await copy.click();
  await expect(copied).toBeVisible();
  await page.clock.runFor(1_999);
  await expect(copied).toBeVisible();
  await page.clock.runFor(1);
  await expect(copy).toBeVisible();
  await page.clock.resume();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(key)).toBeHidden();
  expect(await customer.send(listApiKeys, { params: { activationId } })).toHaveLength(1);

  const revoking = await intercept(page, revokeApiKey);
  await page.getByRole('button', { name: 'Revoke first' }).click();
  const asked = page.getByRole('dialog', { name: 'Revoke API key' });
  await expect(asked).toContainText('Are you sure you want to revoke this API key? This action cannot be undone.');
  await revoking.set('internal');
  await asked.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByRole('alert').getByText('Failed to revoke API key')).toBeVisible();
  await revoking.set('through');
  await asked.getByRole('button', { name: 'Revoke key' }).click();
  await expect(asked).toBeHidden();
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Revoke first' })).toBeHidden();
});

test('a new key is shown even while the list of keys does not respond', async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'free');
  await openAs(page, customer, `/api/${activationId}?tab=keys`);
  const list = await intercept(page, listApiKeys);
  await page.getByRole('button', { name: 'Generate API Key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Generate API Key' });
  await dialog.getByLabel('Key name').fill('first');
  await list.set('hold');
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await expect(dialog.getByRole('button', { name: 'Generating...' })).toBeDisabled();
  await expect(dialog.getByText('first is ready')).toBeVisible();
});
