import { createApiKey } from '#shared/contract/api-keys.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { listRequests } from '#shared/contract/request-log.ts';
import { callPath } from './customer-calls.ts';
import { newPaidActivation, openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

test('the header has PORTAL, the Marketplace link, picture, name, e-mail and Logout', async ({
  page,
  visitor,
  isMobile,
}) => {
  await openAs(page, visitor.customer, '/billing');
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'PORTAL', exact: true })).toBeVisible();
  await expect(header.getByRole('link', { name: `Account of ${visitor.customer.name}` })).toBeVisible();
  await expect(
    header
      .getByRole('link', { name: /^Account/ })
      .locator('img, svg, .mantine-Avatar-root')
      .first(),
  ).toBeVisible();
  if (isMobile) await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = isMobile ? page.getByRole('dialog') : header;
  await expect(menu.getByText(visitor.customer.name)).toBeVisible();
  await expect(menu.getByText(visitor.customer.email)).toBeVisible();
  await expect(menu.getByRole('button', { name: 'Logout' })).toBeVisible();
  await menu.getByRole('link', { name: 'Marketplace' }).click();
  await expect(page).toHaveURL('/marketplace');
});

const crumbs: [string, string[]][] = [
  ['/marketplace', ['Home', 'Marketplace']],
  ['/marketplace/tax-lookup', ['Home', 'Marketplace', 'Tax Lookup API']],
  ['/activations/:id', ['Home', ':id']],
  ['/activations/:id/billing', ['Home', ':id', 'Billing']],
  ['/activations/:id/support', ['Home', ':id', 'Support Portal']],
  ['/activations/:id/requests', ['Home', ':id', 'Developer Portal', 'Request log']],
  ['/api/:id', ['Home', 'Developer Portal', ':id']],
  ['/developers', ['Home', 'Developer Portal']],
  ['/billing', ['Home', 'Billing']],
];

test('the breadcrumb bar shows the path to each page, activations by their id', async ({ page, visitor, isMobile }) => {
  await openAs(page, visitor.customer, '/marketplace');
  for (const [path, names] of crumbs) {
    await page.goto(path.replace(':id', visitor.activationId));
    const bar = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
    // A phone has room for two.
    const shown = isMobile ? names.slice(-2) : names;
    await expect(bar).toHaveText(shown.map((name) => name.replace(':id', visitor.activationId)));
    await expect(page.getByRole('button', { name: 'Back', exact: true })).toBeVisible();
  }
});

test('Back leads to the previous page, and from a first page to its parent', async ({ page, visitor }) => {
  await openAs(page, visitor.customer, `/activations/${visitor.activationId}/billing`);
  await page.getByRole('link', { name: 'PORTAL', exact: true }).click();
  await expect(page).toHaveURL('/marketplace');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL(`/activations/${visitor.activationId}/billing`);
  // A page that was opened directly has no history in the portal.
  const opened = await page.context().newPage();
  await opened.goto(`/activations/${visitor.activationId}/billing`);
  await opened.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(opened).toHaveURL(`/activations/${visitor.activationId}`);
});

test('an unknown address is a page not found', async ({ page, visitor }) => {
  await openAs(page, visitor.customer, '/nowhere/at/all');
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Open Marketplace' }).click();
  await expect(page).toHaveURL('/marketplace');
});

test('the dashboard of an activation has three cards, which lead below it, and none to the marketplace', async ({
  page,
  visitor: { customer, activationId },
}) => {
  const main = page.getByRole('main');
  for (const [name, path] of [
    ['Subscriptions & Billing', 'billing'],
    ['Developer Portal', 'developers'],
    ['Support & Help', 'support'],
  ] as const) {
    await openAs(page, customer, `/activations/${activationId}`);
    await expect(main.getByRole('link', { name: /Marketplace/ })).toHaveCount(0);
    await main.getByRole('link', { name: new RegExp(`^${name}`) }).click();
    await expect(page).toHaveURL(`/activations/${activationId}/${path}`);
  }
});

