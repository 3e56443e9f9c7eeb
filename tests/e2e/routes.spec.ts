import type { Page } from '@playwright/test';
import { listActivations } from '#shared/contract/activations.ts';
import { failures, failureTexts, intercept } from './failures.ts';
import { type PageCall, type PageCase, pages } from './pages.ts';
import { keepSession, sessionStorageKey } from './signed-in.ts';
import { inTurn, notQuick } from './tiers.ts';
import { expect, test } from './visitor.ts';

/** `/api/:id?tab=keys` with an activation's id in it. */
const pathOf = (page: PageCase, activationId: string) => page.path.replace(':id', activationId);

// Turns off animations, which this test does not check.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const cases = pages.flatMap((shown) => shown.calls.map((call) => ({ ...call, shown })));

for (const [index, { shown, call, failed }] of cases.entries()) {
  const first = cases.findIndex((other) => other.call === call && other.failed === failed);
  const tag = failed !== null && first < index ? [notQuick] : inTurn(index);
  if (failed === null) doesWithout(shown, call, tag);
  else fails(shown, call, failed, tag);
}

test('the spinner appears when a page has waited for one second, not before', async ({ page, visitor }) => {
  await keepSession(page, visitor.customer.token);
  const interception = await intercept(page, listActivations);
  await interception.set('hold');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto('/marketplace');
  const main = page.getByRole('main');
  await expect(main.locator('[aria-busy=true]').first()).toBeAttached();
  const spinner = main.locator('output .mantine-Loader-root').first();
  await page.clock.runFor(999);
  await expect(spinner).toBeHidden();
  await page.clock.runFor(1);
  await expect(spinner).toBeVisible();
});

/** The page waits for the call, shows how it failed, retries, and recovers after a new sign-in. */
function fails(shown: PageCase, call: PageCall['call'], failed: string, tag: string[]): void {
  test(`${shown.path} handles every failure of ${call.name}, and its success`, { tag }, async ({ page, visitor }) => {
    const path = pathOf(shown, visitor.activationId);
    const main = page.getByRole('main');
    const error = main.getByRole('alert').filter({ hasText: failed });
    const tryAgain = error.getByRole('button', { name: 'Try Again' });
    await keepSession(page, visitor.customer.token);
    const interception = await intercept(page, call);

    await interception.set('hold');
    await page.goto(path);
    await expect(main.locator('[aria-busy=true]').first()).toBeAttached();
    await expect(main.locator('output .mantine-Loader-root').first()).toBeVisible();
    await interception.set(failures[0]);
    for (const [index, failure] of failures.entries()) {
      if (index > 0) {
        await interception.set(failure);
        await tryAgain.click();
      }
      await expect(error).toContainText(failed);
      await expect(error).toContainText(failureTexts[failure]);
      await expect(tryAgain).toBeEnabled();
      if (failure === 'forbidden') await expect(forbiddenNotice(page)).toBeVisible();
    }

    await interception.set('unauthorized');
    // A page that polls may have retried already; then the button is gone.
    await tryAgain.evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()));
    await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(path)}`);
    expect(await page.evaluate((key) => localStorage.getItem(key), sessionStorageKey)).toBeNull();
    await interception.set('through');
    await signInElsewhere(page, visitor.customer.token);
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 1, name: shown.heading })).toBeVisible();
    await expect(main.getByText(shown.content).first()).toBeVisible();
    await expect(error).toBeHidden();
  });
}

/** The page loads without the call. */
function doesWithout(shown: PageCase, call: PageCall['call'], tag: string[]): void {
  test(`${shown.path} works without ${call.name}`, { tag }, async ({ page, visitor }) => {
    const path = pathOf(shown, visitor.activationId);
    await keepSession(page, visitor.customer.token);
    const interception = await intercept(page, call);
    for (const failure of ['internal', 'no-response', 'forbidden'] as const) {
      await interception.set(failure);
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: shown.heading })).toBeVisible();
      await expect(page.getByRole('main').getByRole('alert')).toBeHidden();
    }
    await expect(forbiddenNotice(page)).toBeVisible();
    await interception.set('unauthorized');
    await page.goto(path);
    await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(path)}`);
  });
}

function forbiddenNotice(page: Page) {
  return page.locator('.mantine-Notifications-root').getByText(failureTexts.forbidden).first();
}

/** Another tab signs in; this one follows. */
async function signInElsewhere(page: Page, token: string): Promise<void> {
  await page.evaluate(
    ([key, value]) => {
      localStorage.setItem(key, value);
      window.dispatchEvent(new StorageEvent('storage', { key }));
    },
    [sessionStorageKey, token] as const,
  );
}
