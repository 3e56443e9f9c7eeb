import { type Activation, listActivations } from '#shared/contract/activations.ts';
import { openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

test('a new customer’s pages show empty states, and /dashboard leads to the marketplace', async ({
  page,
  newcomer,
}) => {
  await openAs(page, newcomer, '/billing');
  await expect(page.getByText('No billing history available')).toBeVisible();
  for (const path of ['/developers', '/reporting']) {
    await page.goto(path);
    await expect(page.getByText('No services activated yet')).toBeVisible();
  }
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/marketplace');
});

test('an activation without a cycle shows No Active Plans and offers Add Subscription', async ({
  page,
  bareVisitor: { customer, activationId },
}) => {
  await openAs(page, customer, `/activations/${activationId}/billing`);
  await expect(page.getByText('No Active Plans')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Subscription' })).toBeVisible();
  await page.goto(`/activations/${activationId}`);
  await expect(page.getByText('No Active Plans')).toBeVisible();
  for (const tab of ['usage', 'plan']) {
    await page.goto(`/api/${activationId}?tab=${tab}`);
    await expect(page.getByText('No Active Plans')).toBeVisible();
  }
});

test('an activation without keys says No API keys available', async ({
  page,
  bareVisitor: { customer, activationId },
}) => {
  await openAs(page, customer, `/api/${activationId}?tab=keys`);
  await expect(page.getByText('No API keys available')).toBeVisible();
  await page.goto(`/activations/${activationId}/developers`);
  await expect(page.getByRole('link', { name: /^API Keys/ })).toContainText('0 active keys');
});

for (const path of ['', '/billing', '/developers', '/reporting', '/support'])
  test(`/activations/{id}${path} with an unknown id is Activation not found`, async ({ page, visitor }) => {
    await openAs(page, visitor.customer, `/activations/ACT-NOBODYS${path}`);
    await expect(page.getByText('Activation not found')).toBeVisible();
    await page.getByRole('link', { name: 'Open Marketplace' }).click();
    await expect(page).toHaveURL('/marketplace');
  });

test('/api/{id} with an unknown id is Activation not found', async ({ page, visitor }) => {
  await openAs(page, visitor.customer, '/api/ACT-NOBODYS');
  await expect(page.getByText('Activation not found')).toBeVisible();
});

test('an activation whose product was removed from the catalogue is Unknown API and stays usable', async ({
  page,
  visitor,
}) => {
  // The catalogue is read only at the start, so the test changes the response to what a restarted portal would send.
  await page.route('**/backend/customer/activations', async (route) => {
    const reply = await route.fetch();
    const { activations } = listActivations.reply.parse(await reply.json());
    const service: Activation['service'] = {
      id: 'gone',
      name: 'Unknown API',
      mark: null,
      apiName: 'Unknown API',
      supportClaim: null,
      baseUrl: null,
      hasSandbox: false,
    };
    await route.fulfill({ response: reply, json: { activations: activations.map((each) => ({ ...each, service })) } });
  });
  await openAs(page, visitor.customer, `/api/${visitor.activationId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Unknown API' })).toBeVisible();
  await page.getByRole('tab', { name: 'Billing History' }).click();
  await expect(page.getByText('₹1,499').first()).toBeVisible();
  await page.goto(`/activations/${visitor.activationId}/developers`);
  await expect(page.getByRole('alert').getByText('Service not found')).toBeVisible();
});
