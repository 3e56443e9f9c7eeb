import { readFile } from 'node:fs/promises';
import { revokeApiKey } from '#shared/contract/api-keys.ts';
import { whenInEffect } from './customer-calls.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './product.ts';
import { textOfPdf } from './pdf-text.ts';
import { activatePlan, generateKey, goodCard, openCheckout, payByCard, signInAsNew } from './customer.ts';

const sample = '/tax-lookup/v1/gstin/27AAPFU0939F1ZV';

test(
  'a new customer signs in, activates, pays, generates a key, calls the API, sees each call counted, and revokes the key',
  { tag: onBoth },
  async ({ page, product, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signInAsNew(page);

    const activationId = await activatePlan(page, 'tax-lookup-api', /Growth(?! 90)/);
    const banner = page.getByRole('main').getByText('Complete your pending payment to activate subscription');
    await expect(banner).toBeVisible();

    const sheet = await openCheckout(page, '₹1,499');
    await payByCard(sheet, goodCard, '₹1,499');
    await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
    await expect(banner).toBeHidden();

    const key = await generateKey(page, activationId, 'prod1');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

    const call = () => fetch(`${product.gatewayUrl}${sample}`, { headers: { 'x-api-key': key } });
    for (let count = 1; count <= 25; count += 1) {
      const answer = await call();
      // The plan allows 20 calls in any second.
      await page.waitForTimeout(60);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ gstin: '27AAPFU0939F1ZV', valid: true });
    }
    await page.getByRole('tab', { name: 'My Usage' }).click();
    const usage = page.getByRole('tabpanel', { name: 'My Usage' });
    await expect(usage).toContainText(/25\s*\/ 5,000 requests/);
    await expect(usage).toContainText(/25\s*\/ 1,00,000 requests/);

    await page.getByRole('tab', { name: 'API Keys' }).click();
    await page.getByRole('button', { name: 'Revoke prod1' }).click();
    await expect(
      page.getByText('Are you sure you want to revoke this API key? This action cannot be undone.'),
    ).toBeVisible();
    const revoking = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await expect(page.getByText('prod1 is revoked')).toBeVisible();
    await whenInEffect(revokeApiKey.reply.parse(await (await revoking).json()));
    const refused = await call();
    expect(refused.status).toBe(401);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    await expect.poll(async () => (await call()).status).toBe(401);

    await page.getByRole('tab', { name: 'Billing History' }).click();
    const downloads = page.waitForEvent('download');
    await page
      .getByRole('button', { name: /invoice/i })
      .first()
      .click();
    const download = await downloads;
    expect(download.suggestedFilename()).toMatch(/^invoice-.+\.pdf$/);
    const text = await textOfPdf(await download.path());
    expect(text).toMatch(/OCT\/\d\d-\d\d\/\d{6}/);
    expect(text).toContain('1,499.00');
    expect(text).toContain('IGST');
    expect(text).toContain('228.66');
    // Next to the invoice is its usage; the calls after the revocation are not in it.
    const evidence = page.waitForEvent('download');
    await page.getByRole('button', { name: /^More for OCT/ }).click();
    await page.getByRole('menuitem', { name: 'Usage (CSV)' }).click();
    const file = await readFile(await (await evidence).path(), 'utf8');
    expect(file).toMatch(/OCT\/\d\d-\d\d\/\d{6},\d{4}-\d\d-\d\d,KEY-\w+,prod1,2xx,yes,25,25\r\n$/);

    await page.getByRole('tab', { name: 'My Usage' }).click();
    await expect(usage).toContainText(/25\s*\/ 5,000 requests/);
  },
);
