import { createApiKey } from '#shared/contract/api-keys.ts';
import { createSupportThread, readSupportThread } from '#shared/contract/support.ts';
import { countClicks } from './clicks.ts';
import { callPath, newCustomer } from './customer-calls.ts';
import { openAsOperator, test } from './operator.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect } from './visitor.ts';

test(
  'a ticket about a failed call is answered with at most six clicks',
  { tag: onBoth },
  async ({ page, product, owner }) => {
    const { customer, activationId } = await newActivation(product, 'trial');
    const params = { activationId };
    const { apiKey } = await customer.send(createApiKey, { params, body: { keyName: 'prod' } });
    const { requestId } = await callPath(product, apiKey, 'nothing-here');
    const subject = `Why does it fail, ${customer.name}?`;
    const body = { subject, message: `This call failed: ${requestId}`, activationId };
    const { id } = await customer.send(createSupportThread, { body });
    await openAsOperator(page, product, owner, '/?kind=SUPPORT_THREAD');
    const clicks = await countClicks(page);
    await page.getByRole('row', { name: new RegExp(customer.name) }).click();
    await page.getByRole('link', { name: requestId }).click();
    const call = page.getByRole('region', { name: `Call ${requestId}` });
    await expect(call).toContainText('/nothing-here', { timeout: 60_000 });
    await expect(call).toContainText('404');
    await page.getByRole('textbox', { name: 'Reply' }).fill('There is no such path: see the reference.');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('The reply is sent')).toBeVisible();
    expect(await clicks()).toBeLessThanOrEqual(6);
    expect(await customer.send(readSupportThread, { params: { threadId: id } })).toMatchObject({ status: 'ANSWERED' });
  },
);

test('with the keyboard a thread is found, assigned, answered and closed', async ({ page, product, owner }) => {
  const { customer, activationId } = await newActivation(product, 'trial');
  const body = { subject: `By keyboard, ${customer.name}`, message: 'Hello', activationId };
  const { id } = await customer.send(createSupportThread, { body });
  await openAsOperator(page, product, owner, '/support?assigned=unassigned');
  await expect(page.getByRole('link', { name: body.subject })).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('table', { name: 'Threads' }).getByRole('link').first()).toBeFocused();
  await page.goto(`/operator/support/${id}`);
  await expect(page.getByText('Assigned to nobody')).toBeVisible();
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Assigned to')).toHaveValue(owner);
  await expect(dialog.getByLabel('Preview')).toBeVisible();
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Assign', exact: true }).press('Enter');
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`Assigned to ${owner}`)).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.getByRole('textbox', { name: 'Reply' })).toBeFocused();
  await page.keyboard.type('Hello!');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('The reply is sent')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('Hello!');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('e');
  await dialog.getByLabel('Reason').fill('Solved');
  await expect(dialog.getByLabel('Preview')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close thread' }).press('Enter');
  await expect(dialog.getByText('It is done')).toBeVisible();
  await page.goto('/operator/support?status=ALL&assigned=mine');
  await expect(page.getByRole('link', { name: body.subject })).toBeVisible();
});

test('whoever writes while a newer message arrives is told before it is sent', async ({ page, product, owner }) => {
  const { customer, activationId } = await newActivation(product, 'trial');
  const body = { subject: `At once, ${customer.name}`, message: 'Hello', activationId };
  const { id } = await customer.send(createSupportThread, { body });
  const other = await page.context().newPage();
  for (const each of [page, other]) await openAsOperator(each, product, owner, `/support/${id}`);
  await page.getByRole('textbox', { name: 'Reply' }).fill('First');
  await other.getByRole('textbox', { name: 'Reply' }).fill('Second');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('The reply is sent')).toBeVisible();
  await other.getByRole('button', { name: 'Send' }).click();
  await expect(other.getByText('There is a newer message', { exact: true })).toBeVisible();
  await expect(other.getByRole('list', { name: 'Messages' })).toContainText('First');
  await expect(other.getByRole('textbox', { name: 'Reply' })).toHaveValue('Second');
  await other.getByRole('button', { name: 'Send anyway' }).click();
  await expect(other.getByText('The reply is sent')).toBeVisible();
  const { messages } = await customer.send(readSupportThread, { params: { threadId: id } });
  expect(messages.map(({ message }) => message)).toEqual(['Hello', 'First', 'Second']);
});

test('a customer attaches a file, and both sides save it', { tag: onBoth }, async ({ page, product, owner }) => {
  const { customer, activationId } = await newActivation(product, 'trial');
  await openAs(page, customer, `/activations/${activationId}/support`);
  await page.getByLabel('Subject').fill(`A file of ${customer.name}`);
  await page.getByLabel('Message', { exact: true }).fill('See the file');
  const chooser = page.locator('input[type=file]');
  await chooser.setInputFiles({ name: 'run.exe', mimeType: 'text/plain', buffer: Buffer.from([0x4d, 0x5a, 0]) });
  await expect(page.getByText('These files can’t be sent')).toBeVisible();
  await chooser.setInputFiles({ name: 'calls.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') });
  await expect(page.getByRole('button', { name: 'Remove calls.csv' })).toBeVisible();
  await page.getByRole('button', { name: 'Send message' }).click();
  await page.getByRole('link', { name: new RegExp(`A file of ${customer.name}`) }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'calls.csv, 1 KB' }).click();
  expect((await saved).suggestedFilename()).toBe('calls.csv');
  await openAsOperator(page, product, owner, '/support');
  await page.getByRole('link', { name: new RegExp(`A file of ${customer.name}`) }).click();
  const byTeam = page.waitForEvent('download');
  await page.getByRole('button', { name: 'calls.csv, 1 KB' }).click();
  expect((await byTeam).suggestedFilename()).toBe('calls.csv');
});

test('a note is kept for operators alone, and a canned answer is filled in before it is sent', async ({
  page,
  product,
  owner,
}) => {
  const customer = await newCustomer(product);
  const body = { subject: `A note about ${customer.name}`, message: 'Hello', activationId: null };
  const { id } = await customer.send(createSupportThread, { body });
  await openAsOperator(page, product, owner, '/support');
  await page.getByRole('link', { name: 'Canned answers' }).click();
  const title = `Greeting ${customer.name}`;
  await page.getByRole('button', { name: 'Make an answer' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Answer').fill('Dear {{nmae}}, your plan is {{plan}}.');
  await expect(dialog.getByText('{{nmae}} is no variable')).toBeVisible();
  await dialog.getByLabel('Answer').fill('Dear {{name}}, your plan is {{plan}}.');
  await expect(dialog.getByLabel('Preview')).toBeVisible();
  await dialog.getByRole('button', { name: 'Make', exact: true }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.goto(`/operator/support/${id}`);
  await page.getByRole('button', { name: 'Add a note' }).click();
  await dialog.getByLabel('Note').fill('Asked by telephone too');
  await expect(dialog.getByLabel('Preview')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Asked by telephone too' })).toContainText(
    'only for operators',
  );
  await page.getByRole('combobox', { name: 'Insert an answer' }).selectOption(title);
  const reply = page.getByRole('textbox', { name: 'Reply' });
  await expect(reply).toHaveValue(`Dear ${customer.name}, your plan is {{plan}}.`);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('The reply still says {{plan}}')).toBeVisible();
  await reply.fill((await reply.inputValue()).replace('{{plan}}', 'Growth'));
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('The reply is sent')).toBeVisible();
  expect(JSON.stringify(await customer.send(readSupportThread, { params: { threadId: id } }))).not.toContain(
    'telephone',
  );
});
