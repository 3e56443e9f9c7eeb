import { join } from 'node:path';
import { newCustomer } from './customer-calls.ts';
import { axeFaults } from './axe.ts';
import { expect, type Product, startProduct, test } from './product.ts';

const brandDir = join(import.meta.dirname, '..', '..', 'ship', 'standins', 'brand');
let own: Product;
test.beforeAll(
  async () => void (own = await startProduct({ BRAND_DIR: brandDir, PROVIDER_NAME: 'Kites & Co Private Limited' })),
);
test.afterAll(() => own.remove());

// Wait until animations have ended.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const isWhole = () => document.querySelector('header')?.scrollWidth === document.documentElement.clientWidth;

test('a brand has its logo, name, colours, copy and links, in both languages and colour schemes', async ({ page }) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) refused.push(message.text());
  });
  const customer = await newCustomer(own);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${own.portalUrl}/login`);
    await expect(page.getByRole('heading', { name: 'Every kite in the sky' })).toBeVisible();
    await expect(page.getByText('Kites & Co Private Limited')).toBeVisible();
    await expect(page.getByText('PORTAL', { exact: true })).toBeVisible();
    await expect(page.getByText(/\bGST\b/)).toHaveCount(0);
    await expect(page.getByText('Support on working days')).toBeVisible();
    for (const [name, address] of [
      ['Terms', '/terms'],
      ['Privacy', '/privacy'],
      ['Refunds', '/refunds'],
      ['Contact', '/contact'],
    ] as const)
      await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('href', address);
    const logo = page.locator(`img[src^="/brand/logo-${colorScheme}"]`);
    await expect(logo).toBeVisible();
    expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await axeFaults(page, 'tag', ['wcag2aa', 'wcag2a'])).toEqual([]);
  }
  // A page without a script shows the logo of the system's colours alone.
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${own.portalUrl}/login`);
    await page.getByRole('link', { name: 'Refunds' }).click();
    await expect(page.getByRole('heading', { name: 'Sample refund policy', level: 1 })).toBeVisible();
    // Both are shown until the styles have come, which this waits for.
    const shown = page.getByRole('banner').locator('img:visible');
    await expect(shown).toHaveCount(1);
    await expect(shown).toHaveAttribute('src', new RegExp(`^/brand/logo-${colorScheme}`));
    expect(await axeFaults(page, 'tag', ['wcag2aa', 'wcag2a'])).toEqual([]);
  }
  await page.goto(`${own.portalUrl}/login`);
  await page.getByRole('button', { name: 'हिन्दी में देखें' }).click();
  await expect(page.getByRole('heading', { name: 'आसमान की हर पतंग' })).toBeVisible();
  await page.getByRole('button', { name: 'View in English' }).click();

  await page.evaluate((token) => localStorage.setItem('portal.session', token), customer.token);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${own.portalUrl}/marketplace`);
    await expect(page.getByRole('banner').getByText('Kites & Co Private Limited')).toBeVisible();
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Refunds' })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    expect(await axeFaults(page, 'tag', ['wcag2aa', 'wcag2a'])).toEqual([]);
  }
  for (const width of [1280, 1210, 1000, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate(isWhole), { message: `the header fits ${width} px` }).toBe(true);
    if (width > 992) await expect(page.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 });
  }
  expect(refused).toEqual([]);
});
