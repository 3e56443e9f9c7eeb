import { once } from 'node:events';
import type { Page } from '@playwright/test';
import { pages } from './pages.ts';
import { keepSession } from './signed-in.ts';
import { inTurn, onBoth } from './tiers.ts';
import { expect, test, type Visitor } from './visitor.ts';

/** Where each visible element of the page is, and what it says. Runs in the page. */
function drawn(): string[] {
  return [...document.querySelectorAll('#root *:not(svg *)')].flatMap((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const text = [...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.nodeValue] : []));
    return width * height === 0
      ? []
      : [`${element.localName} ${[x, y, width, height].map(Math.round).join(' ')} ${text.join('')}`];
  });
}

const headerOf = (page: Page) => page.getByRole('banner');

// What follows a `?` chooses a view, which the server doesn't know.
for (const [index, { path }] of pages.filter((each) => !each.path.includes('?')).entries())
  test(
    `${path} is drawn before its code has come, and nothing moves when the code takes over`,
    { tag: inTurn(index) },
    async ({ page, visitor }) => {
      const address = path.replace(':id', visitor.activationId);
      await keepSession(page, visitor.customer.token);
      const code = new AbortController();
      await page.route('**/assets/*.{js,css}', async (route) => {
        if (!code.signal.aborted) await once(code.signal, 'abort');
        await route.continue();
      });
      // The page keeps waiting for its data.
      await page.route('**/backend/**', () => undefined);
      // With or without the font of the page: which, is a matter of time.
      await page.route('**/*.woff2', (route) => route.abort());
      await page.goto(address, { waitUntil: 'commit' });
      await expect(headerOf(page)).toBeVisible();
      if (path.includes(':id')) await expect(page.locator('#root')).toContainText(visitor.activationId);
      const before = await page.evaluate(drawn);
      const header = await headerOf(page).evaluateHandle((element) => element);
      code.abort();
      await page.waitForFunction((element) => !element.isConnected, header);
      // What only code can draw, such as the mark of the chosen tab, lies over that.
      const after = new Set(await page.evaluate(drawn));
      expect(before.filter((each) => !after.has(each))).toEqual([]);
    },
  );

/** Opens a page whose code waits for the signal. */
async function openWithoutCode(page: Page, visitor: Visitor, code: AbortSignal): Promise<void> {
  await keepSession(page, visitor.customer.token);
  await page.route('**/assets/*.js', async (route) => {
    if (!code.aborted) await once(code, 'abort');
    await route.continue();
  });
  await page.goto('/billing', { waitUntil: 'commit' });
}

test(
  'a button that is pressed before the code has come does what it does, once the code is there',
  { tag: onBoth },
  async ({ page, visitor }) => {
    const code = new AbortController();
    await openWithoutCode(page, visitor, code.signal);
    await headerOf(page).getByRole('button', { name: 'Search' }).click();
    code.abort();
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
  },
);

test('a press that has begun when the code takes over is not lost', async ({ page, visitor }) => {
  const code = new AbortController();
  await openWithoutCode(page, visitor, code.signal);
  const search = headerOf(page).getByRole('button', { name: 'Search' });
  await search.hover();
  await page.mouse.down();
  const entry = (await page.locator('script[type=module]').first().getAttribute('src')) ?? '';
  const came = page.waitForResponse(`**${entry}`);
  code.abort();
  await (await came).finished();
  await page.mouse.up();
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
});

test('a press that has begun when data comes is not lost, although other elements take the place of what is pressed', async ({
  page,
  visitor,
}) => {
  const reply = new AbortController();
  await keepSession(page, visitor.customer.token);
  await page.route('**/customer/activations', async (route) => {
    if (!reply.signal.aborted) await once(reply.signal, 'abort');
    await route.continue();
  });
  await page.goto(`/api/${visitor.activationId}`);
  const back = page.getByRole('link', { name: 'Back to Dashboard' });
  // Drawn by the page's code, which links before it knows the activation.
  await expect(page.getByRole('main').locator('[aria-busy=true]').first()).toBeVisible();
  await back.hover();
  await page.mouse.down();
  const came = page.waitForResponse('**/customer/activations');
  reply.abort();
  await (await came).finished();
  // Two frames: what the reply would draw is drawn.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.mouse.up();
  await expect(page).toHaveURL(`/activations/${visitor.activationId}`);
});

test('Back knows the page whose link was followed before the code had come', async ({ page, visitor }) => {
  const code = new AbortController();
  await openWithoutCode(page, visitor, code.signal);
  await headerOf(page).getByRole('link', { name: 'Support' }).click();
  await page.waitForURL('/support', { waitUntil: 'commit' });
  code.abort();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL('/billing');
});

test(
  'a page has its frame in the language that was chosen, before its code has come',
  { tag: onBoth },
  async ({ page, visitor }) => {
    await keepSession(page, visitor.customer.token);
    await page.evaluate(() => localStorage.setItem('language', 'hi'));
    await page.route('**/assets/*.js', () => undefined);
    await page.goto('/billing', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1, name: 'बिलिंग पोर्टल' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
  },
);

test('who is not signed in sees nothing of a page, and what is no address is no text', async ({ page, visitor }) => {
  await page.route('**/assets/*.js', () => undefined);
  await page.goto('/billing', { waitUntil: 'commit' });
  await expect(page.locator('#root')).toBeEmpty();
  await keepSession(page, visitor.customer.token);
  await page.goto('/api/%3Cimg%20src=x%3E', { waitUntil: 'commit' });
  await expect(page.locator('#root')).toBeEmpty();
});
