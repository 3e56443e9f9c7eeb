import type { APIRequestContext } from '@playwright/test';
import { signInAsNew } from './customer.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

/** One address of each kind: of a kind that has one page for each API, operation or guide, the first. */
async function addressesOfKinds(request: APIRequestContext, portalUrl: string): Promise<string[]> {
  const sitemap = await (await request.get('/sitemap.xml')).text();
  const pages = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url.replace(portalUrl, ''));
  const kinds = new Map<string, string>();
  for (const page of pages) {
    const kind = page
      .replace(/\/apis\/[^/]+/, '/apis/*')
      .replace(/\/reference\/webhook~.+/, '/reference/webhook')
      .replace(/\/reference\/(?!webhook$).+/, '/reference/*')
      .replace(/\/docs\/.+/, '/docs/*');
    if (!kinds.has(kind)) kinds.set(kind, page);
  }
  return [...kinds.values()];
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test(
    'every kind of public page is whole, in English and in Hindi',
    { tag: onBoth },
    async ({ page, product, request }) => {
      const addresses = await addressesOfKinds(request, product.portalUrl);
      for (const path of ['/apis', '/pricing', '/docs', '/status'])
        for (const address of [path, `/hi${path}`]) expect(addresses).toContain(address);
      for (const address of addresses) {
        await page.goto(address);
        const main = page.getByRole('main');
        await expect(page.locator('html')).toHaveAttribute('lang', address.startsWith('/hi/') ? 'hi-IN' : 'en-IN');
        await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(main).toHaveText(address.startsWith('/hi/') ? /[\u0900-\u097f]/ : /\w{3}/);
        for (const landmark of ['banner', 'contentinfo'] as const) await expect(page.getByRole(landmark)).toBeVisible();
        expect([address, await page.locator('noscript').count()]).toEqual([address, 0]);
        const [wide, screen] = await page
          .locator('html')
          .evaluate((root) => [root.scrollWidth, root.clientWidth] as const);
        expect([address, wide]).toEqual([address, screen]);
      }
    },
  );

  test('the button of a plan leads to that plan in the portal', async ({ page }) => {
    await page.goto('/apis/tax-lookup-api');
    await page
      .getByRole('link', { name: /^Start .+ of / })
      .first()
      .click();
    await expect(page).toHaveURL(/\/marketplace\/tax-lookup-api\?plan=/);
  });
});

test('the button of a plan leads through the sign-in to that plan', { tag: onBoth }, async ({ page }) => {
  await page.goto('/apis/tax-lookup-api');
  const link = page.locator('a[href*="?plan="]').last();
  const place = (await link.getAttribute('href')) ?? '';
  await link.click();
  await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(place)}`);
  await signInAsNew(page, page.url(), null);
  await expect(page).toHaveURL(place);
  const { searchParams } = new URL(page.url());
  const plan = new RegExp(`^${searchParams.get('plan')}`, 'i');
  await expect(page.getByRole('radio', { name: plan })).toBeChecked();
});

test('a sample of an operation is copied with a button, and a link leads to the next operation', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/apis/tax-lookup-api/reference/checkGstin');
  const button = page.getByRole('main').getByRole('button', { name: 'Copy' }).first();
  await button.click();
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl .*gstin/s);
  await expect(page.getByRole('button', { name: 'Copied!' })).toBeHidden();
  await page.getByRole('navigation', { name: 'Previous and next' }).getByRole('link').last().click();
  await expect(page).not.toHaveURL(/checkGstin$/);
  await expect(page.getByRole('link', { name: /^Previous/ })).toBeVisible();
});
