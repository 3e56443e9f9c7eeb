import type { Page } from '@playwright/test';

/** Counts the clicks from here on, in this document. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.documentElement.dataset['clicks'] = '0';
    document.addEventListener(
      'click',
      ({ isTrusted, detail }) => {
        // Enter on a button makes a click event too, without a detail.
        if (!isTrusted || detail === 0) return;
        document.documentElement.dataset['clicks'] = String(Number(document.documentElement.dataset['clicks']) + 1);
      },
      true,
    );
  });
  return async () => Number(await page.locator('html').getAttribute('data-clicks'));
}
