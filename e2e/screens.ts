import type { Page } from '@playwright/test';

/** A screen to be pictured. */
export interface Screen {
  name: string;
  /** Who looks at it, one of the demo's people; null: nobody has signed in. */
  account: string | null;
  /** With `:id` for the activation. */
  path: string;
  /** What is done on the page first. */
  act?: (page: Page) => Promise<void>;
  /** Is it one of the pictures of the documentation? */
  inDocs?: true;
}

const press = (name: string) => async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
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
  { name: 'usage', account: 'asha', path: '/api/:id', inDocs: true },
  { name: 'usage-trial', account: 'meenakshi', path: '/api/:id' },
  { name: 'keys', account: 'asha', path: '/api/:id?tab=keys' },
  { name: 'history', account: 'asha', path: '/api/:id?tab=billing' },
  { name: 'history-refunds', account: 'gurpreet', path: '/api/:id?tab=billing' },
  { name: 'plan', account: 'asha', path: '/api/:id?tab=plan' },
  { name: 'deactivate', account: 'asha', path: '/api/:id?tab=deactivate' },
  { name: 'developers', account: 'asha', path: '/developers' },
  { name: 'activation-developers', account: 'asha', path: '/activations/:id/developers' },
  { name: 'activation-reporting', account: 'asha', path: '/activations/:id/reporting' },
  { name: 'support', account: 'asha', path: '/activations/:id/support' },
  { name: 'billing', account: 'asha', path: '/billing' },
  { name: 'documents', account: 'asha', path: '/billing?view=documents' },
  { name: 'reporting', account: 'asha', path: '/reporting' },
  { name: 'account', account: 'asha', path: '/account' },
  { name: 'not-found', account: 'asha', path: '/nowhere' },
  { name: 'dialog-key', account: 'asha', path: '/api/:id?tab=keys', act: press('Generate API Key') },
  { name: 'dialog-revoke', account: 'asha', path: '/api/:id?tab=keys', act: press('Revoke prod1') },
  { name: 'dialog-add', account: 'asha', path: '/activations/:id/billing', act: press('Prepay next') },
  {
    name: 'dialog-add-day',
    account: 'asha',
    path: '/activations/:id/billing',
    act: async (page) => {
      await press('Prepay next')(page);
      await page.getByRole('radio', { name: /^Growth, / }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('table').first().waitFor();
    },
  },
  { name: 'dialog-deactivate', account: 'asha', path: '/activations/:id/billing', act: press('Deactivate plan') },
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
