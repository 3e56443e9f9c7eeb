import { readMonthPack } from '#contract/month-pack.ts';
import { newPaidActivation, openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

/** yyyy-mm in IST. */
const month = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(Date.now()).slice(0, 7);

test('a month of documents is chosen and downloaded as one ZIP; a failed download shows an error', async ({
  page,
  product,
}) => {
  const { customer } = await newPaidActivation(product);
  await openAs(page, customer, '/billing?view=documents');
  await page.getByLabel('Month').selectOption(month);
  await expect(page).toHaveURL(new RegExp(`month=${month}`));
  const button = page.getByRole('button', { name: 'Month as ZIP' });
  const download = page.waitForEvent('download');
  await button.click();
  expect((await download).suggestedFilename()).toBe(`documents-${month}.zip`);
  await page.route(`**${readMonthPack.path.replace(':month', month)}`, (route) =>
    route.fulfill({ status: 500, body: '' }),
  );
  await button.click();
  await expect(page.getByText('Failed to download the month. Please try again.')).toBeVisible();
});
