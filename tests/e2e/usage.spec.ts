import { deleteActivation } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { callApi } from './customer-calls.ts';
import { newActivation, newPaidActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

test('calls of the API bring a yellow warning from 60 % of a quota on, and a red one from 80 %', async ({
  page,
  product,
}) => {
  // The plan of the test catalogue: 10 calls per day, 12 per cycle.
  const { customer, activationId } = await newPaidActivation(product, 'tiny');
  const params = { activationId };
  const { apiKey } = await customer.send(createApiKey, { params, body: { keyName: 'calls' } });
  const call = async (times: number) => {
    for (let done = 0; done < times; done += 1) expect(await callApi(product, apiKey)).toBe(200);
  };
  await openAs(page, customer, `/api/${activationId}`);
  const usage = page.getByRole('tabpanel', { name: 'My Usage' });
  const yellow = (quota: string) => usage.getByText(`Your usage has exceeded 60% of your ${quota} quota.`);
  const red = usage.getByText(
    "Your usage has exceeded 80%. If you don't recharge soon, your service may be interrupted.",
  );
  await call(5);
  await expect(usage).toContainText(/5\s*\/ 10 requests/);
  await expect(usage.getByText(/Your usage has exceeded/)).toHaveCount(0);
  await call(1);
  await expect(yellow('daily')).toBeVisible();
  await expect(yellow('monthly')).toBeHidden();
  await call(2);
  await expect(red).toBeVisible();
  await expect(yellow('monthly')).toBeVisible();
  await expect(yellow('daily')).toBeHidden();
  await expect(usage.getByText(/Calls are refused/)).toHaveCount(0);
  await call(2);
  await expect(usage.getByText('Calls are refused until 00:00 IST')).toBeVisible();
  await page.goto(`/activations/${activationId}`);
  await expect(page.getByText(/Your usage has exceeded 80%/).first()).toBeVisible();
  await expect(page.getByText('Calls are refused until 00:00 IST').first()).toBeVisible();
  await page.goto('/marketplace');
  await expect(page.getByText('Calls are refused until 00:00 IST')).toBeVisible();
});

test('the chart’s axis has ticks at 20 % steps of the daily limit', async ({ page, visitor }) => {
  await openAs(page, visitor.customer, `/api/${visitor.activationId}`);
  await page.getByRole('figure').scrollIntoViewIfNeeded();
  const ticks = page.locator('.recharts-yAxis-tick-labels text');
  await expect(ticks).toHaveText(['0', '1,000', '2,000', '3,000', '4,000', '5,000']);
});

test('used, limit and plan are shown with Indian grouping', async ({ page, visitor }) => {
  await openAs(page, visitor.customer, `/api/${visitor.activationId}`);
  const usage = page.getByRole('tabpanel', { name: 'My Usage' });
  await expect(usage).toContainText(/3\s*\/ 5,000 requests/);
  await expect(usage).toContainText(/3\s*\/ 1,00,000 requests/);
  await expect(usage).toContainText(/Growth, ₹1,499, \d+ \w+( \d+)? – \d+ \w+ \d+ \(30 days\)/);
});

test('a free plan shows FREE, and days of today read Today', async ({ page, product, visitor }) => {
  const { customer, activationId } = await newActivation(product, 'free');
  await openAs(page, customer, `/activations/${activationId}/billing`);
  await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
  await expect(page.getByRole('main').getByText('FREE').first()).toBeVisible();
  await openAs(page, visitor.customer, `/api/${visitor.activationId}?tab=billing`);
  await expect(page.getByRole('tabpanel').getByText('Today').first()).toBeVisible();
});

test('the API page has five tabs, and the URL keeps the current one', async ({ page, visitor }) => {
  await openAs(page, visitor.customer, `/api/${visitor.activationId}`);
  await expect(page.getByRole('tab')).toHaveText([
    /^My Usage/,
    /^API Keys/,
    /^Billing History/,
    /^My Plan/,
    /^Deactivate/,
  ]);
  await page.getByRole('tab', { name: 'My Plan' }).click();
  await expect(page).toHaveURL(/\?tab=plan$/);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'My Plan' })).toHaveAttribute('aria-selected', 'true');
});

test('the Deactivate tab shows what ends, asks for confirmation, and deletes the activation', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newPaidActivation(product, 'starter');
  await openAs(page, customer, `/api/${activationId}?tab=deactivate`);
  await page.getByRole('button', { name: 'Delete activation' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this activation?' });
  await expect(dialog).toContainText(activationId);
  await dialog.getByRole('button', { name: 'Delete activation' }).click();
  await expect(page).toHaveURL('/marketplace');
  await expect(page.getByRole('heading', { level: 1, name: 'Our Products' })).toBeVisible();
});

test(
  'the Billing Portal keeps the history, totals, refunds and invoices of a deleted activation',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, activationId } = await newPaidActivation(product, 'growth');
    const [running] = await customer.send(listHistory, { params: { id: activationId } });
    const startDate = running?.toDate ?? '';
    const next = await customer.send(addCycle, { params: { activationId, planId: 'starter' }, body: { startDate } });
    await customer.pay(next.billingCycleId ?? '');
    await customer.send(deleteActivation, { params: { activationId } });
    await openAs(page, customer, '/billing');
    const row = page.getByRole('row').filter({ hasText: '₹1,499' });
    await expect(row).toContainText(activationId);
    await expect(row).toContainText(/Deleted \d+ \w{3} \d{4}/);
    await expect(page.getByRole('row').filter({ hasText: '₹499' })).toContainText(/₹499(\.00)? refund/);
    await expect(page.getByText(/^Paid in \d{4}$/).locator('..')).toContainText('₹1,499');
    await page.getByLabel('Activation', { exact: true }).selectOption(activationId);
    const downloads = page.waitForEvent('download');
    await row.getByRole('button', { name: /invoice/i }).click();
    expect((await downloads).suggestedFilename()).toMatch(/^invoice-.+\.pdf$/);
  },
);
