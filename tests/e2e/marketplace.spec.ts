import { activateProduct, listPlans, listProducts } from '#shared/contract/marketplace.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { newCustomer } from './customer-calls.ts';
import { intercept } from './failures.ts';
import { keepSession, newActivation, openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

const day = (days: number) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'Asia/Kolkata' })
    .format(Date.now() + days * 86_400_000)
    .replace('Sept', 'Sep');

test('without activations the marketplace shows Our Products, and a card leads to its product', async ({
  page,
  newcomer,
}) => {
  await openAs(page, newcomer, '/marketplace');
  await expect(page.getByRole('heading', { level: 1, name: 'Our Products' })).toBeVisible();
  await expect(page.getByText('My Activations')).toBeHidden();
  await expect(page.getByText('24/7 support').first()).toBeVisible();
  await expect(page.getByText('99.9% uptime').first()).toBeVisible();
  await page.getByRole('link', { name: /Invoicing System/ }).click();
  await expect(page).toHaveURL('/marketplace/invoicing-system');
});

test('with activations it shows My Activations with name, id, ACTIVATED, plan and status of the first cycle, then More For You', async ({
  page,
  visitor,
  bareVisitor,
}) => {
  await openAs(page, visitor.customer, '/marketplace');
  await expect(page.getByRole('heading', { level: 1, name: 'My Activations' })).toBeVisible();
  const card = page.getByRole('main').getByRole('link', { name: new RegExp(visitor.activationId) });
  for (const text of ['Tax Lookup API', visitor.activationId, 'ACTIVATED', 'Growth', 'PAID']) {
    await expect(card.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole('heading', { level: 2, name: 'More For You' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Invoicing System/ })).toBeVisible();
  await card.click();
  await expect(page).toHaveURL(`/activations/${visitor.activationId}`);
  await openAs(page, bareVisitor.customer, '/marketplace');
  await expect(page.getByRole('link', { name: new RegExp(bareVisitor.activationId) })).toBeVisible();
});

test('an unpaid cycle and a free one show their billing status', async ({ page, product }) => {
  const unpaid = await newActivation(product, 'starter');
  const free = await newActivation(product, 'free');
  for (const [{ customer, activationId }, status, said] of [
    [unpaid, 'PENDING', ['Calls are refused: no plan is running', '30 days from the day you pay']],
    [free, 'FREE', [/^Ends \d+ \w+( \d{4})?, 00:00 IST$/]],
  ] as const) {
    await openAs(page, customer, '/marketplace');
    const card = page.getByRole('main').getByRole('link', { name: new RegExp(activationId) });
    await expect(card.getByText(status, { exact: true })).toBeVisible();
    for (const text of said) await expect(card.getByText(text)).toBeVisible();
    await expect(card.getByText(/Calls are refused/)).toHaveCount(status === 'FREE' ? 0 : 1);
  }
});

for (const [id, name] of [
  ['tax-lookup-api', 'Tax Lookup API'],
  ['invoicing-system', 'Invoicing System'],
] as const)
  test(`${name} has a page with description, story, features and use cases`, async ({ page, newcomer }) => {
    await openAs(page, newcomer, `/marketplace/${id}`);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    const described = page.getByRole('main').getByText(id === 'tax-lookup-api' ? /Check any GSTIN/ : /Compute GST/);
    await expect(described.first()).toBeVisible();
    await expect(
      page.getByText(id === 'tax-lookup-api' ? /never\s+guessed/ : /with the\s+field of each error/).first(),
    ).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Features' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Use cases' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'API documentation' })).toHaveAttribute('href', `/reference/${id}`);
  });

test('products show the icons and pictures of the catalogue, or their initials', async ({ page, newcomer }) => {
  const dot =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const looks = [
    { name: 'Weather Radar API', mark: null, picture: null },
    { name: 'With an image', mark: { image: dot }, picture: { image: dot } },
    { name: 'With parts', mark: { icon: 'pin' }, picture: { parts: [{ text: '42', label: 'Answer' }] } },
  ];
  await page.route('**/backend/marketplace', async (route) => {
    const response = await route.fetch();
    const [first] = listProducts.reply.parse(await response.json());
    const json = looks.map((look, index) => ({ ...first, id: `product-${index}`, ...look }));
    await route.fulfill({ response, json });
  });
  await openAs(page, newcomer, '/marketplace');
  const card = (name: string) => page.getByRole('link', { name: new RegExp(`^(\\w+ )?${name}`) });
  await expect(card('Weather Radar API').locator('svg text')).toHaveText('WR');
  await expect(card('With an image').locator('img')).toHaveCount(1);
  await expect(card('With parts').getByText('Answer')).toBeVisible();
  await page.goto('/developers');
  await expect(page.locator('a[href="/marketplace/product-1"] img')).toHaveCount(1);
  await expect(page.locator('a[href="/marketplace/product-0"] svg text')).toHaveText('WR');
  await expect(page.locator('a[href="/marketplace/product-2"] svg path')).not.toHaveCount(0);
});

