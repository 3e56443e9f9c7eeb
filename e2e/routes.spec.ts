import type { Page } from '@playwright/test';
import { failures, failureTexts, intercept } from './failures.ts';
import { type PageCall, type PageCase, pages } from './pages.ts';
import { keepSession, sessionStorageKey } from './signed-in.ts';
import { expect, test } from './visitor.ts';

/** `/api/:id?tab=keys` with an activation's id in it. */
const pathOf = (page: PageCase, activationId: string) => page.path.replace(':id', activationId);

for (const shown of pages) {
  for (const { call, failed } of shown.calls) {
    if (failed === null) doesWithout(shown, call);
    else fails(shown, call, failed);
  }
}

/** The page waits for the call, says how it failed, tries again, and comes back after a new sign-in. */
function fails(shown: PageCase, call: PageCall['call'], failed: string): void {
  test(`${shown.path} while ${call.name} is on its way, fails in every way, and succeeds`, async ({
    page,
    visitor,
  }) => {
    const path = pathOf(shown, visitor.activationId);
    const main = page.getByRole('main');
    const error = main.getByRole('alert').filter({ hasText: failed });
    const tryAgain = error.getByRole('button', { name: 'Try Again' });
    await keepSession(page, visitor.customer.token);
    const interception = await intercept(page, call);
    await page.addInitScript(timeSpinner);

    await interception.set('hold');
    await page.goto(path);
    await expect(main.locator('[aria-busy=true]').first()).toBeAttached();
    await expect(main.locator('output .mantine-Loader-root').first()).toBeVisible();
    expect(await page.evaluate(() => Number(document.documentElement.dataset['spinnerAfterMs']))).toBeGreaterThan(950);
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
    await tryAgain.click();
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

/** The page stands without the call. */
function doesWithout(shown: PageCase, call: PageCall['call']): void {
  test(`${shown.path} does without ${call.name}`, async ({ page, visitor }) => {
    const path = pathOf(shown, visitor.activationId);
    await keepSession(page, visitor.customer.token);
    const interception = await intercept(page, call);
    for (const failure of ['internal', 'no-answer', 'forbidden'] as const) {
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

/** Runs in the page: notes how long it was waiting when the first spinner came. */
function timeSpinner(): void {
  let began = 0;
  new MutationObserver(() => {
    if (began === 0 && document.querySelector('main [aria-busy=true]') !== null) began = performance.now();
    if (document.querySelector('main output .mantine-Loader-root') === null) return;
    document.documentElement.dataset['spinnerAfterMs'] ??= String(performance.now() - began);
  }).observe(document, { subtree: true, childList: true });
}

function forbiddenNotice(page: Page) {
  return page.locator('.mantine-Notifications-root').getByText(failureTexts.forbidden).first();
}

/** Another tab signs in; this one hears of it. */
async function signInElsewhere(page: Page, token: string): Promise<void> {
  await page.evaluate(
    ([key, value]) => {
      localStorage.setItem(key, value);
      window.dispatchEvent(new StorageEvent('storage', { key }));
    },
    [sessionStorageKey, token] as const,
  );
}
