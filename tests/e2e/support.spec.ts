import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { createSupportThread, readSupportThread, replyToSupport } from '#shared/contract/support.ts';
import { signOut } from '#shared/contract/account.ts';
import { signInCustomer } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { intercept } from './failures.ts';
import type { ProductPlace } from './product.ts';
import { newActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

/** The operator replies with the real command. */
async function reply({ dataDir }: ProductPlace, threadId: string, message: string): Promise<void> {
  const words = ['run', 'octroi', '--', 'support', 'reply', threadId, message, '--actor', 'asha', '--yes'];
  await promisify(execFile)('npm', words, { env: { ...process.env, DATA_DIR: dataDir } });
}

test('a customer asks in general or about an activation, and both pages list the thread', async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'trial');
  await openAs(page, customer, '/marketplace');
  await page.getByRole('link', { name: 'Support', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Support Portal' })).toBeVisible();
  await expect(page.getByText('No messages yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Enter a short subject')).toBeVisible();
  await page.getByLabel('Subject').fill('A general question');
  await page.getByLabel('Message', { exact: true }).fill('Do you have more APIs?');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('We’ll reply here and by email.')).toBeVisible();
  await expect(page.getByRole('link', { name: /A general question/ })).toContainText('Waiting for our reply');
  await page.getByLabel('About').selectOption(activationId);
  await page.getByLabel('Subject').fill('About my plan');
  await page.getByLabel('Message', { exact: true }).fill('When does it end?');
  await page.getByRole('button', { name: 'Send message' }).click();
  await page.getByRole('link', { name: /About my plan/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'About my plan' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: activationId }).click();
  await expect(page).toHaveURL(new RegExp(`/activations/${activationId}/support$`));
  await expect(page.getByRole('link', { name: /About my plan/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /A general question/ })).toBeVisible();
});

test(
  'the facts of the contact stand on the lines of their labels, also beside a button for fingers',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, activationId } = await newActivation(product, 'trial');
    await openAs(page, customer, `/activations/${activationId}/support`);
    const contact = page.getByRole('main').locator('dl');
    await expect(contact.getByText(activationId)).toBeVisible();
    const bottomOf = async (text: string): Promise<number> => {
      const box = await contact.getByText(text, { exact: true }).boundingBox();
      return box === null ? Number.NaN : box.y + box.height;
    };
    const [guides, status, label, value] = [
      await bottomOf('Guides'),
      await bottomOf('Status'),
      await bottomOf('Activation'),
      await bottomOf(activationId),
    ];
    expect(Math.abs(value - label)).toBeLessThan(3);
    expect(Math.abs(label - status - (status - guides))).toBeLessThan(3);
  },
);

test(
  'a reply is marked as unread until it is shown; the customer writes again, and closes the thread',
  { tag: onBoth },
  async ({ page, product }) => {
    const customer = await newCustomer(product);
    const body = { subject: 'Slow calls', message: 'They take 30 seconds.', activationId: null };
    const { id } = await customer.send(createSupportThread, { body });
    await reply(product, id, 'Since when?\n\nPlease send a request id.');
    await openAs(page, customer, '/support');
    await expect(page.getByRole('link', { name: 'Support: 1 new reply' })).toBeVisible();
    const thread = page.getByRole('link', { name: /Slow calls/ });
    await expect(thread).toContainText('1 new reply');
    await expect(thread).toContainText('Answered');
    await thread.press('Enter');
    await expect(page.getByText('Please send a request id.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Support', exact: true })).toBeVisible();

    // What was typed survives a failed attempt and a reload.
    await page.route(`**/backend/support/threads/${id}/messages`, (route) => route.abort());
    await page.getByLabel('Your reply').fill('Since this morning.');
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.getByText('The message was not sent')).toBeVisible();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await expect(page.getByLabel('Your reply')).toHaveValue('Since this morning.');
    await page.unroute(`**/backend/support/threads/${id}/messages`);
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Since this morning.' })).toContainText('You');
    await expect(page.getByText('Waiting for our reply')).toBeVisible();

    await page.getByRole('button', { name: 'Mark as solved' }).click();
    await expect(page.getByText('Closed', { exact: true })).toBeVisible();
    await expect(page.getByText('This thread is closed. A new message opens it again.')).toBeVisible();
    expect(await customer.send(readSupportThread, { params: { threadId: id } })).toMatchObject({ status: 'CLOSED' });
  },
);

