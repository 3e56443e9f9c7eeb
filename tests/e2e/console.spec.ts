import type { Page, Route } from '@playwright/test';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { createSupportThread, readSupportThread } from '#shared/contract/support.ts';
import { fine, looksOf, settle } from './axe.ts';
import { consolePages, partsOfCustomer } from './console-pages.ts';
import { chooseAccount } from './customer.ts';
import { addOperator, addPasskey, confirm, find, openAsOperator, test } from './operator.ts';
import { newActivation, newPaidActivation } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { errorsOf, expect } from './visitor.ts';

test('an owner signs in with Google; somebody else is told that it is not for them', async ({ page, product }) => {
  // Of its own: an address belongs to the Google account that signs in with it first.
  const owner = await addOperator(product, 'owner');
  const button = page.getByRole('button', { name: /google/i });
  const signIn = (email: string) => chooseAccount(page, { name: 'Meera Nair', email });
  await page.goto('/operator/support');
  await expect(button).toBeVisible();
  const held: Route[] = [];
  await page.route('**/account/sign-in-nonce', (route) => void held.push(route));
  await signIn('nobody@example.com');
  await expect(page.getByRole('alert')).toContainText('is not an operator');
  // One nonce serves once: who presses too early would be refused.
  await expect(button).toBeHidden();
  await expect.poll(() => held.length).toBe(1);
  await held[0]?.continue();
  await page.unroute('**/account/sign-in-nonce');
  await signIn(owner);
  await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible();
  await expect(page.getByText('Role: owner')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(button).toBeVisible();
});

test('a waiting thread is answered with its customer beside it', { tag: onBoth }, async ({ page, product, owner }) => {
  const { customer, activationId } = await newActivation(product, 'trial');
  const body = { subject: `Slow calls of ${customer.name}`, message: 'They take 30 seconds.', activationId };
  const { id } = await customer.send(createSupportThread, { body });
  await openAsOperator(page, product, owner, '/?kind=SUPPORT_THREAD');
  await page.getByRole('row', { name: new RegExp(body.subject) }).click();
  await expect(page.getByRole('complementary', { name: 'Customer' })).toContainText(customer.email);
  await page.getByLabel('Reply').fill('Since when?');
  await page.getByLabel('Reply').press('Control+Enter');
  await expect(page.getByText('The reply is sent')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Since when?' })).toContainText(owner);
  expect(await customer.send(readSupportThread, { params: { threadId: id } })).toMatchObject({ status: 'ANSWERED' });
  await page.getByRole('button', { name: 'Close the thread' }).click();
  await confirm(page, 'Close thread');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Closed', { exact: true })).toBeVisible();
});

test('a payment is found by its id and refunded, as its preview said', async ({ page, product }) => {
  const owner = await addOperator(product, 'owner');
  const { customer } = await newPaidActivation(product);
  await openAsOperator(page, product, owner, '/');
  await addPasskey(page);
  await find(page, customer.email);
  await expect(page.getByRole('heading', { level: 1, name: customer.name })).toBeVisible();
  await page.getByRole('navigation', { name: 'Parts of the customer' }).getByRole('link', { name: 'Money' }).click();
  const payment = await page.getByRole('link', { name: /^pay_/ }).textContent();
  await find(page, payment ?? '');
  await expect(page.getByRole('heading', { level: 1, name: 'Payment of ₹1,499' })).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog').getByLabel('Preview')).toContainText('₹1,499');
  const happened = await confirm(page, 'Refund');
  await expect(happened).toContainText('Credit note');
  await expect(happened).not.toContainText('before:');
  const [activation] = (await customer.send(listActivations, {})).activations;
  expect(activation?.billingCycles[0]).toMatchObject({ status: 'REFUNDED' });
});

test('a passkey is removed after a question', async ({ page, product }) => {
  await openAsOperator(page, product, await addOperator(product, 'support'), '/');
  await addPasskey(page);
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Laptop?' });
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByText('You have none yet')).toBeVisible();
});

test('a token is made for a program, is shown once, and is refused when it is revoked', async ({ page, product }) => {
  await openAsOperator(page, product, await addOperator(product, 'owner'), '/');
  await addPasskey(page);
  await page.getByRole('link', { name: 'Tokens and webhooks' }).click();
  await page.getByRole('button', { name: 'Make a token' }).click();
  const name = `sheet ${Date.now()}`;
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
  const made = await confirm(page, 'Make');
  const token = /octo_[\w-]+/.exec(await made.innerText())?.[0] ?? '';
  const status = async () => {
    const reply = await fetch(`${product.portalUrl}/backend/operator/calls/listWaiting`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: {} }),
    });
    return reply.status;
  };
  expect(await status()).toBe(200);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: `Revoke: ${name}` }).click();
  await confirm(page, 'Revoke');
  expect(await status()).toBe(401);
  await expect(page.getByText(token)).toHaveCount(0);
});

