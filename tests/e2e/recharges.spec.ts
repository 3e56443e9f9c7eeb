import { randomBytes } from 'node:crypto';
import { listActivations } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
import { readUsage } from '#shared/contract/usage.ts';
import { giveProfile, signInCustomer } from '#ship/demo/portal-customer.ts';
import { fine, looksOf } from './axe.ts';
import { callApi, whenInEffect } from './customer-calls.ts';
import { octroi } from './operator.ts';
import { mailsTo } from './outbox.ts';
import { passDays, passDaysOf } from './product-clock.ts';
import { expect, type Product, startProduct, test } from './product.ts';
import { keepSession } from './signed-in.ts';
import { makeTestCatalog } from './test-catalog.ts';
import { onBoth } from './tiers.ts';

let own: Product;
test.beforeAll(async () => {
  const CATALOG_DIR = makeTestCatalog();
  own = await startProduct({ CATALOG_DIR });
  const packs = JSON.stringify([{ id: 'extra', name: 'Extra 40', units: 40, price: 99 }]);
  const terms = ['monthlyQuota=40', 'dailyQuota=40', `packs=${packs}`].map((each) => `plans.growth.${each}`);
  await octroi(own, ['catalog', 'set', 'tax-lookup-api', ...terms], { CATALOG_DIR });
  await octroi(own, ['catalog', 'apply', '--reason', 'Packs', '--actor', 'asha', '--yes'], { CATALOG_DIR });
});
test.afterAll(() => own.remove());

test(
  'units that run out are recharged by mandate: agreed to with a ceiling, told by mail, debited and added, skipped the next time, turned off',
  { tag: onBoth },
  async ({ browser }) => {
    test.slow();
    const sub = randomBytes(6).toString('hex');
    const person = { claims: { sub, name: `Ravi ${sub}`, email: `${sub}@example.com` } };
    const context = await browser.newContext({ baseURL: own.portalUrl });
    const tab = await context.newPage();
    // From one in the morning in India on: the clock stops at each midnight, where a day’s use of a plan this young would look like a burst.
    const hourOfDay = (Date.now() / 3_600_000 + 5.5) % 24;
    await passDays(own, (24 - hourOfDay + 1) / 24);
    let customer = await signInCustomer(own, person);
    await giveProfile(customer);
    const plan = { serviceId: 'tax-lookup-api', planId: 'growth' };
    const { activationId, billingCycleId } = await customer.send(activateService, { body: plan });
    const params = { activationId };
    const body = { billingCycleIds: [billingCycleId ?? ''], renewal: { pinEachTime: false } };
    const { orderId, mandate } = await customer.send(createOrderOfPeriods, { params, body });
    const payment = { method: 'upi', customer_id: mandate?.customerId };
    await customer.payOrder(orderId, payment);
    await expect
      .poll(async () => (await customer.send(listActivations, {})).activations[0]?.billingCycles[0]?.status)
      .toBe('PAID');
    const key = await customer.send(createApiKey, { params, body: { keyName: 'kept' } });
    await whenInEffect(key);
    await keepSession(tab, customer.token);
    const billing = `/activations/${activationId}/billing`;
    const recharge = tab
      .locator('section')
      .filter({ has: tab.getByRole('heading', { name: 'Automatic recharge', exact: true }) });
    const reads = (text: RegExp) =>
      expect(async () => {
        await tab.goto(billing);
        await expect(recharge.getByText(text)).toBeVisible({ timeout: 5000 });
      }).toPass();
    const used = async () => (await customer.send(readUsage, { params })).insights.monthlyUse.quotaUsed;
    const use = async (calls: number) => {
      const before = await used();
      for (let call = 0; call < calls; call += 1) expect(await callApi(own, key.apiKey)).toBe(200);
      await expect.poll(used).toBe(before + calls);
    };
    const pass = async (days: number) => {
      customer = await passDaysOf(own, tab, person, days);
    };
    const mails = () => mailsTo(tab, person.claims.email);
    const linksToSkip = async () =>
      (await mails()).flatMap(({ text }) => /\/activations\/[A-Z0-9-]+\/billing\?skipRecharge=\d+/.exec(text) ?? []);

    await expect(async () => {
      await tab.goto(billing);
      await expect(recharge.getByRole('button', { name: 'Set up' })).toBeVisible({ timeout: 5000 });
    }).toPass();
    await recharge.getByRole('button', { name: 'Set up' }).click();
    const form = tab.getByRole('dialog', { name: 'Automatic recharge' });
    await expect(form.getByText(/at most ₹198 in a calendar month/)).toBeVisible();
    await form.getByLabel('At most in a calendar month (₹)').fill('50');
    await form.getByRole('button', { name: 'Agree' }).click();
    await expect(form.getByText(/ in a calendar month\./)).toHaveCount(0);
    await expect(form.getByText('Enter at least the price of the pack.')).toBeVisible();
    expect(await looksOf(tab)).toEqual(fine);
    await form.getByLabel('At most in a calendar month (₹)').fill('500');
    await form.getByRole('button', { name: 'Agree' }).click();
    await expect(recharge.getByText('₹500 in a calendar month')).toBeVisible();

    // A quarter of the units in a day.
    await use(10);
    await pass(1.05);
    await expect.poll(linksToSkip).toHaveLength(1);
    await reads(/^₹99, from .* on if you go on as now/);
    expect(await looksOf(tab)).toEqual(fine);
    // Late enough that the units still last for two days at the pace of both, whenever that is looked at.
    await pass(0.9);
    await use(10);
    await pass(0.15);
    await reads(/^₹99 was asked for on/);
    await pass(1.2);
    await expect(async () => {
      await tab.goto(billing);
      await expect(tab.getByText('Extra 40: 40 more')).toBeVisible({ timeout: 5000 });
    }).toPass();
    await use(20);
    await expect.poll(linksToSkip).toHaveLength(2);
    await tab.goto((await linksToSkip()).find((link) => link.endsWith('=80')) ?? '');
    const dialog = tab.getByRole('dialog', { name: 'Skip this debit?' });
    await expect(dialog.getByText(/₹99 would be debited from/)).toBeVisible();
    expect(await looksOf(tab)).toEqual(fine);
    await dialog.getByRole('button', { name: 'Skip this debit' }).click();
    await expect(recharge.getByText(/You skipped the debit for these units/)).toBeVisible();

    await recharge.getByRole('button', { name: 'Turn recharge off' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Turn recharge off' }).click();
    await expect(recharge.getByRole('button', { name: 'Set up' })).toBeVisible();
    await context.close();
  },
);