const kept = (tab: Page) => tab.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));

test('a draft outlives a session that has expired, for its own customer alone, and not Logout', async ({
  page,
  context,
  product,
  isMobile,
}) => {
  test.skip(isMobile, 'The menu of a phone has the same button.');
  const [customer, next] = [await newCustomer(product), await newCustomer(product)];
  const again = await signInCustomer(product, { claims: { sub: customer.email, name: 'Asha', email: customer.email } });
  const other = await signInCustomer(product, { claims: { sub: customer.email, name: 'Asha', email: customer.email } });
  const subject = page.getByLabel('Subject');
  await openAs(page, again, '/support');
  await subject.fill('Only for support');
  await again.send(signOut, {});
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('Signup or Login')).toBeVisible();
  await openAs(page, next, '/support');
  await expect(subject).toHaveValue('');
  await openAs(page, other, '/support');
  await expect(subject).toHaveValue('Only for support');
  const otherTab = await context.newPage();
  await otherTab.goto('/support');
  await otherTab.getByLabel('Subject').fill('Only for support, too');
  expect(await kept(otherTab)).toContain('Only for support, too');
  await page.getByRole('button', { name: 'Logout' }).click();
  for (const tab of [page, otherTab]) {
    await expect(tab).toHaveURL('/login');
    expect(await kept(tab)).not.toContain('Only for support');
  }
});

test('what is typed while a message is sent stays in its field', async ({ page, product }) => {
  const customer = await newCustomer(product);
  await openAs(page, customer, '/support');
  const sending = await intercept(page, createSupportThread);
  await sending.set('hold');
  await page.getByLabel('Subject').fill('Slow calls');
  const message = page.getByLabel('Message', { exact: true });
  await message.fill('They take 30 seconds.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled();
  await message.fill('They take 30 seconds. Since Monday.');
  await sending.set('through');
  await expect(page.getByText('We’ll reply here and by email.')).toBeVisible();
  await expect(message).toHaveValue('They take 30 seconds. Since Monday.');
});

test(
  'a subject of one long word does not make its page wider than the window',
  { tag: onBoth },
  async ({ page, product }) => {
    const customer = await newCustomer(product);
    const body = { subject: `https://example.com/${'path'.repeat(20)}`, message: 'Why?', activationId: null };
    const { id } = await customer.send(createSupportThread, { body });
    await openAs(page, customer, `/support/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: body.subject })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    );
  },
);

test('a request id in a message leads to the request log', async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'trial');
  const request = 'req_AbCdEfGhIj-0123456789';
  const body = { subject: 'A failed call', message: `See ${request}, please.`, activationId };
  const { id } = await customer.send(createSupportThread, { body });
  await customer.send(replyToSupport, { params: { threadId: id }, body: { message: 'Are you there?' } });
  await openAs(page, customer, `/support/${id}`);
  await page.getByRole('link', { name: request }).click();
  await expect(page).toHaveURL(new RegExp(`/activations/${activationId}/requests\\?q=${request}`));
});

test('a thread that does not exist, or that cannot be loaded, is explained', async ({ page, product }) => {
  const customer = await newCustomer(product);
  await openAs(page, customer, '/support/SUP-000000000000');
  await expect(page.getByText('Thread not found')).toBeVisible();
  await page.route('**/backend/support/threads/*', (route) => route.fulfill({ status: 500, body: '' }));
  await page.reload();
  await expect(page.getByText('Failed to load the thread')).toBeVisible();
  await page.unroute('**/backend/support/threads/*');
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByText('Thread not found')).toBeVisible();
  await page.getByRole('link', { name: 'See your messages' }).click();
  await expect(page.getByText('No messages yet.')).toBeVisible();
});
