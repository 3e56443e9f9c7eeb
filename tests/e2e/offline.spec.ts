import { listProducts } from '#shared/contract/marketplace.ts';
import { changePerson, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

test('a page that was not loaded comes by itself when the connection is back, and the old one stays until then', async ({
  page,
  context,
  visitor,
}) => {
  await openAs(page, visitor.customer, `/activations/${visitor.activationId}`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Tax Lookup API');
  await context.setOffline(true);
  await page.getByRole('main').getByRole('link', { name: 'Request log', exact: true }).click();
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expect(heading).toHaveText('Tax Lookup API');
  await context.setOffline(false);
  await expect(heading).toHaveText('Request log');
  await expect(page.getByText('/v1/gstin').first()).toBeVisible();
});

test('code and data that a portal out of reach did not send come by themselves, the search included', async ({
  page,
  visitor,
  isMobile,
}) => {
  test.skip(isMobile, 'The search is opened by its keys.');
  const path = `/activations/${visitor.activationId}`;
  await openAs(page, visitor.customer, path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tax Lookup API');
  // The browser does not call that offline.
  const portal = new RegExp(`^${new URL(page.url()).origin}/`);
  await page.route(portal, (route) => route.abort());
  await page.keyboard.press('Control+k');
  await expect(page.getByText('The portal can’t be reached.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tax Lookup API');
  await page.unroute(portal);
  await expect(page.getByRole('textbox', { name: 'Search' })).toBeVisible();
  await expect(page.getByText('The portal can’t be reached.')).toBeHidden();
});

test('data that could not be loaded come by themselves once the portal responds again', async ({ page, visitor }) => {
  const products = new RegExp(`/backend${listProducts.path}$`);
  await page.route(products, (route) => route.abort());
  await openAs(page, visitor.customer, '/marketplace');
  const failed = page.getByRole('alert').getByText('Failed to load marketplace products');
  await expect(failed).toBeVisible();
  await page.unroute(products);
  await expect(page.getByText('More For You')).toBeVisible();
  await expect(failed).toBeHidden();
});

test(
  'a tab that slept through a Logout and the next sign-in shows nothing of the last customer when it is back',
  { tag: onBoth },
  async ({ page, context, visitor, newcomer }) => {
    await openAs(page, visitor.customer, '/account');
    await expect(page.getByRole('main').getByText(visitor.customer.email)).toBeVisible();
    await context.setOffline(true);
    // In this tab itself, so that it learns of it by no event.
    await changePerson(page, newcomer.token);
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await expect(page.getByText(visitor.customer.email)).toHaveCount(0);
    await context.setOffline(false);
  },
);
