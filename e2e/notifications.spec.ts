import { newCustomer } from './customer-calls.ts';
import { expect, test } from './product.ts';
import { openAs } from './signed-in.ts';
import { onPhone } from './tiers.ts';

test(
  'on a phone one notification stands at a time, a failure first, and the others follow',
  { tag: onPhone },
  async ({ page, product, isMobile }) => {
    test.skip(!isMobile, 'A large screen has room for several.');
    await page.addInitScript(() => {
      // Notifications stay for minutes instead of 5 seconds: a busy machine reaches them later.
      const start = window.setTimeout.bind(window);
      const setTimeout = (handler: () => void, ms?: number) => start(handler, ms === 5_000 ? 300_000 : ms);
      Object.assign(window, { setTimeout });
    });
    await openAs(page, await newCustomer(product), '/account');
    const place = page.locator('.mantine-Notifications-root');
    const [done, failed] = [place.getByRole('status'), place.getByRole('alert')];
    const choices = ['A plan is about to end', 'A payment failed', 'A refund has arrived'].map((name) =>
      page.getByRole('checkbox', { name }),
    );
    for (const choice of choices) {
      // By key: the pointer stays on the notification, which holds its time.
      await choice.press('Space');
      await expect(choice).not.toBeChecked();
      await expect(choice).toBeEnabled();
      await done.hover();
    }
    await expect(done).toHaveCount(1);

    await page.route('**/backend/account/mails', (route) => route.abort());
    await choices[0]?.press('Space');
    await expect(failed).toBeVisible();
    await expect(done).toHaveCount(0);
    await failed.getByRole('button').click();
    for (let left = 3; left > 0; left -= 1) {
      await expect(done).toHaveCount(1);
      await done.hover();
      await done.getByRole('button').click();
    }
    await expect(done).toHaveCount(0);
  },
);
