import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { Page } from '@playwright/test';
import { newCustomer } from './customer-calls.ts';
import { type Delivery, startReceiver } from './receiver.ts';
import { openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

/** Runs the samples of the page on a valid delivery and on a modified one. */
async function verdictsOfSamples(page: Page, secret: string, { headers, body }: Delivery): Promise<unknown[]> {
  const env = { PATH: process.env['PATH'], CASE: JSON.stringify({ headers, body, secret }) };
  const sample = async (language: string): Promise<string> => {
    await page.getByText(language, { exact: true }).click();
    return (await page.getByRole('region', { name: language }).textContent()) ?? '';
  };
  const script = `${await sample('JavaScript')}
    const { headers, body, secret } = JSON.parse(process.env.CASE);
    console.log(JSON.stringify([verify(headers, body, secret), verify(headers, body + ' ', secret)]));`;
  const python = `${await sample('Python')}
import json, os
case = json.loads(os.environ["CASE"])
print(json.dumps([verify(case["headers"], text.encode(), case["secret"]) for text in (case["body"], case["body"] + " ")]))
`;
  const runs = [
    spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' }),
    spawnSync('python3', ['-c', python], { env, encoding: 'utf8' }),
  ];
  // A machine without Python still runs the other one.
  return runs.filter(({ error }) => error === undefined).map(({ stdout }) => JSON.parse(stdout));
}

test('a webhook is added, a test event arrives with a valid signature, and its delivery is replayed', async ({
  page,
  product,
}) => {
  const receiver = await startReceiver();
  const customer = await newCustomer(product);
  await openAs(page, customer, '/developers');
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByLabel('Address').fill('https://10.0.0.1/hook');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect(dialog.getByText('Private network addresses are not allowed.')).toBeVisible();
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByRole('checkbox', { name: 'cycle.ending' }).uncheck();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const secret = (await dialog.getByLabel('Signing secret').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await expect(page.getByRole('heading', { level: 1, name: new URL(receiver.url).host })).toBeVisible();
  await expect(page.getByText(secret)).toBeHidden();
  await expect(page.getByText('No deliveries yet')).toBeVisible();
  await page.getByRole('button', { name: 'Send test' }).click();
  const first = await receiver.nth(0);
  await expect(page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered 200')).toBeVisible();

  await page.getByRole('button', { name: /^Details of webhook\.test/ }).click();
  const details = page.getByRole('dialog', { name: 'webhook.test' });
  await expect(details.getByText('received')).toBeVisible();
  await details.getByRole('button', { name: 'Replay' }).click();
  const second = await receiver.nth(1);
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(second.body).toBe(first.body);

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByRole('link', { name: receiver.url })).toBeVisible();
  const verdicts = await verdictsOfSamples(page, secret, first);
  expect(verdicts.length).toBeGreaterThan(0);
  for (const verdict of verdicts) expect(verdict).toEqual([true, false]);
  receiver.close();
});

test('a webhook that was added or changed is shown at once, also while the list of webhooks is slow', async ({
  page,
  product,
}) => {
  const receiver = await startReceiver();
  await openAs(page, await newCustomer(product), '/developers/webhooks');
  await expect(page.getByText('No webhooks yet')).toBeVisible();
  const gate = new EventEmitter();
  const opened = once(gate, 'opened');
  await page.route('**/backend/developers/webhooks', async (route) => {
    if (route.request().method() === 'GET') await opened;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const adding = page.getByRole('dialog', { name: 'Add webhook' });
  await adding.getByLabel('Address').fill(receiver.url);
  await adding.getByRole('button', { name: 'Add webhook' }).click();
  await adding.getByRole('button', { name: 'Done' }).click();
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect(page.getByRole('heading', { level: 1, name: new URL(receiver.url).host })).toBeVisible();

  await page.getByRole('button', { name: 'Edit' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit webhook' });
  await editing.getByLabel('Address').fill(`${receiver.url}/second`);
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(editing).toBeHidden();
  await breadcrumb.getByRole('link', { name: 'Webhooks' }).click();
  const row = page.getByRole('link', { name: `${receiver.url}/second` });
  await expect(row).toBeVisible();
  gate.emit('opened');
  await expect(row).toBeVisible();
  receiver.close();
});
