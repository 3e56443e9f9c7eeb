import { readFileSync } from 'node:fs';
import { axeFaults, settle } from './axe.ts';
import { sellInLastMonth } from './last-month.ts';
import { addOperator, addPasskey, openAsOperator, test } from './operator.ts';
import { Presses } from './presses.ts';
import { startProduct } from './product.ts';
import { expect } from './visitor.ts';

const downloads = [
  { step: 'GSTR-1', file: /^gstr1-.+\.zip$/, has: 'gstr1-all.json' },
  { step: 'GSTR-3B', file: /^gstr3b-.+\.zip$/, has: 'gstr3b.json' },
  { step: 'Registers and files for Tally', file: /^books-.+\.zip$/, has: 'tally-vouchers.xml' },
  { step: 'Pack for the accountant', file: /^month-.+\.zip$/, has: 'accounts/sales-register.csv' },
];

test('a month is closed in the console with at most 11 clicks, from the settlements to the lock', async ({
  browser,
}) => {
  test.slow();
  // Its clock is moved, which nobody else may notice.
  const own = await startProduct();
  const context = await browser.newContext({ baseURL: own.portalUrl });
  const page = await context.newPage();
  try {
    await sellInLastMonth(own);
    await openAsOperator(page, own, await addOperator(own, 'finance'), '/');
    await addPasskey(page);

    const presses = new Presses();
    await presses.click(page.getByRole('link', { name: 'Month end' }));
    const rowOf = (step: string) =>
      page.getByRole('table', { name: 'Steps' }).getByRole('row').filter({ hasText: step });
    const lock = page.getByRole('button', { name: /^Lock: / });
    await expect(rowOf('GSTR-1').filter({ hasText: 'To do' })).toContainText('Not asked for yet');
    await settle(page);
    expect(await axeFaults(page, 'tag', ['wcag2a', 'wcag2aa'])).toEqual([]);

    await presses.click(lock);
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText("isn't ready");
    await expect(dialog).toContainText('GSTR3B: Not asked for yet');
    await presses.click(dialog.getByRole('button', { name: 'Cancel' }));

    for (const { step, file, has } of downloads) {
      const download = page.waitForEvent('download');
      await presses.click(page.getByRole('button', { name: `Download: ${step}` }));
      const zip = await download;
      expect(zip.suggestedFilename()).toMatch(file);
      // Names stand in a ZIP as they are.
      expect(readFileSync(await zip.path()).toString('latin1')).toContain(has);
      await expect(rowOf(step).filter({ hasText: 'Done' })).toContainText('the figures are still the same');
    }

    await presses.click(lock);
    for (const tick of await dialog.getByRole('checkbox').all()) await presses.click(tick);
    await expect(dialog.getByLabel('Preview')).toContainText('Locked');
    await dialog.getByLabel('Reason').fill('GSTR-1 and GSTR-3B are filed');
    await presses.click(dialog.getByRole('button', { name: 'Lock', exact: true }));
    await expect(dialog.getByText('It is done')).toBeVisible();
    await presses.click(dialog.getByRole('button', { name: 'Done' }));
    await expect(rowOf('Locked: GSTR-1 and GSTR-3B are filed').filter({ hasText: 'Done' })).toContainText('finance.');
    await expect(page.getByRole('button', { name: /^Open again: / })).toBeVisible();
    expect(presses.count).toBeLessThanOrEqual(11);
  } finally {
    await context.close();
    await own.remove();
  }
});

test('a file that breaks off is not saved, and the page says what came', async ({ page, product, owner }) => {
  await openAsOperator(page, product, owner, '/month-end');
  let saved = 0;
  page.on('download', () => (saved += 1));
  await page.route('**/operator/files/exportBooks?*', (route) => route.abort('connectionreset'));
  await page.getByRole('button', { name: 'Download: Registers and files for Tally' }).click();
  await expect(page.getByText('Registers and files for Tally could not be downloaded')).toBeVisible();
  await page.unroute('**/operator/files/exportBooks?*');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download: Registers and files for Tally' }).click();
  await download;
  expect(saved).toBe(1);
});
