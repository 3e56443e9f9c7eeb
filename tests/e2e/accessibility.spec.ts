import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { signInCustomer } from '#ship/demo/portal-customer.ts';
import { axeFaults, settle } from './axe.ts';
import { pages } from './pages.ts';
import { openAs } from './signed-in.ts';
import { inTurn, notQuick } from './tiers.ts';
import { expect, test, type Visitor } from './visitor.ts';

/** A dialog: its page, what opens it (`item`: in the menu of that button), and what shows that it is open. */
const dialogs: { name: string; path: string; opener: string; item?: string; shows: RegExp }[] = [
  { name: 'Generate API Key', path: '/api/:id?tab=keys', opener: 'Generate API Key', shows: /Key name/ },
  { name: 'Revoke API key', path: '/api/:id?tab=keys', opener: 'Revoke prod1', shows: /Are you sure/ },
  {
    name: 'Limits of the key',
    path: '/api/:id?tab=keys',
    opener: 'More for prod1',
    item: 'Limits',
    shows: /Calls per day/,
  },
  { name: 'Replace API key', path: '/api/:id?tab=keys', opener: 'Replace prod1', shows: /key working for/ },
  { name: 'Deactivate the plan', path: '/activations/:id/billing', opener: 'Deactivate plan', shows: /Unused days/ },
  { name: 'Remove', path: '/activations/:id/billing', opener: 'Remove', shows: /has not been paid/ },
  { name: 'Cancel', path: '/activations/:id/billing', opener: 'Cancel', shows: /refunds it in full/ },
  { name: 'Add Subscription', path: '/activations/:id/billing', opener: 'Prepay next', shows: /Back to Plans/ },
  { name: 'Add webhook', path: '/developers/webhooks', opener: 'Add webhook', shows: /Events/ },
  { name: 'Roll secret', path: '/developers/webhooks/:webhook', opener: 'Roll secret', shows: /Old secret/ },
  { name: 'Delete', path: '/api/:id?tab=deactivate', opener: 'Delete activation', shows: /stop working now/ },
];

const others = ['/marketplace/tax-lookup-api', '/developers/webhooks/:webhook', '/nowhere'];
const paths = [...pages.map(({ path }) => path), ...others];

// Wait until animations have ended.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** The class names of Mantine's styles. */
const styles = join(import.meta.dirname, '..', '..', 'node_modules', '@mantine', 'core', 'styles.layer.css');
const mantineParts = new Set(readFileSync(styles, 'utf8').match(/m_[0-9a-f]+/g));

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const placeOf = ({ activationId, webhookId }: Visitor, path: string) =>
  path.replace(':id', activationId).replace(':webhook', webhookId);

async function open(page: Page, visitor: Visitor, path: string): Promise<void> {
  await openAs(page, visitor.customer, placeOf(visitor, path));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await settle(page);
}

/** Only the styles of used components are loaded; a component without styles looks wrong, and axe does not notice. */
async function expectStyled(page: Page): Promise<void> {
  const parts = await page.evaluate(() =>
    [...document.querySelectorAll('[class*="m_"]')].flatMap(({ classList }) => [...classList]),
  );
  const sheets = await page.evaluate(() =>
    [...document.styleSheets]
      // Google's button brings its own styles, which the page may not read.
      .filter(({ href }) => href === null || href.startsWith(location.origin))
      .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
      .join(''),
  );
  expect([...new Set(parts)].filter((part) => mantineParts.has(part) && !sheets.includes(`.${part}`))).toEqual([]);
}

/** Runs axe on the page, then on its colours in dark mode; the page follows the system's choice. */
async function expectNoFaults(page: Page, tags: string[]): Promise<void> {
  await expectStyled(page);
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  expect(await axeFaults(page, 'tag', tags), 'light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await settle(page);
  expect(await axeFaults(page, 'rule', ['color-contrast']), 'dark').toEqual([]);
}

async function expectNoSidewaysScroll(page: Page, path: string): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  // Charts are redrawn a moment after the window has changed.
  const tooWide = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(tooWide, path).toBeLessThanOrEqual(0);
  if (size !== null) await page.setViewportSize(size);
}

