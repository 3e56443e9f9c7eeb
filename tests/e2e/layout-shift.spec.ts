import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { pages } from './pages.ts';
import { keepSession, newActivation } from './signed-in.ts';
import { inTurn, onBoth } from './tiers.ts';
import { expect, test, type Visitor } from './visitor.ts';

/** The sum of all shifts of a page, not only of its worst moment. */
const mostShift = 0.01;

/**
 * How long the calls of a page wait for their responses, in turns: some until after the spinner has come (product §10.2).
 * Once in the order in which it asks, and once so that what it asks for last comes first.
 */
const delaysMs = [350, 1_500, 700, 1_200];

interface Shift {
  value: number;
  moved: string[];
}

/** Runs in the page: notes what moves although nobody has pressed anything. */
function noteShifts(): void {
  const shifts: Shift[] = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!('value' in entry && 'sources' in entry && 'hadRecentInput' in entry)) continue;
      if (entry.hadRecentInput === true || typeof entry.value !== 'number' || !Array.isArray(entry.sources)) continue;
      shifts.push({
        value: entry.value,
        moved: entry.sources.map(({ node }: { node: Node | null }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.outerHTML.slice(0, 80)} … ${node?.textContent?.slice(0, 60)}`;
        }),
      });
    }
  }).observe({ type: 'layout-shift', buffered: true });
  Object.assign(window, { shifts });
}

/** Opens the page in two tabs at once, one for each order: most of the time passes in waiting. */
async function expectStill(page: Page, path: string, expectLoaded: (tab: Page) => Promise<void>): Promise<void> {
  const second = await page.context().newPage();
  const tabs = [
    { tab: page, delays: delaysMs },
    { tab: second, delays: delaysMs.toReversed() },
  ];
  await Promise.all(tabs.map(({ tab, delays }) => expectStillTab(tab, path, delays, expectLoaded)));
}

async function expectStillTab(
  tab: Page,
  path: string,
  delays: readonly number[],
  expectLoaded: (tab: Page) => Promise<void>,
): Promise<void> {
  await tab.addInitScript(noteShifts);
  let calls = 0;
  await tab.route('**/backend/**', async (route) => {
    calls += 1;
    await sleep(delays[calls % delays.length] ?? 0);
    // The page may be closed by then.
    await route.continue().catch(() => {});
  });
  await tab.route('**/*.woff2', async (route) => {
    await sleep(Math.max(...delays));
    await route.continue().catch(() => {});
  });
  await tab.goto(path);
  await expectLoaded(tab);
  await expect(tab.locator('[aria-busy=true]')).toHaveCount(0);
  // What comes after the content: fonts, charts, the last calls.
  await sleep(Math.max(...delays));
  const shifts = await tab.evaluate((): Shift[] =>
    'shifts' in window && Array.isArray(window.shifts) ? window.shifts : [],
  );
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(mostShift);
}

const placeOf = ({ activationId, webhookId }: Visitor, path: string) =>
  path.replace(':id', activationId).replace(':webhook', webhookId);

const expectHeading = (tab: Page) => expect(tab.getByRole('heading', { level: 1 })).toBeVisible();

test.describe.configure({ mode: 'parallel' });

for (const [index, { path, heading, content }] of pages.entries())
  test(`nothing moves while ${path} loads slowly`, { tag: inTurn(index) }, async ({ page, visitor }) => {
    await keepSession(page, visitor.customer.token);
    await expectStill(page, placeOf(visitor, path), async (tab) => {
      await expect(tab.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(tab.getByRole('main').getByText(content).first()).toBeVisible();
    });
  });

for (const [index, path] of ['/developers/webhooks/:webhook', '/nowhere'].entries())
  test(`nothing moves while ${path} loads slowly`, { tag: inTurn(index) }, async ({ page, visitor }) => {
    await keepSession(page, visitor.customer.token);
    await expectStill(page, placeOf(visitor, path), expectHeading);
  });

for (const [index, path] of [
  '/marketplace',
  '/marketplace/tax-lookup-api',
  '/billing',
  '/developers',
  '/reporting',
  '/account',
].entries())
  test(
    `nothing moves while ${path} of a new customer loads slowly`,
    { tag: inTurn(index) },
    async ({ page, newcomer }) => {
      await keepSession(page, newcomer.token);
      await expectStill(page, path, expectHeading);
    },
  );

for (const [index, path] of [
  '/activations/:id',
  '/activations/:id/billing',
  '/api/:id',
  '/api/:id?tab=keys',
  '/api/:id?tab=billing',
].entries())
  test(
    `nothing moves while ${path} without a plan loads slowly`,
    { tag: inTurn(index) },
    async ({ page, bareVisitor }) => {
      await keepSession(page, bareVisitor.customer.token);
      await expectStill(page, placeOf(bareVisitor, path), expectHeading);
    },
  );

test('nothing moves while /activations/:id without a call loads slowly', { tag: onBoth }, async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'free');
  await keepSession(page, customer.token);
  await expectStill(page, `/activations/${activationId}`, (tab) =>
    expect(tab.getByRole('main').getByRole('link', { name: /^Support & Help/ })).toBeVisible(),
  );
});

test('nothing moves while /login loads', { tag: onBoth }, async ({ page }) => {
  await expectStill(page, '/login', (tab) => expect(tab.getByText('Signup or Login')).toBeVisible());
});
