import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listApiKeys, revokeApiKey } from '#shared/contract/api-keys.ts';
import { whenInEffect } from './customer-calls.ts';
import { activatePlan, generateKey, signInAsNew } from './customer.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onBoth, onPhone } from './tiers.ts';
import { expect, test } from './visitor.ts';

const run = promisify(execFile);

/** How a sample runs unchanged, in a shell without a key of its own. */
const commands = [
  { language: 'curl', file: 'sample.sh', command: 'sh' },
  { language: 'JavaScript', file: 'sample.mjs', command: process.execPath },
  { language: 'Python', file: 'sample.py', command: 'python3' },
];

test('a new customer signs in, gets a first response in the page, runs the copied samples unchanged, and sees each counted', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAsNew(page);
  const activationId = await activatePlan(page, 'tax-lookup-api', /Trial/);
  const key = await generateKey(page, activationId, 'first');
  const sentTo = new Set<string>();
  page.on('request', (request) => {
    const sent = JSON.stringify([request.url(), request.headers(), request.postData()]);
    if (sent.includes(key)) sentTo.add(new URL(request.url()).origin);
  });

  await page.getByRole('link', { name: 'API documentation' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Try it' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Check a GSTIN' })).toBeVisible();
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('textbox', { name: /^gstin/ }).fill('27AAPFU0939F1ZV');
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByText('200 OK')).toBeVisible();
  await expect(page.getByText('999 of 1,000')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Response body' })).toContainText('"gstin": "27AAPFU0939F1ZV"');

  const folder = mkdtempSync(join(tmpdir(), 'octroi-samples-'));
  for (const { language, file, command } of commands) {
    await page.getByRole('tab', { name: language, exact: true }).click();
    const panel = page.getByRole('tabpanel', { name: language, exact: true });
    const shown = (await panel.locator('pre').textContent()) ?? '';
    // The field masks the key, and so does what stands beside it; the copy has all of it.
    expect(shown).not.toContain(key);
    const copied = shown.replaceAll(/gstk_live_\*+/g, key.slice(0, -4));
    await panel.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
    writeFileSync(join(folder, file), copied);
    const { stdout } = await run(command, [join(folder, file)], { cwd: folder });
    expect(JSON.parse(stdout), language).toMatchObject({ gstin: '27AAPFU0939F1ZV', valid: true });
  }
  rmSync(folder, { recursive: true });

  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]));
  expect(stored).not.toContain(key);
  expect(JSON.stringify(await context.cookies())).not.toContain(key);
  expect([...sentTo]).toEqual([new URL(product.gatewayUrl).origin]);
  await page.goto(`/api/${activationId}`);
  await expect(page.getByRole('tabpanel', { name: 'My Usage' })).toContainText(/4\s*\/ 1,000 requests/);
  await page.goBack();
  await expect(page.getByLabel('API key', { exact: true })).toHaveValue('');
});

test(
  'a call without a key is tried with a temporary test key, whose samples mask it and whose result is in sight',
  { tag: onBoth },
  async ({ page, product, context, isMobile }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { customer, activationId } = await newActivation(product, 'free');
    await openAs(page, customer, '/reference/tax-lookup-api/checkGstin');
    await expect(page.getByPlaceholder('Temporary test key')).toBeVisible();
    const listKeys = () => customer.send(listApiKeys, { params: { activationId } });
    // Looking makes none.
    expect(await listKeys()).toEqual([]);
    const send = page.getByRole('button', { name: 'Send request' });
    await send.click();
    await expect(page.getByText('200 OK')).toBeInViewport();
    await expect(page.getByText('No, test key')).toBeInViewport();
    expect(await listKeys()).toEqual([expect.objectContaining({ keyName: 'try', isTest: true })]);
    const key = await page.getByLabel('API key', { exact: true }).inputValue();
    const panel = page.getByRole('tabpanel', { name: 'curl', exact: true });
    await expect(panel.locator('pre')).not.toContainText(key);
    await panel.getByRole('button', { name: 'Copy' }).click();
    if (!isMobile) expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(key);

    // One that was revoked meanwhile is replaced.
    const [made] = await listKeys();
    await whenInEffect(await customer.send(revokeApiKey, { params: { activationId, keyId: made?.id ?? '' } }));
    await send.click();
    await expect(page.getByLabel('API key', { exact: true })).not.toHaveValue(key);
    await expect(page.getByText('200 OK')).toBeVisible();
    expect((await listKeys()).filter(({ isRevoked }) => !isRevoked)).toHaveLength(1);
  },
);

test(
  'the reference reports an unreachable gateway and an invalid key, and its files are complete',
  { tag: onPhone },
  async ({ page, visitor, product, isMobile }) => {
    const document = `${product.gatewayUrl}/gst-invoicing/openapi.json`;
    await page.route(document, (route) => route.abort());
    await openAs(page, visitor.customer, '/reference/invoicing-system');
    const error = page.getByRole('alert').filter({ hasText: 'Failed to load the API documentation' });
    await expect(error).toContainText('The gateway didn’t respond');
    await page.unroute(document);
    await error.getByRole('button', { name: 'Try Again' }).click();

    for (const [button, name, part] of [
      ['OpenAPI file', 'invoicing-system.openapi.json', '"openapi": "3.1.0"'],
      ['Postman collection', 'invoicing-system.postman_collection.json', '{{baseUrl}}/v1/invoices/compute'],
    ] as const) {
      const downloads = page.waitForEvent('download');
      await page.getByRole('button', { name: button }).click();
      const download = await downloads;
      expect(download.suggestedFilename()).toBe(name);
      const chunks = await (await download.createReadStream()).toArray();
      const text = Buffer.concat(chunks).toString();
      expect(text).toContain(part);
      expect(JSON.parse(text)).toHaveProperty('info');
    }

    if (isMobile) await page.getByRole('button', { name: 'All endpoints' }).click();
    await page.getByRole('searchbox', { name: 'Search the endpoints' }).fill('next number');
    await page
      .getByRole('navigation', { name: 'Endpoints' })
      .getByRole('link', { name: /Take the next number/ })
      .click();
    await expect(page).toHaveURL('/reference/invoicing-system/giveNumber');
    const send = page.getByRole('button', { name: 'Send request' });
    await send.click();
    const key = page.getByLabel('API key', { exact: true });
    await expect(key).toBeFocused();
    await expect(page.getByText('Paste an API key first.')).toBeVisible();
    await key.fill('gstk_live_0000000000000000000000000000002C8GjS');
    await send.click();
    await expect(page.getByText('401 Unauthorized')).toBeInViewport();
    await expect(page.getByText(/^This API key does not exist or was revoked/).first()).toBeVisible();
    await expect(page.getByText('Generate another key, or paste yours again.')).toBeVisible();
  },
);
