import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { acceptInvitation } from '#shared/contract/invitations.ts';
import { listMyCustomers } from '#shared/contract/members.ts';
import { signInCustomer } from '#ship/demo/portal-customer.ts';
import { fine, looksOf } from './axe.ts';
import { giveAuthenticator } from './authenticator.ts';
import { activatePlan, chooseAccount, generateKey, signInAsNew } from './customer.ts';
import { keepSession } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

async function beginKey(page: Page, activationId: string, name: string): Promise<void> {
  await page.goto(`/api/${activationId}?tab=keys`);
  await page.getByRole('button', { name: 'Generate API Key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Key name').fill(name);
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
}

test(
  'the owner adds a passkey, has the account ask for it and makes a key with it; a member without one is told',
  { tag: onBoth },
  async ({ page, product }) => {
    const name = await signInAsNew(page);
    const activationId = await activatePlan(page, 'tax-lookup-api', /^Trial/);
    const email = `dev.${randomBytes(4).toString('hex')}@gmail.com`;
    const developer = await signInCustomer(product, { claims: { sub: email, name: 'Dev', email } });
    await giveAuthenticator(page);

    await page.goto('/account?view=members');
    await page.getByRole('button', { name: 'Invite a member' }).click();
    const invitation = page.getByRole('dialog');
    await invitation.getByLabel('E-mail address').fill(email);
    await invitation.getByRole('radio', { name: /^Developer/ }).check();
    await invitation.getByRole('button', { name: 'Send invitation' }).click();
    await expect(page.getByRole('table', { name: 'Open invitations' }).getByText(email)).toBeVisible();
    const [waiting] = (await developer.send(listMyCustomers, {})).invitations;
    const { accessToken } = await developer.send(acceptInvitation, {
      params: { invitationId: waiting?.id ?? '' },
      body: { signature: waiting?.signature ?? '' },
    });

    await expect(page.getByText('This account doesn’t ask for passkeys')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Ask for passkeys' })).toBeDisabled();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await chooseAccount(page, { name });
    const adding = page.getByRole('dialog', { name: 'Add a passkey' });
    await adding.getByLabel('Name of the passkey').fill('Laptop');
    await adding.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByRole('table', { name: 'Your passkeys' }).getByText('Laptop')).toBeVisible();
    await page.getByRole('button', { name: 'Ask for passkeys' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ask for passkeys' }).click();
    await expect(page.getByText('This account asks every member for a passkey')).toBeVisible();
    await expect(page.getByRole('table', { name: 'Passkeys of the members' }).getByText('None yet')).toBeVisible();
    expect(await looksOf(page)).toEqual(fine);
    await generateKey(page, activationId, 'own');

    // A sign-in that has confirmed nothing yet, as on the next day.
    await page.evaluate(() => localStorage.clear());
    await page.goto('/login');
    await chooseAccount(page, { name });
    await expect(page.getByRole('heading', { level: 1, name: 'My Activations' })).toBeVisible();
    await beginKey(page, activationId, 'later');
    const question = page.getByRole('dialog', { name: 'Confirm with your passkey' });
    await expect(question).toBeVisible();
    expect(await looksOf(page)).toEqual(fine);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('later is ready')).toBeVisible();

    await keepSession(page, accessToken);
    await beginKey(page, activationId, 'mine');
    const told = page.getByRole('dialog', { name: 'You need a passkey for this' });
    await expect(told).toBeVisible();
    expect(await looksOf(page)).toEqual(fine);
    await told.getByRole('link', { name: 'Add a passkey' }).click();
    await expect(page.getByText('You have no passkey yet.')).toBeVisible();
  },
);
