import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readAccount } from '#shared/contract/account.ts';
import { newPaidActivation, openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

const root = join(import.meta.dirname, '..', '..');

test('a blocked customer reads since when and why on every page, in both languages', async ({ page, product }) => {
  const { customer, activationId } = await newPaidActivation(product);
  const { user } = await customer.send(readAccount, {});
  const octroi = (...words: string[]) =>
    promisify(execFile)(process.execPath, [join(root, 'build', 'octroi.js'), 'customers', ...words, '--yes'], {
      cwd: root,
      env: { ...process.env, DATA_DIR: product.dataDir },
    });
  await octroi('block', user.id, '--reason', 'Keys were sold to others');
  for (const path of ['/marketplace', `/activations/${activationId}/billing`, '/account']) {
    await openAs(page, customer, path);
    const notice = page.getByRole('main').getByRole('alert').filter({ hasText: 'Your account has been blocked since' });
    await expect(notice).toContainText('Reason: Keys were sold to others');
    await expect(notice.getByRole('link', { name: 'Write to support' })).toBeVisible();
  }
  await page.getByRole('tab', { name: 'Activity' }).click();
  await expect(page.getByRole('main').getByText('Account blocked', { exact: true })).toBeVisible();
  await page.evaluate(() => localStorage.setItem('language', 'hi'));
  await page.reload();
  await expect(page.getByRole('main').getByText('से रोका हुआ है')).toBeVisible();
  await octroi('unblock', user.id, '--reason', 'Cleared up');
  await page.reload();
  await expect(page.getByRole('main').getByText('खाते से रोक हटाई गई')).toBeVisible();
  await expect(page.getByRole('main').getByText('से रोका हुआ है')).toBeHidden();
});