test('the dashboard of an activation leads to all its pages, whose headings end their breadcrumbs', async ({
  page,
  visitor: { customer, activationId },
}) => {
  const main = page.getByRole('main');
  const here = page.getByRole('navigation', { name: 'Breadcrumb' }).locator('[aria-current=page]');
  const ways: { links: RegExp[]; path: string; heading: string; crumb: string }[] = [
    { links: [/^Subscriptions & Billing/], path: 'billing', heading: 'Manage Subscriptions', crumb: 'Billing' },
    { links: [/^Developer Portal/], path: 'developers', heading: 'Developer Portal', crumb: 'Developer Portal' },
    { links: [/^Request log/], path: 'requests', heading: 'Request log', crumb: 'Request log' },
    { links: [/^Developer Portal/, /^Request log/], path: 'requests', heading: 'Request log', crumb: 'Request log' },
    { links: [/^Developer Portal/, /^Reporting/], path: 'reporting', heading: 'Reporting Portal', crumb: 'Reporting' },
    { links: [/^Today/, /^Reporting/], path: 'reporting', heading: 'Reporting Portal', crumb: 'Reporting' },
    { links: [/^Support & Help/], path: 'support', heading: 'Support Portal', crumb: 'Support Portal' },
  ];
  for (const { links, path, heading, crumb } of ways) {
    await openAs(page, customer, `/activations/${activationId}`);
    for (const name of links) await main.getByRole('link', { name }).click();
    await expect(page).toHaveURL(`/activations/${activationId}/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(here).toHaveText(crumb);
  }
  for (const [links, tab] of [
    [[/^Today/], 'My Usage'],
    [[/^Plan/], 'My Plan'],
    [[/^Developer Portal/, /^API Keys/], 'API Keys'],
  ] as const) {
    await openAs(page, customer, `/activations/${activationId}`);
    for (const name of links) await main.getByRole('link', { name }).click();
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page).toHaveURL(`/activations/${activationId}`);
  }
  await page.goto('/activations/ACT-NONE');
  await expect(page.getByText('Activation not found')).toBeVisible();
});

test('the Developer Portal lists Activated and Marketplace services, which lead to their pages', async ({
  page,
  visitor: { customer, activationId },
}) => {
  const main = page.getByRole('main');
  await openAs(page, customer, '/developers');
  await expect(main.getByRole('heading', { name: 'Activated' })).toBeVisible();
  await expect(main.getByRole('heading', { name: 'Marketplace' })).toBeVisible();
  await main.getByRole('link', { name: new RegExp(activationId) }).click();
  await expect(page).toHaveURL(`/api/${activationId}`);
  await page.goBack();
  await main.getByRole('link', { name: /^Invoicing System/ }).click();
  await expect(page).toHaveURL('/marketplace/invoicing-system');
});

test('the page’s own inline script runs, and no other', async ({ page, visitor, consoleErrors }) => {
  await openAs(page, visitor.customer, '/marketplace');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])).toBe('light');
  const refused = await page.evaluate(async () => {
    const violation = new Promise<string>((resolve) =>
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective)),
    );
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over";';
    document.head.append(script);
    return { directive: await violation, title: document.title };
  });
  expect(refused.directive).toBe('script-src-elem');
  expect(refused.title).not.toBe('taken over');
  expect(consoleErrors.splice(0)).toEqual([expect.stringContaining('Executing inline script violates')]);
});

test('the search finds invoice numbers, keys and request ids, and rotate, download and hindi', async ({
  page,
  product,
  isMobile,
}) => {
  test.skip(isMobile, 'The search is opened by its keys.');
  const { customer, activationId } = await newPaidActivation(product);
  const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'prod1' } });
  const { requestId } = await callPath(product, apiKey, 'hsn/8471');
  const documents = async () => (await customer.send(listDocuments, {})).documents;
  await expect.poll(async () => (await documents()).length).toBeGreaterThan(0);
  const [invoice] = await documents();
  await expect
    .poll(
      async () => (await customer.send(listRequests, { params: { activationId }, query: { q: requestId } })).requests,
    )
    .toHaveLength(1);

  await openAs(page, customer, '/marketplace');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const find = async (words: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search' }).fill(words);
  };
  for (const [words, hit] of [
    ['rotate', 'API keys of Tax Lookup API'],
    ['download', 'Billing'],
    ['hindi', 'View in Hindi'],
    ['prod1', 'prod1'],
  ]) {
    await find(words ?? '');
    await expect(
      page
        .getByRole('dialog')
        .getByText(hit ?? '')
        .first(),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await find(invoice?.number ?? '');
  await expect(
    page
      .getByRole('dialog')
      .getByText(invoice?.number ?? '')
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/view=documents/);
  await expect(page.getByRole('row').filter({ hasText: invoice?.number ?? '' })).toBeVisible();
  await find(requestId);
  await page
    .getByRole('dialog')
    .getByText(/^200 · GET/)
    .click();
  await expect(page.getByRole('dialog', { name: 'Request' })).toContainText('The API responded.');
});

test('after a navigation the heading of the new page has the focus', async ({ page, visitor }) => {
  const id = visitor.activationId;
  await openAs(page, visitor.customer, '/marketplace');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await expect(heading('My Activations')).toBeVisible();
  await page.getByRole('main').locator(`a[href="/activations/${id}"]`).first().press('Enter');
  await expect(heading('Tax Lookup API')).toBeFocused();
  for (const [link, name] of [
    ['Subscriptions & Billing', 'Manage Subscriptions'],
    ['Developer Portal', 'Developer Portal'],
    ['Today', 'Tax Lookup API'],
  ] as const) {
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^${link}`) })
      .press('Enter');
    await expect(heading(name)).toBeFocused();
    await page.goBack();
    await expect(heading('Tax Lookup API')).toBeFocused();
  }
  await page.goForward();
  await expect(heading('Tax Lookup API')).toBeFocused();
  // A tab of the page is no navigation.
  await page.getByRole('tab', { name: 'My Plan' }).click();
  await expect(page.getByRole('tab', { name: 'My Plan' })).toBeFocused();
});

test('the code of a page is loaded when the focus comes to its link', async ({ page, visitor, isMobile }) => {
  test.skip(isMobile, 'The links of a phone are in its menu.');
  await openAs(page, visitor.customer, '/marketplace');
  const loads = page.waitForRequest(/\/assets\/reporting-page-/);
  await page.getByRole('link', { name: 'Reporting' }).focus();
  await loads;
});
