import type { Page } from '@playwright/test';
import { listActivations } from '#shared/contract/activations.ts';
import { createSupportThread, readSupportThread } from '#shared/contract/support.ts';
import type { PortalCustomer } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { addOperator, addPasskey, confirm, find, openAsOperator, test } from './operator.ts';
import type { ProductPlace } from './product.ts';
import { keepSession, newActivation, newPaidActivation } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect } from './visitor.ts';

/** The server does the next such action, and its response is lost. */
async function loseResponse(page: Page, call: string): Promise<void> {
  const lose = `**/backend/operator/calls/${call}`;
  await page.route(
    lose,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
}

/** Makes a request of the session in the tab, as another tab or a program could. */
const requestInSession = (page: Page, method: string, path: string, body?: unknown): Promise<number> =>
  page.evaluate(
    async ([how, where, text]) => {
      const response = await fetch(`/backend/operator/${where}`, {
        method: how,
        headers: {
          authorization: `Bearer ${sessionStorage.getItem('operator.session')}`,
          ...(text !== undefined && { 'content-type': 'application/json' }),
        },
        ...(text !== undefined && { body: text }),
      });
      return response.status;
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );

async function newThread(place: ProductPlace): Promise<{ customer: PortalCustomer; id: string }> {
  const { customer, activationId } = await newActivation(place, 'trial');
  const body = { subject: 'Slow calls', message: 'They take 30 seconds.', activationId };
  const { id } = await customer.send(createSupportThread, { body });
  return { customer, id };
}

const cyclesOf = async (customer: PortalCustomer) =>
  (await customer.send(listActivations, {})).activations[0]?.billingCycles ?? [];

async function openExtension(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^More: / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'more days' }).click();
  await page.getByRole('dialog').getByLabel('Days').fill('5');
}

test(
  'an action whose response is lost is done once, also when its dialog is opened again',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer } = await newPaidActivation(product);
    await openAsOperator(page, product, await addOperator(product, 'owner'), '/');
    await addPasskey(page);
    await find(page, customer.email);
    await openExtension(page);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Preview')).toBeVisible();
    await dialog.getByLabel('Reason').fill('An outage');
    await loseResponse(page, 'extendCycle');
    await dialog.getByRole('button', { name: 'Extend', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('it is done once');
    expect(await cyclesOf(customer)).toHaveLength(2);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await openExtension(page);
    await dialog.getByLabel('Reason').fill('An outage');
    await dialog.getByRole('button', { name: 'Extend', exact: true }).click();
    await expect(dialog.getByText('the first try arrived')).toBeVisible();
    expect(await cyclesOf(customer)).toHaveLength(2);
  },
);

test('an action is not done when what it would do has changed since its preview', async ({ page, product }) => {
  const { customer } = await newPaidActivation(product);
  const [cycle] = await cyclesOf(customer);
  await openAsOperator(page, product, await addOperator(product, 'owner'), '/');
  await addPasskey(page);
  await find(page, customer.email);
  await page
    .getByRole('button', { name: /^More: / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /Raise the quota/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Units').fill('500');
  await expect(dialog.getByLabel('Preview')).toBeVisible();
  const body = { input: { cycleId: cycle?.id, units: 300 }, reason: 'Of another operator' };
  expect(await requestInSession(page, 'POST', 'calls/setQuota', body)).toBe(200);
  await dialog.getByLabel('Reason').fill('An outage');
  await dialog.getByRole('button', { name: 'Raise quota', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('has changed since you looked');
  await expect(await confirm(page, 'Raise quota')).toContainText('500');
});

test('a reply whose response is lost is sent once, and the next one is sent too', async ({ page, product, owner }) => {
  const { customer, id } = await newThread(product);
  await openAsOperator(page, product, owner, `/support/${id}`);
  await page.getByLabel('Reply').fill('Since when?');
  await loseResponse(page, 'replyToThread');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('alert')).toContainText('may not be sent');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('The reply is sent')).toBeVisible();
  await expect(page.getByLabel('Reply')).toHaveValue('');
  await page.getByLabel('Reply').fill('And which calls?');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'And which calls?' })).toBeVisible();
  const { messages } = await customer.send(readSupportThread, { params: { threadId: id } });
  expect(messages.map(({ message }) => message)).toEqual(['They take 30 seconds.', 'Since when?', 'And which calls?']);
});

test(
  'leaving a reply asks first, and the end of the session keeps it',
  { tag: onBoth },
  async ({ page, product, owner }) => {
    const { customer, id } = await newThread(product);
    await openAsOperator(page, product, owner, `/support/${id}`);
    await page.getByLabel('Reply').fill('Since when?');
    await page
      .getByRole('complementary', { name: 'Customer' })
      .getByRole('link', { name: 'Open the customer' })
      .click();
    const question = page.getByRole('dialog', { name: 'Leave without sending?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await expect(question).toBeHidden();
    expect(await requestInSession(page, 'DELETE', 'session')).toBe(200);
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('Your session has ended')).toBeVisible();
    await expect(page).toHaveTitle('Sign in · Console');
    await openAsOperator(page, product, owner, `/support/${id}`);
    await expect(page.getByLabel('Reply')).toHaveValue('Since when?');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('The reply is sent')).toBeVisible();
    expect((await customer.send(readSupportThread, { params: { threadId: id } })).messages).toHaveLength(2);
  },
);

test('a list that can’t be read again says so, offline or without the portal', async ({
  page,
  context,
  product,
  owner,
}) => {
  await page.clock.install();
  await openAsOperator(page, product, owner, '/support');
  await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('You are offline.')).toBeHidden();
  // The browser does not call that offline; the list is read again by itself.
  const calls = '**/backend/operator/calls/**';
  await page.route(calls, (route) => route.abort());
  await page.clock.fastForward(60_000);
  await expect(page.getByText('The portal can’t be reached.')).toBeVisible({ timeout: 60_000 });
  await page.unroute(calls);
  await page.clock.fastForward(60_000);
  await expect(page.getByText('The portal can’t be reached.')).toBeHidden({ timeout: 60_000 });
});

test('a customer who signs out in the same browser leaves the operator signed in', async ({
  page,
  context,
  product,
  owner,
}) => {
  await openAsOperator(page, product, owner, '/support');
  await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible();
  const portal = await context.newPage();
  await keepSession(portal, (await newCustomer(product)).token);
  await portal.goto('/marketplace');
  await portal.getByRole('button', { name: 'Logout' }).click();
  await expect(portal).toHaveURL(/\/login/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible();
});
