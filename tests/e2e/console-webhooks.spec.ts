import { readAccount } from '#shared/contract/account.ts';
import { fine, looksOf } from './axe.ts';
import { newCustomer } from './customer-calls.ts';
import { addOperator, addPasskey, confirm, openAsOperator, test } from './operator.ts';
import { startReceiver } from './receiver.ts';
import { expect } from './visitor.ts';

test('an owner adds a webhook, a program hears of a new customer, and its delivery is read and sent again', async ({
  page,
  product,
}) => {
  const receiver = await startReceiver();
  const owner = await addOperator(product, 'owner');
  await openAsOperator(page, product, owner, '/');
  await addPasskey(page);
  await page.getByRole('link', { name: 'Tokens and webhooks' }).click();
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('https://10.0.0.1/hook');
  await expect(dialog.getByText('not on the public internet')).toBeVisible();
  await dialog.getByLabel('Address').fill(receiver.url);
  for (const event of ['quota.reached', 'cycle.ending']) await dialog.getByLabel(event).uncheck();
  const happened = await confirm(page, 'Add');
  await expect(happened).toContainText('whsec_');
  await dialog.getByRole('button', { name: 'Done' }).click();

  // Customers of other tests may be among the deliveries.
  const customer = await newCustomer(product);
  const { user } = await customer.send(readAccount, {});
  const sent = await receiver.nth(0, ({ body }) => body.includes(user.id));
  expect(JSON.parse(sent.body)).toMatchObject({ type: 'customer.created', data: { customerId: user.id } });
  expect(sent.body).not.toContain(customer.email);

  await page.getByRole('table', { name: 'Webhooks' }).getByRole('link', { name: receiver.url }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Webhook' })).toBeVisible();
  expect(await looksOf(page)).toEqual(fine);
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await expect(deliveries).toContainText('200', { timeout: 60_000 });
  await deliveries
    .getByRole('button', { name: /^Send: DLV-/ })
    .last()
    .click();
  await confirm(page, 'Send');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await receiver.repeated();

  await deliveries.getByRole('link', { name: 'customer.created' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'customer.created' })).toBeVisible();
  await expect(page.getByText('"customerId"')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Attempts' })).toContainText('received');
  expect(await looksOf(page)).toEqual(fine);
  receiver.close();
});