test('axe finds a picture without a text, text without contrast, and both in a frame of the page', async ({ page }) => {
  const faulty = '<img src="/mark.svg"><p style="color: #ccc; background: #fff">Pale</p>';
  const body = `<html lang="en"><title>A page</title>${faulty}<iframe title="Frame" srcdoc='${faulty}'></iframe>`;
  await page.route('**/faulty', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('/faulty');
  const found = (await axeFaults(page, 'tag', wcag)).map((fault) => fault.split(':')[0]);
  expect(found.filter((id) => id === 'image-alt' || id === 'color-contrast').toSorted()).toEqual([
    'color-contrast',
    'color-contrast',
    'image-alt',
    'image-alt',
  ]);
  expect(await axeFaults(page, 'rule', ['image-alt'])).toHaveLength(2);
});

for (const [index, path] of paths.entries())
  test(
    `axe finds no violations on ${path}, light and dark, and it does not scroll sideways at 360 px`,
    { tag: inTurn(index) },
    async ({ page, visitor }) => {
      await open(page, visitor, path);
      await expectNoFaults(page, [...wcag, 'best-practice']);
      await expectNoSidewaysScroll(page, path);
    },
  );

test('axe finds no violations on /login, light and dark', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoFaults(page, [...wcag, 'best-practice']);
});

for (const [index, { name, path, opener, item, shows }] of dialogs.entries())
  test(
    `axe finds no violations in the dialog ${name}, light and dark; Escape closes it and returns the focus`,
    { tag: inTurn(index) },
    async ({ page, visitor }) => {
      await open(page, visitor, path);
      const button = page.getByRole('main').getByRole('button', { name: opener, exact: true }).first();
      await button.click();
      if (item !== undefined) await page.getByRole('menuitem', { name: item, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText(shows).first()).toBeVisible();
      // Where the page was scrolled to its button, the bar at the top may cover half of a link.
      await page.evaluate(() => window.scrollTo(0, 0));
      await expectNoFaults(page, wcag);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(button).toBeFocused();
    },
  );

test('axe finds no violations in the search and its selected row, light and dark', async ({ page, visitor }) => {
  await open(page, visitor, '/marketplace');
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).fill('prod1');
  await expect(page.getByRole('dialog').getByText('API key', { exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('[data-selected]').first()).toBeVisible();
  await expectNoFaults(page, wcag);
});

/** The others run only in the full run. */
const quickInHindi = ['/marketplace', '/api/:id', '/billing'];

for (const { name, of, tag } of [
  { name: 'frequently used pages', of: quickInHindi, tag: [] },
  { name: 'the other pages', of: paths.filter((path) => !quickInHindi.includes(path)), tag: [notQuick] },
])
  test(
    `axe finds no violations on ${name} in Hindi, and no page scrolls sideways at 360 px`,
    { tag },
    async ({ page, visitor, isMobile }) => {
      test.skip(isMobile, 'The desktop project also resizes each page to a narrow width.');
      test.setTimeout(300_000);
      await openAs(page, visitor.customer, '/mark.svg');
      await page.evaluate(() => localStorage.setItem('language', 'hi'));
      for (const path of of) {
        await page.goto(placeOf(visitor, path));
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
        await settle(page);
        expect(await axeFaults(page, 'tag', wcag), path).toEqual([]);
        await expectNoSidewaysScroll(page, path);
      }
    },
  );

test.describe('at 360 px', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('no page scrolls sideways for a customer with a long name and e-mail address', async ({ page, product }) => {
    const email = `${'purchase-and-accounts-payable-'.repeat(3)}${randomBytes(4).toString('hex')}@example.com`;
    const claims = { sub: randomBytes(8).toString('hex'), name: 'Lakshminarasimhan'.repeat(4), email };
    const customer = await signInCustomer(product, { claims });
    await openAs(page, customer, '/marketplace');
    for (const path of ['/marketplace', '/account', '/billing', '/developers/webhooks']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await settle(page);
      await expectNoSidewaysScroll(page, path);
      await page.getByRole('button', { name: 'Open menu' }).click();
      await expect(page.getByRole('dialog').getByText(email)).toBeVisible();
      await expectNoSidewaysScroll(page, path);
    }
  });
});
