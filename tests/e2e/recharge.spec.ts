import { createApiKey } from '#shared/contract/api-keys.ts';
import { callApi } from './customer-calls.ts';
import { checkoutOf, goodCard, payByCard } from './customer.ts';
import { expect, test } from './product.ts';
import { newPaidActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';

test(
  'the warning of 80 % leads to a pack: paid in the checkout, it raises both quotas and ends the warning',
  { tag: onBoth },
  async ({ page, product }) => {
    // The plan of the test catalogue: 10 calls per day, 12 per cycle, and a pack of 20.
    const { customer, activationId } = await newPaidActivation(product, 'tiny');
    const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'calls' } });
    for (let done = 0; done < 10; done += 1) expect(await callApi(product, apiKey)).toBe(200);
    expect(await callApi(product, apiKey)).toBe(429);
    await openAs(page, customer, `/api/${activationId}`);
    const usage = page.getByRole('tabpanel', { name: 'My Usage' });
    const red = usage.getByText(
      "Your usage has exceeded 80%. If you don't recharge soon, your service may be interrupted.",
    );
    await expect(red.first()).toBeVisible();
    await usage.getByRole('link', { name: 'Recharge' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Recharge' });
    await expect(dialog.getByRole('radio', { name: 'Extra 20, 20 more, ₹25' })).toBeChecked();
    await dialog.getByRole('button', { name: 'Pay ₹25' }).click();
    await payByCard(checkoutOf(page), goodCard, '₹25');
    await expect(page.getByText('Extra 20: 20 more')).toBeVisible();

    expect(await callApi(product, apiKey)).toBe(200);
    await page.goto(`/api/${activationId}`);
    await expect(usage).toContainText(/11\s*\/ 30 requests/);
    await expect(usage).toContainText(/11\s*\/ 32 requests/);
    await expect(usage.getByText(/Your usage has exceeded/)).toHaveCount(0);
  },
);
