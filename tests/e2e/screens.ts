import { randomBytes } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { problem } from './failures.ts';

/** A screen to take a picture of. */
export interface Screen {
  name: string;
  /** The signed-in customer, one of the demo's; null: signed out. */
  account: string | null;
  /** With `:id` for the activation, `:webhook` for the first webhook, `:thread` for the newest thread. */
  path: string;
  /** Steps to take on the page first. */
  act?: (page: Page) => Promise<void>;
  /** True for a picture of the documentation. */
  inDocs?: true;
}

const press = (name: string) => async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

const pressIn = (menu: string, item: string) => async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name: menu }).first().click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  await page.getByRole('dialog').waitFor();
};

/** Opens the page again while one of its calls fails. */
const reload = (call: string, answer: 'none' | 'failure') => async (page: Page) => {
  await page.route(`**/backend/${call}`, (route) =>
    answer === 'failure' ? route.fulfill(problem('internal')) : undefined,
  );
  await page.reload();
  if (answer === 'none') await page.getByRole('main').locator('.mantine-Loader-root').waitFor();
  else await page.getByRole('button', { name: 'Try Again' }).waitFor();
};

/** Opens the dialog that generates a key, and enters its name. */
const nameKey = async (page: Page, name: string): Promise<Locator> => {
  await press('Generate API Key')(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Key name' }).fill(name);
  return dialog;
};

/** Presses a button whose call never gets a response. */
const start = async (page: Page, call: string, button: Locator): Promise<void> => {
  await page.route(`**/backend/${call}`, () => undefined);
  await button.click();
  await page.locator('button .mantine-Loader-root').first().waitFor();
};

export const screens: Screen[] = [
  { name: 'login', account: null, path: '/login' },
  { name: 'marketplace', account: 'asha', path: '/marketplace', inDocs: true },
  { name: 'marketplace-new', account: 'lalrinpuii', path: '/marketplace' },
  { name: 'product', account: 'lalrinpuii', path: '/marketplace/tax-lookup-api' },
  { name: 'product-activated', account: 'asha', path: '/marketplace/tax-lookup-api' },
  { name: 'reference', account: 'asha', path: '/reference/tax-lookup-api' },
  { name: 'reference-call', account: 'asha', path: '/reference/tax-lookup-api/checkGstin' },
  { name: 'reference-body', account: 'asha', path: '/reference/invoicing-system/computeInvoice' },
  { name: 'activation', account: 'asha', path: '/activations/:id' },
  { name: 'subscriptions', account: 'asha', path: '/activations/:id/billing', inDocs: true },
  { name: 'subscriptions-due', account: 'imran', path: '/activations/:id/billing' },
  { name: 'subscriptions-confirming', account: 'rohan', path: '/activations/:id/billing' },
  { name: 'subscriptions-free', account: 'gurpreet', path: '/activations/:id/billing' },
  {
    name: 'dialog-switch',
    account: 'gurpreet',
    path: '/activations/:id/billing?switch',
    act: async (page) => {
      await page
        .getByRole('dialog')
        .getByRole('radio', { name: /^Growth, / })
        .click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /₹1,499/ })
        .waitFor();
    },
  },
  { name: 'usage', account: 'asha', path: '/api/:id', inDocs: true },
  { name: 'usage-trial', account: 'meenakshi', path: '/api/:id' },
  { name: 'keys', account: 'asha', path: '/api/:id?tab=keys' },
  { name: 'history', account: 'asha', path: '/api/:id?tab=billing' },
  { name: 'history-refunds', account: 'gurpreet', path: '/api/:id?tab=billing' },
  { name: 'plan', account: 'asha', path: '/api/:id?tab=plan' },
  { name: 'requests', account: 'asha', path: '/activations/:id/requests' },
  {
    name: 'dialog-request',
    account: 'asha',
    path: '/activations/:id/requests',
    act: async (page) => {
      await page.getByRole('row').filter({ hasText: '404' }).getByRole('button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'dialog-tds', account: 'asha', path: '/billing', act: pressIn('More for', 'Declare TDS') },
  { name: 'deactivate', account: 'asha', path: '/api/:id?tab=deactivate' },
  { name: 'developers', account: 'asha', path: '/developers' },
  { name: 'webhooks', account: 'asha', path: '/developers/webhooks' },
  { name: 'webhook', account: 'asha', path: '/developers/webhooks/:webhook' },
  { name: 'activation-developers', account: 'asha', path: '/activations/:id/developers' },
  { name: 'activation-reporting', account: 'asha', path: '/activations/:id/reporting' },
  { name: 'support', account: 'asha', path: '/activations/:id/support' },
  {
    name: 'support-sending',
    account: 'asha',
    path: '/activations/:id/support',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Subject' }).fill('An answer took 30 seconds');
      await page.getByRole('textbox', { name: 'Message' }).fill('It came at 11:04, with the request id req_4Hq.');
      await start(page, 'support/threads', page.getByRole('button', { name: 'Send message' }));
    },
  },
  { name: 'support-general', account: 'asha', path: '/support' },
  { name: 'support-thread', account: 'asha', path: '/support/:thread' },
  { name: 'billing', account: 'asha', path: '/billing' },
  { name: 'documents', account: 'asha', path: '/billing?view=documents' },
  { name: 'reporting', account: 'asha', path: '/reporting' },
  { name: 'account', account: 'asha', path: '/account' },
  { name: 'account-mails', account: 'asha', path: '/account?view=mails' },
  { name: 'account-data', account: 'asha', path: '/account?view=data' },
  {
    name: 'account-faults',
    account: 'lalrinpuii',
    path: '/account',
    act: async (page) => {
      await page.getByLabel('GSTIN (optional)').fill('27AAPFU0939F1ZW');
      await page.getByLabel('Phone').fill('12');
      await page.getByRole('button', { name: 'Save' }).click();
    },
  },
  { name: 'not-found', account: 'asha', path: '/nowhere' },
  { name: 'empty-billing', account: 'lalrinpuii', path: '/billing' },
  { name: 'empty-reporting', account: 'lalrinpuii', path: '/reporting' },
  { name: 'empty-webhooks', account: 'lalrinpuii', path: '/developers/webhooks' },
  { name: 'loading', account: 'asha', path: '/marketplace', act: reload('marketplace', 'none') },
  { name: 'failed', account: 'asha', path: '/marketplace', act: reload('marketplace', 'failure') },
  {
    name: 'search',
    account: 'asha',
    path: '/marketplace',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('textbox').waitFor();
    },
  },
  {
    name: 'search-found',
    account: 'asha',
    path: '/marketplace',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('textbox').fill('rotate');
      await page.getByRole('dialog').getByRole('button').first().waitFor();
    },
  },
  {
    name: 'menu',
    account: 'asha',
    path: '/marketplace',
    act: async (page) => {
      const opener = page.getByRole('button', { name: 'Open menu' });
      if (await opener.isVisible()) await opener.click();
    },
  },
  { name: 'dialog-key', account: 'asha', path: '/api/:id?tab=keys', act: press('Generate API Key') },
  {
    name: 'dialog-key-limits',
    account: 'asha',
    path: '/api/:id?tab=keys',
    act: async (page) => {
      await press('Generate API Key')(page);
      await page.getByRole('dialog').getByText('Limits (optional)').click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Key name' }).fill('a_b');
    },
  },
  {
    name: 'dialog-key-made',
    account: 'meenakshi',
    path: '/api/:id?tab=keys',
    act: async (page) => {
      // Each variant makes one.
      const dialog = await nameKey(page, `k${randomBytes(2).toString('hex')}`);
      await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
      await dialog.getByRole('button', { name: 'Done' }).waitFor();
    },
  },
  {
    name: 'dialog-key-making',
    account: 'asha',
    path: '/api/:id?tab=keys',
    act: async (page) => {
      const dialog = await nameKey(page, 'stage');
      await start(
        page,
        'devportal/services/*/apikeys/generate',
        dialog.getByRole('button', { name: 'Generate', exact: true }),
      );
    },
  },
  { name: 'dialog-limits', account: 'asha', path: '/api/:id?tab=keys', act: pressIn('More for prod1', 'Limits') },
  { name: 'dialog-replace', account: 'asha', path: '/api/:id?tab=keys', act: press('Replace prod1') },
  { name: 'dialog-webhook', account: 'asha', path: '/developers/webhooks', act: press('Add webhook') },
  { name: 'dialog-delivery', account: 'asha', path: '/developers/webhooks/:webhook', act: press('Details of') },
  { name: 'dialog-roll', account: 'asha', path: '/developers/webhooks/:webhook', act: press('Roll secret') },
  { name: 'dialog-revoke', account: 'asha', path: '/api/:id?tab=keys', act: press('Revoke prod1') },
  {
    name: 'dialog-add',
    account: 'asha',
    path: '/activations/:id/billing',
    act: async (page) => {
      await press('Prepay next')(page);
      await page.getByRole('button', { name: 'Back to Plans' }).click();
    },
  },
  {
    name: 'dialog-add-day',
    account: 'asha',
    path: '/activations/:id/billing',
    act: async (page) => {
      await press('Prepay next')(page);
      await page.getByRole('radio', { name: 'Another day' }).check();
      await page.getByRole('table').first().waitFor();
    },
  },
  { name: 'dialog-deactivate', account: 'asha', path: '/activations/:id/billing', act: press('Deactivate plan') },
  {
    name: 'dialog-purchase-order',
    account: 'imran',
    path: '/activations/:id/billing',
    act: press('Add a purchase order'),
  },
  {
    name: 'checkout',
    account: 'imran',
    path: '/activations/:id/billing',
    inDocs: true,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Pay ₹/ })
        .first()
        .click();
      const sheet = page.frameLocator('iframe[src*="/checkout"]');
      await sheet.getByLabel('Card number').waitFor();
    },
  },
];
