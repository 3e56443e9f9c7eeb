import { listDocuments } from '#shared/contract/documents.ts';
import { readMonthPack } from '#shared/contract/month-pack.ts';
import { mailsTo } from './outbox.ts';
import { dayFromNow } from './days.ts';
import { newPaidActivation, openAs } from './signed-in.ts';
import { onPhone } from './tiers.ts';
import { expect, test } from './visitor.ts';

test('a month of documents is chosen and downloaded as one ZIP; a failed download shows an error', async ({
  page,
  product,
}) => {
  const { customer } = await newPaidActivation(product);
  const month = dayFromNow(0).slice(0, 7);
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

test(
  'on a phone last month’s papers are in the menu, two taps from any page',
  { tag: onPhone },
  async ({ page, product }) => {
    const { customer } = await newPaidActivation(product);
    const last = dayFromNow(-Number(dayFromNow(0).slice(8)));
    await page.route(`**${listDocuments.path}`, async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll(/"date":"[\d-]+"/g, `"date":"${last}"`);
      await route.fulfill({ response, body: text });
    });
    await openAs(page, customer, '/marketplace');
    await page.getByRole('button', { name: 'Open menu' }).tap();
    const asked = page.waitForRequest(`**${readMonthPack.path.replace(':month', last.slice(0, 7))}`);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /as ZIP$/ })
      .tap();
    await asked;
  },
);

test('an accountant is asked, confirms by the link in the mail, and stops the mails', async ({ page, product }) => {
  const { customer } = await newPaidActivation(product);
  const email = `ca.${customer.token.slice(0, 8).toLowerCase()}@books.example`;
  await openAs(page, customer, '/billing?view=documents');
  const panel = page.locator('section').filter({ hasText: 'Your accountant' });
  await panel.getByLabel('Your accountant’s e-mail address').fill('nobody');
  await panel.getByRole('button', { name: 'Send request' }).click();
  await expect(panel.getByText('Enter an e-mail address, such as accounts@example.com')).toBeVisible();
  await panel.getByLabel('Your accountant’s e-mail address').fill(email);
  await panel.getByRole('button', { name: 'Send request' }).click();
  await expect(panel.getByText('not confirmed yet')).toBeVisible();

  // Without an account, as the accountant has none.
  const context = await page.context().browser()?.newContext({ baseURL: product.portalUrl });
  const visit = await context?.newPage();
  if (!context || !visit) throw new Error('no browser');
  const [mail] = await mailsTo(visit, email);
  const link = /\/accountant\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  await visit.goto(link);
  await visit.getByRole('button', { name: 'Yes, send them' }).click();
  await expect(visit.getByRole('heading', { name: 'You get the documents', exact: true })).toBeVisible();
  await page.reload();
  await expect(panel.getByText('Gets your documents since')).toBeVisible();
  await visit.getByRole('button', { name: 'Stop these mails' }).click();
  await expect(visit.getByRole('heading', { name: 'No more mails' })).toBeVisible();
  await context.close();
  await page.reload();
  await expect(panel.getByLabel('Your accountant’s e-mail address')).toBeVisible();
});
