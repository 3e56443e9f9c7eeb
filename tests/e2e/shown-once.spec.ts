import type { Page } from '@playwright/test';
import { createApiKey, rotateApiKey } from '#shared/contract/api-keys.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { intercept } from './failures.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

async function openKeys(page: Page): Promise<void> {
  const main = page.getByRole('main');
  await main.getByRole('link', { name: /^Developer Portal/ }).click();
  await main.getByRole('link', { name: /^API Keys/ }).click();
}

/** Each makes something that is shown once, on a page that the browser's Back leads away from, and returns its label. */
const secrets: Record<string, (page: Page) => Promise<string>> = {
  'a new key': async (page) => {
    await openKeys(page);
    await page.getByRole('button', { name: 'Generate API Key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Generate API Key' });
    await dialog.getByLabel('Key name').fill('once');
    await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
    return 'API key';
  },
  'a replaced key': async (page) => {
    await openKeys(page);
    await page.getByRole('button', { name: 'Replace prod1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace at once' }).click();
    return 'API key';
  },
  'a signing secret': async (page) => {
    await page.goto('/developers');
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add webhook' });
    await dialog.getByLabel('Address').fill('https://1.1.1.1/hook');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    return 'Signing secret';
  },
  'a replaced signing secret': async (page) => {
    await page.goto('/developers/webhooks');
    await page
      .getByRole('main')
      .getByRole('link', { name: /1\.1\.1\.1/ })
      .click();
    await page.getByRole('button', { name: 'Roll secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll secret' }).click();
    return 'Signing secret';
  },
};

for (const [name, make] of Object.entries(secrets)) {
  test(
    `${name} is not lost by Back, Reload, closing the tab or a click beside it until it is copied`,
    { tag: onBoth },
    async ({ page, context, product }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const { customer, activationId } = await newActivation(product, 'free');
      await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'prod1' } });
      await customer.send(createWebhook, { body: { url: 'https://1.1.1.1/hook', events: ['cycle.ended'] } });
      await openAs(page, customer, `/activations/${activationId}`);
      const label = await make(page);
      const secret = page.getByLabel(label, { exact: true });
      await expect(secret).toBeVisible();
      const shown = (await secret.textContent()) ?? '';
      const question = page.getByRole('dialog', { name: 'Leave without copying?' });

      await page.goBack();
      await expect(question).toContainText("You haven't copied it yet");
      await page.keyboard.press('Escape');
      await expect(question).toBeHidden();
      await page.goBack();
      await question.getByRole('button', { name: 'Stay here' }).click();
      await expect(question).toBeHidden();

      for (const leave of [
        () => page.evaluate(() => setTimeout(() => window.location.reload())),
        () => page.close({ runBeforeUnload: true }),
      ]) {
        const asked = page.waitForEvent('dialog');
        await leave();
        const browserQuestion = await asked;
        expect(browserQuestion.type()).toBe('beforeunload');
        await browserQuestion.dismiss();
      }

      await page.mouse.click(4, 4);
      await expect(secret).toHaveText(shown);
      await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Done' })).toHaveAttribute(
        'data-variant',
        'filled',
      );
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
      await page.goBack();
      await expect(secret).toHaveCount(0);
      await expect(question).toHaveCount(0);
    },
  );
}

test('a key copied by its command or by hand counts as copied', async ({ page, context, product }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { customer, activationId } = await newActivation(product, 'free');
  for (const [keyName, copy] of [
    ['cmd', () => page.getByRole('button', { name: 'Copy command' }).click()],
    [
      'hand',
      async () => {
        await page.getByLabel('API key', { exact: true }).selectText();
        await page.keyboard.press('Control+c');
      },
    ],
  ] as const) {
    await openAs(page, customer, `/api/${activationId}?tab=keys`);
    await page.getByRole('button', { name: 'Generate API Key' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Generate API Key' });
    await dialog.getByLabel('Key name').fill(keyName);
    await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
    await expect(dialog.getByText(`${keyName} is ready`)).toBeVisible();
    await copy();
    await expect(dialog.getByRole('button', { name: 'Done' })).toHaveAttribute('data-variant', 'filled');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

test('a key that is being replaced is not lost by Escape or Back before it is shown', async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'free');
  await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'prod1' } });
  const rotating = await intercept(page, rotateApiKey);
  await openAs(page, customer, `/activations/${activationId}`);
  await openKeys(page);
  await page.getByRole('button', { name: 'Replace prod1' }).click();
  await rotating.set('hold');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace at once' }).click();
  const question = page.getByRole('dialog', { name: 'Leave before it is shown?' });
  await page.goBack();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(question).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(question).toBeVisible();
  await rotating.set('through');
  await expect(page.getByLabel('API key', { exact: true })).toBeVisible();
  await expect(question).toBeHidden();
  await expect(page.getByText('The old key has stopped.')).toBeVisible();
});