/** In an order in which each page has another heading than the one before: a new heading says that the next page is there. */
function inTurns<Shown extends { heading: string }>(shown: readonly Shown[]): Shown[] {
  const seen = new Map<string, number>();
  const turnOf = ({ heading }: Shown): number => {
    const turn = (seen.get(heading) ?? 0) + 1;
    seen.set(heading, turn);
    return turn;
  };
  return shown
    .map((page) => ({ page, turn: turnOf(page) }))
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ page }) => page);
}

/** As a link does it. */
async function goInside(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

test(
  'no page has a fault that axe knows, in light and dark',
  { tag: onBoth },
  async ({ page, product, owner, isMobile }) => {
    const { customer, activationId, billingCycleId } = await newPaidActivation(product);
    const body = { subject: 'Slow calls', message: 'They take 30 seconds.', activationId };
    const { id: threadId } = await customer.send(createSupportThread, { body });
    const errors = errorsOf(page);
    await openAsOperator(page, product, owner, '/');
    await find(page, customer.email);
    await expect(page.getByRole('heading', { level: 1, name: customer.name })).toBeVisible();
    const place = new URL(page.url()).pathname.replace('/operator', '');
    const ofCustomer = partsOfCustomer.map((part) => ({ path: `${place}?tab=${part}`, heading: customer.name }));
    const ofOne = [
      { path: `/payments/${billingCycleId}`, heading: 'Payment of ₹1,499' },
      { path: `/support/${threadId}`, heading: body.subject },
    ];
    for (const { path, heading } of inTurns([...consolePages, ...ofCustomer, ...ofOne])) {
      // The desktop loads each page; the phone goes from one to the next without loading, as most do.
      if (isMobile) await goInside(page, `/operator${path}`);
      else await page.goto(`/operator${path}`);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await settle(page);
      await expect(page.getByText('could not be read')).toHaveCount(0);
      expect(await looksOf(page), path).toEqual(fine);
    }
    expect(errors).toEqual([]);
  },
);

test('a change of a product file shows its faults, and who would notice it, while it is written', async ({
  page,
  product,
  owner,
}) => {
  await openAsOperator(page, product, owner, '/catalogue');
  await page.getByRole('combobox', { name: 'File' }).selectOption('tax-lookup-api.yaml');
  await page.getByRole('button', { name: /tax-lookup-api\.yaml/ }).click();
  const dialog = page.getByRole('dialog');
  const file = dialog.getByLabel('tax-lookup-api.yaml');
  const text = await file.inputValue();
  await file.fill(text.replace('price: 499', 'price: none'));
  await expect(dialog.getByRole('alert')).toContainText('The catalogue has faults');
  await file.fill(text.replace('price: 499', 'price: 549'));
  await expect(dialog.getByLabel('Preview')).toContainText('plan starter: price ₹499 → ₹549');
  await expect(dialog.getByLabel('Preview')).toContainText('New purchases and prepayments');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('row', { name: /On sale/ })).toHaveCount(1);
});

