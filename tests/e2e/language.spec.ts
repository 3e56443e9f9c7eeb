import type { Page } from '@playwright/test';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from './failures.ts';
import { pages } from './pages.ts';
import { openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

const root = join(import.meta.dirname, '..', '..');
const web = join(root, 'web');

/** The catalogue's texts that are given in both languages. */
const provided = readdirSync(join(root, 'ship', 'standins', 'catalog'))
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) => readFileSync(join(root, 'ship', 'standins', 'catalog', name), 'utf8').split('\n'))
  .flatMap((line) => /\{ en: '?(.+?)'?, hi: /.exec(line)?.[1] ?? []);

/** The English texts with a different Hindi translation; those with values cannot be searched for literally. */
const ours = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('texts.hi.ts'))
  .flatMap((path) => [...readFileSync(join(web, path), 'utf8').matchAll(/^ {2}'?([^'{}\n]+?)'?:\s+["'](.+)["'],$/gm)])
  .flatMap(([, text = '', hindi]) => (text === hindi ? [] : [text]));
const english = new Set([...ours, ...provided]);

/** Matches a message whose values were not filled in; in the paths of calls such words are intended. */
const unfilled = /[\u0900-\u097f].*(?<!\/)\{\w+\}|(?<!\/)\{\w+\}.*[\u0900-\u097f]|, (select|plural),/;

/** Everything on the page that people read or hear. */
function wordsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const words: string[] = [];
    while (walker.nextNode() !== null) words.push(walker.currentNode.textContent?.trim() ?? '');
    for (const element of document.querySelectorAll('[aria-label]')) words.push(element.ariaLabel ?? '');
    return words;
  });
}

async function choose(page: Page, name: string, isMobile: boolean): Promise<void> {
  if (isMobile) await page.getByRole('banner').getByRole('button').first().click();
  await page.getByRole('button', { name }).click();
  if (isMobile) await page.keyboard.press('Escape');
}

test('switching to Hindi in the header keeps typed input, is remembered, and leaves no English text on any page', async ({
  page,
  visitor,
  isMobile,
}) => {
  test.slow();
  expect(ours.length).toBeGreaterThan(300);
  expect(provided.length).toBeGreaterThan(30);
  const { customer, activationId } = visitor;
  await openAs(page, customer, '/account');
  await page.getByRole('textbox', { name: 'City' }).fill('Nashik');
  await choose(page, 'हिन्दी में देखें', isMobile);
  await expect(page.getByRole('heading', { level: 1, name: 'खाता' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'शहर' })).toHaveValue('Nashik');
  await page.getByRole('textbox', { name: 'शहर' }).fill('Pune');
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
  await expect(page).toHaveTitle('खाता · पोर्टल');
  for (const path of [...pages.map((each) => each.path.replace(':id', activationId)), '/nowhere']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const words = await wordsOf(page);
    expect(
      words.filter((each) => english.has(each) || unfilled.test(each)),
      path,
    ).toEqual([]);
    expect(words.join(' ')).toMatch(/[\u0900-\u097f]{3}/);
  }
  await choose(page, 'View in English', isMobile);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-IN');
});

test('names of the catalogue, and errors at fields, change together with the language', async ({
  page,
  visitor,
  isMobile,
}) => {
  await page.addInitScript(() => {
    // On a busy machine the page waits longer for what it reads before the change.
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms * 30);
    // What would be read after the change never arrives.
    const read = window.fetch.bind(window);
    window.fetch = (...request) => {
      const { lang, dataset } = document.documentElement;
      return dataset['holds'] !== undefined && lang === 'hi-IN' ? new Promise(() => {}) : read(...request);
    };
  });
  await openAs(page, visitor.customer, `/activations/${visitor.activationId}`);
  const name = page.getByRole('heading', { level: 1 });
  await expect(name).toHaveText('Tax Lookup API');
  await page.locator('html').evaluate((html) => (html.dataset['holds'] = ''));
  await choose(page, 'हिन्दी में देखें', isMobile);
  await expect(page.locator('html')).toHaveAttribute('lang', 'hi-IN');
  await expect(name).toHaveText('टैक्स लुकअप API');

  await page.route('**/backend/marketplace', (route) => route.fulfill(problem('internal')));
  await page.goto('/marketplace');
  await expect(page.getByText('हमारी ओर कुछ गड़बड़ हुई। फिर से कोशिश करें।')).toBeVisible();

  await page.goto('/account');
  await page.getByRole('textbox', { name: 'फ़ोन' }).fill('12');
  await page.getByRole('button', { name: 'सेव करें' }).click();
  await expect(page.getByText('फ़ोन नंबर लिखें')).toBeVisible();
  await choose(page, 'View in English', isMobile);
  await expect(page.getByText('Enter a phone number, such as +91 98765 43210')).toBeVisible();
});

test('the login page is translated to Hindi too', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'हिन्दी में देखें' }).click();
  await expect(page.getByRole('heading', { name: 'साइनअप या लॉगिन' })).toBeVisible();
  await page.reload();
  await expect(page).toHaveTitle('लॉगिन · पोर्टल');
  expect((await wordsOf(page)).filter((each) => english.has(each))).toEqual([]);
});
