import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** How long a frame may take to say that axe is in it: then it is left out without a word. Half a second is not enough on a busy machine. */
const pingWaitTime = 20_000;

/** Axe's program is put into a page once: put in anew for each look, it takes twice as long. */
async function hasAxe(page: Page): Promise<boolean> {
  const frames = page.frames().map((frame) => frame.evaluate(() => 'axe' in window).catch(() => false));
  return (await Promise.all(frames)).every(Boolean);
}

/**
 * What axe finds wrong on a page, by tags or by single rules. The legacy mode looks at frames of our own origin alone, and needs no second
 * page for each look; without the details of rules that hold, a look takes a third of the time.
 */
export async function axeFaults(page: Page, type: 'tag' | 'rule', values: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page, ...((await hasAxe(page)) && { axeSource: ';' }) }).options({
    runOnly: { type, values },
    resultTypes: ['violations'],
    pingWaitTime,
  });
  const { violations } = await axe.setLegacyMode().analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

/** Waits until nothing loads or moves any more. */
export async function settle(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
}

/** What axe finds wrong on a page of the console, in light and dark; and how far it is wider than the window. */
export async function looksOf(page: Page): Promise<{ faults: string[]; sideways: number }> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await settle(page);
  const light = await axeFaults(page, 'tag', ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await settle(page);
  const dark = await axeFaults(page, 'rule', ['color-contrast']);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return { faults: [...light, ...dark], sideways };
}

export const fine = { faults: [], sideways: 0 };
