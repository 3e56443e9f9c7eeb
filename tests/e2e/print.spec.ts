import type { Page } from '@playwright/test';
import { openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

/** The width of A4 between the browser's margins, upright and on its side. */
const widths = [718, 1_047];

/** The texts of tables that something around them cuts off, or the paper does. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = [];
    for (const cell of document.querySelectorAll('main td, main th')) {
      const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let word = words.nextNode(); word !== null; word = words.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(word);
        const text = range.getBoundingClientRect();
        if (text.width === 0 || word.parentElement === null) continue;
        if (getComputedStyle(word.parentElement).clipPath !== 'none') continue;
        let isCut = text.right > innerWidth + 1 || text.left < -1;
        for (let around: Element | null = word.parentElement; around !== null; around = around.parentElement) {
          const box = around.getBoundingClientRect();
          const hides = getComputedStyle(around).overflowX !== 'visible';
          if (hides && (text.right > box.right + 1 || text.left < box.left - 1)) isCut = true;
        }
        if (isCut) cut.push(word.textContent ?? '');
      }
    }
    return cut;
  });
}

for (const { path, shows } of [
  { path: '/billing?view=documents', shows: /OCT\/\d\d-\d\d\/\d{6}/ },
  { path: '/billing', shows: /OCT\/\d\d-\d\d\/\d{6}/ },
  { path: '/api/:id?tab=billing', shows: /OCT\/\d\d-\d\d\/\d{6}/ },
  { path: '/activations/:id/requests', shows: /v1\/gstin/ },
])
  test(`${path} is printed without cutting anything off, document numbers included`, async ({ page, visitor }) => {
    await openAs(page, visitor.customer, path.replace(':id', visitor.activationId));
    await expect(page.getByRole('main').getByText(shows).first()).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 1_000 });
      await expect(page.getByRole('main').getByText(shows).first()).toBeVisible();
      await expect.poll(() => cutTexts(page), `${width} px`).toEqual([]);
    }
  });