test('an unknown product leads back to the marketplace', async ({ page, newcomer }) => {
  await openAs(page, newcomer, '/marketplace/no-such-product');
  await expect(page).toHaveURL('/marketplace');
  await expect(page.getByRole('alert').getByText('Service not found')).toBeVisible();
});

test('a reference, or an activation, of a service that does not exist says so', async ({ page, product }) => {
  const customer = await newCustomer(product);
  await openAs(page, customer, '/reference/no-such-product');
  await expect(page.getByRole('heading', { name: 'Service not found' })).toBeVisible();
  await expect(page).toHaveURL('/reference/no-such-product');
  await page.goto('/marketplace/tax-lookup-api');
  const activating = await intercept(page, activateProduct);
  await activating.set('not_found');
  await page.getByRole('button', { name: 'Activate Now' }).click();
  await expect(page.getByRole('alert').getByText('Activation failed: Service not found')).toBeVisible();
});

test('the choice of a plan has a name', async ({ page, newcomer }) => {
  await openAs(page, newcomer, '/marketplace/invoicing-system');
  await expect(page.getByRole('radiogroup', { name: 'Plans' })).toBeVisible();
});

test('the API of the invoicing product is called GST Invoicing API', async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'free', 'invoicing-system');
  await openAs(page, customer, `/api/${activationId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'GST Invoicing API' })).toBeVisible();
});

test('plans are listed under {Category} Plans, free ones first, then by price, with the cycle they would start', async ({
  page,
  newcomer,
}) => {
  await openAs(page, newcomer, '/marketplace/invoicing-system');
  const plans = page.getByRole('complementary', { name: 'Plans' });
  await expect(plans.getByText('Standard Plans')).toBeVisible();
  await expect(plans.getByText('Quarterly Plans')).toBeVisible();
  const names = await plans.getByRole('radio').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  expect(names.map((name) => name?.split(' for ')[0])).toEqual([
    'Free, FREE',
    'Trial, FREE',
    'Starter, ₹499',
    'Growth, ₹1,499',
    'Scale, ₹4,999',
    'Growth 90, ₹4,199',
    'Scale 90, ₹13,999',
  ]);
  await plans.getByRole('radio', { name: /^Starter/ }).check({ force: true });
  await expect(plans.getByText(new RegExp(`– ${day(29)} \\(30 days\\)`))).toBeVisible();
  await expect(plans.getByText('₹422.88')).toBeVisible();
  await expect(plans.getByText('₹76.12')).toBeVisible();
  await plans.getByRole('radio', { name: /^Scale 90/ }).check({ force: true });
  await expect(plans.getByText(new RegExp(`– ${day(89)} \\(90 days\\)`))).toBeVisible();
  const activate = plans.getByRole('button', { name: 'Activate This Service' });
  await expect(activate).toContainText('Scale 90, ₹13,999 for 90 days');
  await expect(activate).toBeInViewport({ ratio: 1 });
  await expect(activate).toBeEnabled();
});

test('Activate Now is Checking..., then Activating..., and leads to the marketplace with the new activation', async ({
  page,
  product,
}) => {
  const customer = await newCustomer(product);
  await keepSession(page, customer.token);
  const checking = await intercept(page, listActivations);
  const activating = await intercept(page, activateProduct);
  await checking.set('hold');
  await activating.set('hold');
  await page.goto('/marketplace/tax-lookup-api');
  await expect(page.getByRole('button', { name: 'Checking...' })).toBeDisabled();
  await checking.set('through');
  await page.getByRole('button', { name: 'Activate Now' }).click();
  await expect(page.getByRole('button', { name: 'Activating...' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Activate This Service' })).toBeDisabled();
  await activating.set('through');
  await expect(page).toHaveURL('/marketplace');
  await expect(page.getByRole('heading', { level: 1, name: 'My Activations' })).toBeVisible();
});

test('an activated product cannot be activated again, and the banner says what to do', async ({ page, visitor }) => {
  await openAs(page, visitor.customer, '/marketplace/tax-lookup-api');
  await expect(page.getByRole('button', { name: 'Already Activated' })).toBeDisabled();
  const banner = page.getByRole('alert').filter({ hasText: 'Already Activated' });
  await expect(banner).toContainText('Delete the existing activation first');
  await expect(page.getByRole('button', { name: 'Activate This Service' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Prepay Growth, ₹1,499' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('radio', { name: /^Scale,/ }).click();
  await page.getByRole('link', { name: 'Prepay Scale, ₹4,999' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Subscription' });
  await expect(dialog.getByText('Scale', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('status')).toContainText('₹4,999');
  await page.goBack();
  await banner.getByRole('link', { name: 'Open activation' }).click();
  await expect(page).toHaveURL(`/activations/${visitor.activationId}`);
});

test('a failed activation shows its error', async ({ page, newcomer }) => {
  await keepSession(page, newcomer.token);
  const interception = await intercept(page, activateProduct);
  await interception.set('internal');
  await page.goto('/marketplace/tax-lookup-api');
  await page.getByRole('button', { name: 'Activate Now' }).click();
  await expect(page.getByRole('alert')).toContainText('Activation failed: Something failed on our side. Try again.');
  await expect(page.getByRole('button', { name: 'Activate Now' })).toBeEnabled();
});

test('the loser of an activation race sees the banner at once and no enabled button', async ({ page, product }) => {
  const customer = await newCustomer(product);
  await openAs(page, customer, '/marketplace/tax-lookup-api');
  await expect(page.getByText(/Starts Trial, free for 14 days/)).toBeVisible();
  await page.getByRole('radio', { name: /^Starter/ }).click();
  await customer.send(activateProduct, { params: { id: 'tax-lookup-api' } });
  await page.getByRole('button', { name: 'Activate This Service' }).click();
  await expect(page.getByText('Delete the existing activation first').last()).toBeVisible();
  await expect(page.getByRole('main').getByText('Already Activated').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Already Activated' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Activate This Service' })).toBeHidden();
});

test('Activate This Service leads through /dashboard to the new activation', async ({ page, product }) => {
  const customer = await newCustomer(product);
  await openAs(page, customer, '/marketplace/tax-lookup-api');
  await page.getByRole('radio', { name: /^Starter/ }).check({ force: true });
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  await page.getByRole('button', { name: 'Activate This Service' }).click();
  await expect(page).toHaveURL(/\/activations\/ACT-\w+$/);
  expect(visited).toContain('/dashboard');
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/activations\/ACT-\w+$/);
});

test('a product without plans says so', async ({ page, newcomer }) => {
  await keepSession(page, newcomer.token);
  // The catalogue rejects a product without plans, so the portal cannot send this response.
  await page.route(`**/backend${listPlans.path.replace(':productId', '*')}`, (route) => route.fulfill({ json: {} }));
  await page.goto('/marketplace/tax-lookup-api');
  await expect(page.getByText('No plans available for this service')).toBeVisible();
});

test('a product page and its reference show what is deprecated, and the page what changed', async ({
  page,
  newcomer,
}) => {
  await keepSession(page, newcomer.token);
  // No product that ships is deprecated.
  await page.route(`**/backend${listProducts.path}`, async (route) => {
    const response = await route.fetch();
    const products: object[] = await response.json();
    const deprecations = [
      { of: 'v1', since: '2026-11-01', sunset: '2027-05-01', note: 'Use v2.', link: 'https://example.com/v2' },
    ];
    const changelog = [{ on: '2026-11-20', text: 'Version 2 finds PIN codes.' }];
    await route.fulfill({ json: products.map((each) => ({ ...each, deprecations, changelog })) });
  });
  await page.goto('/marketplace/tax-lookup-api');
  const notice = page.getByRole('alert').filter({ hasText: 'v1 is deprecated' });
  await expect(notice).toContainText('Since 1 Nov 2026. It may stop on 1 May 2027. Use v2.');
  await expect(notice.getByRole('link')).toHaveAttribute('href', 'https://example.com/v2');
  await expect(page.getByText('Version 2 finds PIN codes.')).toBeVisible();
  await page.goto('/reference/tax-lookup-api');
  await expect(page.getByText('v1 is deprecated')).toBeVisible();
});
