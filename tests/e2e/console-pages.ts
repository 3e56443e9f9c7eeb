/** Pages of the console, with their first headings. */
export const consolePages = [
  { path: '/', heading: 'Today' },
  { path: '/customers?q=example.com', heading: 'Customers' },
  { path: '/support?status=ALL', heading: 'Support' },
  { path: '/support/answers', heading: 'Canned answers' },
  { path: '/money/payments', heading: 'Money' },
  { path: '/money/refunds', heading: 'Money' },
  { path: '/money/tds', heading: 'Money' },
  { path: '/money/remittances', heading: 'Money' },
  { path: '/money/e-invoices', heading: 'Money' },
  { path: '/money/tax-claims', heading: 'Money' },
  { path: '/money/settlements', heading: 'Money' },
  { path: '/month-end', heading: 'Month end' },
  { path: '/figures', heading: 'Figures' },
  { path: '/catalogue', heading: 'Catalogue' },
  { path: '/catalogue/import', heading: 'Import an API' },
  { path: '/audit', heading: 'Audit log' },
  { path: '/team', heading: 'Team & API' },
  { path: '/team?tab=programs', heading: 'Team & API' },
  { path: '/team?tab=roles', heading: 'Team & API' },
  { path: '/nowhere', heading: 'There is nothing at this address' },
];

/** The parts of the page of a customer. */
export const partsOfCustomer = ['overview', 'money', 'calls', 'members', 'support', 'mails', 'log'];
