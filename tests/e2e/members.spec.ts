import { randomBytes } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import type { PortalCustomer } from '#ship/demo/portal-customer.ts';
import { fine, looksOf } from './axe.ts';
import { chooseAccount, generateKey, goodCard, openCheckout, payByCard } from './customer.ts';
import { mailsTo } from './outbox.ts';
import { pages } from './pages.ts';
import { keepSession, newActivation, openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

/** A person with a Google account of nobody else. */
function newPerson(givenName: string): { name: string; email: string } {
  const name = `${givenName} ${randomBytes(4).toString('hex')}`;
  return { name, email: `${name.replace(' ', '.').toLowerCase()}@gmail.com` };
}

/** Where the link of an invitation leads, of the newest of these mails. */
const invitationIn = ([mail]: readonly { text: string }[]): string =>
  /\/invitation\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';

/** A browser of another person, at an address of the portal. */
async function visitOf(browser: Browser | null, baseURL: string, page: Page): Promise<Page> {
  if (!browser) throw new Error('no browser');
  const context = await browser.newContext({ baseURL, viewport: page.viewportSize() });
  return context.newPage();
}

async function invite(page: Page, owner: PortalCustomer, email: string, role: string): Promise<void> {
  await openAs(page, owner, '/account?view=members');
  await page.getByRole('button', { name: 'Invite a member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).check();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('table', { name: 'Open invitations' }).getByText(email)).toBeVisible();
}

/** The link of the mail, by which the person signs in for the first time and joins. */
async function joinByMail(visit: Page, person: { name: string; email: string }, role: string): Promise<void> {
  await visit.goto(invitationIn(await mailsTo(visit, person.email)));
  await expect(visit.getByRole('heading', { name: /invites you$/ })).toBeVisible();
  await visit.getByRole('link', { name: 'Sign in to accept' }).click();
  await chooseAccount(visit, person);
  await expect(visit.getByRole('heading', { level: 1, name: 'How do you want to begin?' })).toBeVisible();
  await visit.getByRole('button', { name: `Join as ${role}` }).click();
  await expect(visit.getByRole('heading', { level: 1, name: /My Activations|Our Products/ })).toBeVisible();
}

test(
  'an invited accountant joins at the first sign-in, pays, and sees no keys',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, activationId } = await newActivation(product, 'growth');
    const person = newPerson('Meera');
    await invite(page, customer, person.email, 'Accountant');
    expect(await looksOf(page)).toEqual(fine);
    const visit = await visitOf(page.context().browser(), product.portalUrl, page);
    await joinByMail(visit, person, 'Accountant');
    await visit.goto(`/activations/${activationId}/billing`);
    await payByCard(await openCheckout(visit, '₹1,499'), goodCard, '₹1,499');
    await expect(visit.getByText('Active Plan').first()).toBeVisible();
    await visit.goto('/developers/webhooks');
    await expect(visit.getByRole('heading', { level: 1, name: 'This page is not for your role' })).toBeVisible();
    expect(await looksOf(visit)).toEqual(fine);
    await visit.context().close();
  },
);

test(
  'an invited developer makes a key and sees no money; removed, the open tab ends',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, activationId } = await newActivation(product, 'growth');
    const person = newPerson('Dev');
    await invite(page, customer, person.email, 'Developer');
    const visit = await visitOf(page.context().browser(), product.portalUrl, page);
    await joinByMail(visit, person, 'Developer');
    await visit.goto('/billing');
    await expect(visit.getByRole('heading', { level: 1, name: 'This page is not for your role' })).toBeVisible();
    await generateKey(visit, activationId, 'ci');
    // A page that lives, as people leave it open.
    await visit.goto(`/api/${activationId}`);
    await expect(visit.getByText('requests', { exact: false }).first()).toBeVisible();

    await page.reload();
    await page.getByRole('button', { name: `More for ${person.name}` }).click();
    await page.getByRole('menuitem', { name: 'Limit calls per day' }).click();
    const limiting = page.getByRole('dialog');
    await limiting.getByLabel('Calls per day', { exact: true }).fill('0');
    await limiting.getByRole('button', { name: 'Save limit' }).click();
    await expect(limiting.getByText('Enter a whole number of 1 or more.')).toBeVisible();
    await limiting.getByLabel('Calls per day', { exact: true }).fill('1500');
    await limiting.getByRole('button', { name: 'Save limit' }).click();
    await expect(limiting).toBeHidden();
    await expect(page.getByText('At most 1,500 calls per day')).toBeVisible();
    expect(await looksOf(page)).toEqual(fine);
    const seen = await visit.context().newPage();
    await seen.goto('/account?view=members');
    await expect(seen.getByText('At most 1,500 calls per day')).toBeVisible();
    await seen.close();
    await page.getByRole('button', { name: `More for ${person.name}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(/^The limit of calls per day stays/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('checkbox', { name: /^ci, ends in/ }).check();
    await dialog.getByRole('button', { name: 'Revoke 1 key' }).click();
    await expect(dialog).toBeHidden();
    await expect(visit).toHaveURL(/\/login/, { timeout: 60_000 });
    await visit.context().close();
  },
);

test('who is a member of two customers switches between them', async ({ page, product }) => {
  const { customer, activationId } = await newActivation(product, 'growth');
  const person = newPerson('Tara');
  const visit = await visitOf(page.context().browser(), product.portalUrl, page);
  await visit.goto('/login');
  await chooseAccount(visit, person);
  await expect(visit.getByRole('heading', { level: 1, name: 'Our Products' })).toBeVisible();
  await invite(page, customer, person.email, 'Developer');
  await visit.goto(invitationIn(await mailsTo(visit, person.email)));
  await visit.getByRole('button', { name: 'Accept' }).click();
  await expect(visit.getByRole('heading', { level: 1, name: 'My Activations' })).toBeVisible();
  // Another tab stays where it is until it is loaded again: it may have something half typed.
  const other = await visit.context().newPage();
  await other.goto(`/activations/${activationId}/support`);
  await other.getByLabel('Subject').fill('A question');
  await visit.getByRole('button', { name: /Switch to another$/ }).click();
  await visit.getByRole('menuitem', { name: person.name }).click();
  await expect(visit.getByRole('heading', { level: 1, name: 'Our Products' })).toBeVisible();
  await expect(other.getByRole('heading', { level: 1, name: 'Support Portal' })).toBeVisible();
  await expect(other.getByLabel('Subject')).toHaveValue('A question');
  await other.getByLabel('Message').fill('How?');
  await other.getByRole('button', { name: 'Send' }).click();
  await expect(other.getByRole('link', { name: /^A question/ })).toBeVisible();
  await other.reload();
  await expect(other.getByRole('button', { name: /^Open it in/ })).toBeVisible();
  // Logging out is of all tabs.
  await other.goto('/marketplace');
  await other.getByRole('button', { name: /Switch to another$/ }).click();
  await other.getByRole('menuitem').filter({ hasNotText: person.name }).first().click();
  await expect(other.getByRole('heading', { level: 1, name: 'My Activations' })).toBeVisible();
  await expect(visit.getByRole('heading', { level: 1, name: 'Our Products' })).toBeVisible();
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(visit).toHaveURL(/\/login/);
  await visit.context().close();
});

test(
  'a viewer finds each button that a role may not use switched off, with the reason, and writes nothing',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, activationId } = await newActivation(product, 'growth');
    const person = newPerson('Vani');
    await invite(page, customer, person.email, 'Viewer');
    const visit = await visitOf(page.context().browser(), product.portalUrl, page);
    await joinByMail(visit, person, 'Viewer');
    const refused: string[] = [];
    visit.on('response', (response) => {
      if (response.status() === 403 && response.request().method() !== 'GET') refused.push(response.url());
    });
    await visit.goto('/marketplace/invoicing-system');
    const activate = visit.getByRole('button', { name: /^Activate This Service/ });
    await expect(activate).toHaveAttribute('aria-disabled', 'true');
    // What loads late may move the button from under the pointer.
    await expect(async () => {
      await visit.mouse.move(0, 0);
      await activate.hover();
      const reason = 'Not for your role (Viewer). Ask the owner of the account.';
      await expect(visit.getByRole('tooltip')).toHaveText(reason, { timeout: 5000 });
    }).toPass();
    await activate.click({ force: true });
    await visit.goto(`/activations/${activationId}/support`);
    await visit.getByLabel('Subject').fill('A question');
    await visit.getByLabel('Message').fill('How?');
    // Before the role is known, the server refuses.
    await expect(visit.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'true');
    await visit.getByLabel('Subject').press('Enter');
    await visit.goto(`/api/${activationId}?tab=keys`);
    await expect(visit.getByRole('tab', { name: /API Keys/i })).toBeVisible();
    await expect(visit.getByRole('button', { name: /Generate/ })).toHaveCount(0);
    await visit.goto('/account?view=activity');
    await expect(visit.getByRole('tab', { name: 'Activity' })).toHaveCount(0);
    expect(refused).toEqual([]);
    await visit.context().close();
  },
);

test(
  'the ownership is offered, accepted, and both have their new roles',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer } = await newActivation(product, 'growth');
    const person = newPerson('Uma');
    await invite(page, customer, person.email, 'Developer');
    const visit = await visitOf(page.context().browser(), product.portalUrl, page);
    await joinByMail(visit, person, 'Developer');

    await page.reload();
    await page.getByRole('button', { name: `More for ${person.name}` }).click();
    await page.getByRole('menuitem', { name: 'Offer the ownership' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^Viewer/ }).check();
    await dialog.getByRole('button', { name: 'Send the offer' }).click();
    await expect(
      page.getByRole('table', { name: 'Open invitations' }).getByText('Offer of the ownership'),
    ).toBeVisible();

    const mails = await mailsTo(visit, person.email);
    await visit.goto(invitationIn(mails.filter(({ text }) => /ownership/i.test(text))));
    await expect(visit.getByRole('heading', { name: /^You are offered the ownership/ })).toBeVisible();
    await visit.getByRole('button', { name: 'Become the owner' }).click();
    await expect(visit.getByRole('heading', { level: 1, name: 'My Activations' })).toBeVisible();
    await visit.goto('/account?view=members');
    await expect(visit.getByRole('row', { name: new RegExp(`${person.name}.*Owner`) })).toBeVisible();
    await expect(visit.getByRole('button', { name: 'Invite a member' })).toBeVisible();
    await visit.goto('/account?view=activity');
    await expect(visit.getByRole('table', { name: 'Activity' }).getByText('Ownership offered')).toBeVisible();
    expect(await looksOf(visit)).toEqual(fine);

    await page.goto('/account?view=members');
    await expect(page.getByRole('button', { name: 'Invite a member' })).toHaveCount(0);
    await expect(page.getByRole('tab', { name: 'Activity' })).toHaveCount(0);
    await visit.context().close();
  },
);

test('without other members no page but the account page has anything of members', async ({ page, visitor }) => {
  await keepSession(page, visitor.customer.token);
  const found: string[] = [];
  for (const { path, heading } of pages.filter((shown) => !shown.path.startsWith('/account'))) {
    await page.goto(path.replace(':id', visitor.activationId));
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const text = await page.locator('body').ariaSnapshot();
    found.push(
      ...text
        .split('\n')
        .flatMap((line) => (/\bmembers?\b|\bcolleague|switch to another/i.test(line) ? [`${path}: ${line}`] : [])),
    );
  }
  expect(found).toEqual([]);
  await page.goto('/account?view=members');
  await expect(page.getByText('You are the only member.')).toBeVisible();
});