test('figures of the days chosen are shown and kept in the address', async ({ page, product, owner }) => {
  await newPaidActivation(product);
  await openAsOperator(page, product, owner, '/figures');
  await expect(page.getByRole('region', { name: 'By plan' })).toContainText('Tax Lookup API');
  await page.getByRole('combobox', { name: 'Days' }).selectOption('Financial year');
  await expect(page).toHaveURL(/days=Financial/);
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Days' })).toHaveValue('Financial year');
  await expect(page.getByRole('region', { name: 'What each figure is' })).toContainText('GST');
});

test('who may only read is offered none of the actions that an owner is offered', async ({ page, product, owner }) => {
  const { customer, activationId } = await newPaidActivation(product);
  await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'prod' } });
  const action = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) }).first();
  const actions = ['Grant', 'Block', 'More', 'Revoke: prod'];
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await openAsOperator(page, product, owner, '/');
  await find(page, customer.email);
  for (const name of actions) await expect(action(name)).toBeVisible();
  await openAsOperator(page, product, await addOperator(product, 'read-only'), '/');
  await find(page, customer.email);
  await expect(page.getByRole('table', { name: 'API keys' }).getByText('prod', { exact: true })).toBeVisible();
  for (const name of actions) await expect(action(name)).toHaveCount(0);
  await expect(navigation.getByRole('link', { name: 'Figures' })).toBeVisible();
  await openAsOperator(page, product, await addOperator(product, 'support'), '/');
  await expect(navigation.getByRole('link', { name: 'Support' })).toBeVisible();
  await expect(navigation.getByRole('link', { name: 'Figures' })).toHaveCount(0);
});

test('an OpenAPI document becomes a product on a page, and nothing that was typed is lost on a fault', async ({
  page,
  product,
  owner,
}) => {
  const paths = { '/v1/rain': { get: { summary: 'Rain of a day' } } };
  const document = { openapi: '3.1.0', info: { title: 'Tax look-up API', version: '1' }, paths };
  const file = { name: 'rain.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(document)) };
  await openAsOperator(page, product, owner, '/catalogue');
  await page.getByRole('link', { name: 'Import an API' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByLabel('OpenAPI document').click();
  await (await chooser).setFiles(file);
  await expect(page.getByRole('alert')).toContainText('names no server');
  await page.getByLabel('Address of the API').fill('http://127.0.0.1:7999');
  await page.getByLabel('ID', { exact: true }).fill('tax-lookup-api');
  await page.getByRole('button', { name: 'Read the document' }).click();
  await expect(page.getByRole('alert')).toContainText('in the catalogue already');
  await expect(page.getByLabel('Address of the API')).toHaveValue('http://127.0.0.1:7999');
  await page.getByLabel('ID', { exact: true }).fill('rain');
  await page.getByRole('button', { name: 'Read the document' }).click();
  await expect(page.getByRole('row', { name: /GET \/v1\/rain/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Left to do' })).toContainText('Confirm the SAC');
  const starter = page.getByRole('group', { name: 'Plan starter' });
  await starter.getByLabel('Price (₹)').fill('much');
  await page.getByRole('button', { name: 'Preview and put on sale' }).click();
  await expect(page.getByRole('alert')).toContainText('plans 1 price');
  await starter.getByLabel('Price (₹)').fill('749');
  await page.getByRole('button', { name: 'Preview and put on sale' }).click();
  const preview = page.getByRole('dialog').getByLabel('Preview');
  await expect(preview).toContainText(
    'added with 2 plans; path on the gateway: rain; address of the API: http://127.0.0.1:7999',
  );
  await expect(preview).toContainText('₹749');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(starter.getByLabel('Price (₹)')).toHaveValue('749');
  // What was entered was meant for that document.
  const other = { ...document, info: { title: 'Snow', version: '1' }, servers: [{ url: 'https://snow.example.com' }] };
  const again = page.waitForEvent('filechooser');
  await page.getByLabel('OpenAPI document').click();
  await (await again).setFiles({ ...file, name: 'snow.json', buffer: Buffer.from(JSON.stringify(other)) });
  await expect(page.getByLabel('Address of the API')).toHaveValue('https://snow.example.com');
  await expect(page.getByLabel('ID', { exact: true })).toHaveValue('snow');
  await expect(starter.getByLabel('Price (₹)')).not.toHaveValue('749');
});
