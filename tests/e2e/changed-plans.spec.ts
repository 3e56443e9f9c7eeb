import { checkoutOf, goodCard, payByCard } from './customer.ts';
import { octroi } from './operator.ts';
import { startProduct } from './product.ts';
import { keepSession, newActivation } from './signed-in.ts';
import { makeTestCatalog } from './test-catalog.ts';
import { expect, test } from './visitor.ts';

test('an unpaid subscription whose plan has changed says so before the click, can’t be paid, and is removed and added again at the new price', async ({
  page,
}) => {
  const folder = makeTestCatalog();
  const product = await startProduct({ CATALOG_DIR: folder });
  try {
    const catalog = (...words: string[]) => octroi(product, ['catalog', ...words], { CATALOG_DIR: folder });
    const { customer, activationId } = await newActivation(product, 'growth');
    const place = `${product.portalUrl}/activations/${activationId}/billing`;
    await keepSession(page, customer.token, product.portalUrl);
    await page.goto(place);
    const main = page.getByRole('main');
    const pay = main.getByRole('button', { name: /^Pay ₹/ });
    await expect(pay.first()).toHaveText('Pay ₹1,499');

    await catalog('set', 'tax-lookup-api', 'plans.growth.price=2999');
    await catalog('apply', '--reason', 'New prices', '--actor', 'asha', '--yes');
    // The page is still of before the change.
    await pay.first().click();
    const refused = page.getByRole('alert').filter({ hasText: 'has changed since you added it, so it can’t be paid' });
    await expect(refused).toBeVisible();
    const note = 'This plan has changed since you added it, and costs ₹2,999 today. Remove it and add it again.';
    await expect(main.getByText(note)).toBeVisible();
    await expect(pay).toHaveCount(0);

    await page.goto(`${product.portalUrl}/billing`);
    await expect(main.getByText('Changed, can’t be paid')).toBeVisible();
    await expect(pay).toHaveCount(0);
    await page.goto(`${product.portalUrl}/api/${activationId}`);
    await expect(main.getByRole('tab', { name: 'My Usage' })).toBeVisible();
    await expect(main.getByRole('button', { name: 'Complete Payment' })).toHaveCount(0);

    await page.goto(place);
    await page.evaluate(() => localStorage.setItem('language', 'hi'));
    await page.reload();
    await expect(main.getByText('आपके जोड़ने के बाद यह प्लान बदल गया है और आज इसकी क़ीमत ₹2,999 है।')).toBeVisible();
    await page.evaluate(() => localStorage.setItem('language', 'en'));
    await page.reload();

    await main.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(main.getByText(note)).toHaveCount(0);
    await main.getByRole('button', { name: 'Add Subscription' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^Growth,/ }).click();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await pay.first().click();
    await payByCard(checkoutOf(page), goodCard, '₹2,999');
    await expect(main.getByRole('heading', { name: 'Active Plan', exact: true })).toBeVisible();
  } finally {
    await product.remove();
  }
});
