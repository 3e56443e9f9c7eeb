import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { createSignInNonce } from '#shared/contract/account.ts';
import type { OperatorRole } from '#shared/contract/operator/roles.ts';
import { signInOperator } from '#shared/contract/operator/session.ts';
import { giveAuthenticator } from './authenticator.ts';
import { type ProductPlace, sharedProduct } from './product.ts';
import { expect, test as base } from './visitor.ts';

/** Where the console keeps the session token. */
const sessionStorageKey = 'operator.session';

const root = join(import.meta.dirname, '..', '..');

/** Runs the built command on a product's data: from its sources it would need four times the time to start. */
export async function octroi({ dataDir }: ProductPlace, words: string[], env: Record<string, string> = {}) {
  await promisify(execFile)(process.execPath, [join(root, 'build', 'octroi.js'), ...words], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, ...env },
  });
}

/** Adds an operator with the real command, as the first owner of an installation is; returns the address. */
export async function addOperator(place: ProductPlace, role: OperatorRole): Promise<string> {
  const email = `${role}.${randomBytes(4).toString('hex')}@example.com`;
  await octroi(place, [
    'operators',
    'add',
    email,
    '--role',
    role,
    '--reason',
    'Works here',
    '--actor',
    'test',
    '--yes',
  ]);
  return email;
}

async function post(url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}

/** Opens a page of the console in a session of its own, without the account chooser. */
export async function openAsOperator(page: Page, place: ProductPlace, email: string, path: string): Promise<void> {
  const backend = `${place.portalUrl}/backend`;
  const { nonce } = createSignInNonce.reply.parse(await post(backend + createSignInNonce.path));
  const claims = { sub: email, name: 'Meera Nair', email, hd: 'example.com' };
  const issued = await post(`${place.googleUrl}/standin/token`, { nonce, claims });
  const googleIdToken =
    typeof issued === 'object' && issued !== null && 'credential' in issued ? issued.credential : '';
  const answer = await post(backend + signInOperator.path, { googleIdToken });
  const { accessToken } = signInOperator.reply.parse(answer);
  await page.goto('/mark.svg');
  await page.evaluate(([key, token]) => sessionStorage.setItem(key, token), [sessionStorageKey, accessToken] as const);
  await page.goto(`/operator${path}`);
}

/** Gives the browser an authenticator, as a laptop has one, and adds the operator's first passkey: another one needs the first. */
export async function addPasskey(page: Page): Promise<void> {
  await giveAuthenticator(page);
  await page.goto('/operator/team');
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('table', { name: 'Your passkeys' }).getByText('Laptop').waitFor();
}

/** With an owner whom all tests of a worker share. */
export const test = base.extend<object, { owner: string }>({
  owner: [async ({}, use) => use(await addOperator(sharedProduct(), 'owner')), { scope: 'worker' }],
});

/** Finds something with the one box, and waits for what it opens. */
export async function find(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).first().click();
  const box = page.getByRole('dialog', { name: 'Search' });
  await box.getByLabel('Search').fill(text);
  await box.getByLabel('Search').press('Enter');
  await expect(box).toBeHidden();
}

/** Gives the reason, does it (with the passkey where that is asked for), and returns the facts of what happened. */
export async function confirm(page: Page, verb: string): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Preview')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Agreed by telephone');
  await dialog.getByRole('button', { name: verb, exact: true }).click();
  const withPasskey = dialog.getByRole('button', { name: `Confirm and ${verb.toLowerCase()}` });
  await expect(withPasskey.or(dialog.getByText('It is done'))).toBeVisible();
  if (await withPasskey.isVisible()) await withPasskey.click();
  await expect(dialog.getByText('It is done')).toBeVisible();
  return dialog.getByLabel('What happened');
}
