import { newPaidActivation, openAs } from './signed-in.ts';
import { sharedProduct } from './product.ts';
import { onPhone } from './tiers.ts';
import { expect, test } from './visitor.ts';

test(
  'an annual plan says its days where it is chosen, and its last day with the year where it runs and can be renewed',
  { tag: onPhone },
  async ({ page }) => {
    const { customer, activationId } = await newPaidActivation(sharedProduct(), 'yearly');
    await openAs(page, customer, '/marketplace/tax-lookup-api');
    const plan = page.getByRole('radio', { name: /Yearly/ });
    await expect(plan).toBeVisible();
    await expect(page.getByText('for 365 days').first()).toBeVisible();

    await page.goto(`/activations/${activationId}/billing`);
    await expect(page.getByText('364 days left after today')).toBeVisible();
    await expect(page.getByText(/Paid until \d+ \w+ \d{4}/)).toBeVisible();
    // In the bar of what is covered too: without its year, the last day would read as yesterday.
    await expect(page.locator('figure small').first()).toHaveText(/^to \d+ \w+ \d{4}$/);
    await page.getByRole('button', { name: 'Prepay next' }).first().click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(/\(365 days\)/).first()).toBeVisible();
    await page.keyboard.press('Escape');
    await page.goto('/billing');
    await expect(page.getByText(/\(365 days\)/).first()).toBeVisible();
    await expect(page.getByText('₹11,999').first()).toBeVisible();
  },
);
