import { readAccount } from '#shared/contract/account.ts';
import { readAccountant } from '#shared/contract/accountants.ts';
import { listActivatedServices, listActivations, previewDeleteActivation } from '#shared/contract/activations.ts';
import { listApiKeys } from '#shared/contract/api-keys.ts';
import { readCredit } from '#shared/contract/credit.ts';
import type { Call } from '#shared/contract/call.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { listAllHistory, listHistory } from '#shared/contract/invoices.ts';
import { listMemberActions } from '#shared/contract/member-log.ts';
import { listMembers } from '#shared/contract/members.ts';
import { listDisputes } from '#shared/contract/payments.ts';
import { listPlans, listProducts } from '#shared/contract/marketplace.ts';
import { readErasure } from '#shared/contract/privacy.ts';
import { readRenewal } from '#shared/contract/renewals.ts';
import { listRequestAlerts, listRequests } from '#shared/contract/request-log.ts';
import { listSupportThreads } from '#shared/contract/support.ts';
import { readUsage, readUsageReport } from '#shared/contract/usage.ts';
import { listWebhooks } from '#shared/contract/webhooks.ts';

/** A call that a page makes when it loads. */
export interface PageCall {
  call: Call;
  /** The page's message when it fails; null: the page works without it. */
  failed: string | null;
}

export interface PageCase {
  /** With `:id` for the activation. */
  path: string;
  /** Its heading once it is loaded. */
  heading: string;
  /** Something that only the data of its calls can show. */
  content: RegExp;
  calls: PageCall[];
}

const activations = { call: listActivations, failed: 'Failed to load activation data' };

/** Every page for signed-in customers (product §2) with the calls it makes. */
export const pages: PageCase[] = [
  {
    path: '/marketplace',
    heading: 'My Activations',
    content: /ACT-\w+/,
    calls: [
      { call: listProducts, failed: 'Failed to load marketplace products' },
      { call: listActivations, failed: 'Failed to load marketplace products' },
      { call: readAccount, failed: null },
    ],
  },
  {
    path: '/marketplace/invoicing-system',
    heading: 'Invoicing System',
    content: /Standard Plans/,
    calls: [
      { call: listProducts, failed: 'Failed to load service data' },
      { call: listPlans, failed: 'Failed to load plan data' },
      { call: listActivations, failed: null },
    ],
  },
  {
    path: '/reference/tax-lookup-api',
    heading: 'Tax Lookup API reference',
    content: /What counts against your quota/,
    calls: [
      { call: listProducts, failed: 'Failed to load service data' },
      { call: listActivations, failed: null },
    ],
  },
  {
    path: '/reference/tax-lookup-api/checkGstin',
    heading: 'Check a GSTIN',
    content: /checkCharacter/,
    calls: [],
  },
  {
    path: '/activations/:id',
    heading: 'Tax Lookup API',
    content: /1 active key/,
    calls: [
      activations,
      { call: listApiKeys, failed: null },
      { call: readUsage, failed: null },
      { call: listRequests, failed: null },
      { call: listRequestAlerts, failed: null },
    ],
  },
  {
    path: '/activations/:id/billing',
    heading: 'Manage Subscriptions',
    content: /Active Plan/,
    calls: [activations, { call: readRenewal, failed: null }],
  },
  {
    path: '/activations/:id/developers',
    heading: 'Developer Portal',
    content: /1 active key/,
    calls: [activations, { call: listApiKeys, failed: null }, { call: listProducts, failed: null }],
  },
  {
    path: '/activations/:id/requests',
    heading: 'Request log',
    content: /v1\/gstin/,
    calls: [
      activations,
      { call: listRequests, failed: 'Failed to load the request log' },
      { call: listRequestAlerts, failed: null },
      { call: listApiKeys, failed: null },
    ],
  },
  {
    path: '/activations/:id/support',
    heading: 'Support Portal',
    content: /ACT-\w+/,
    calls: [
      activations,
      { call: listSupportThreads, failed: 'Failed to load messages' },
      { call: listProducts, failed: null },
    ],
  },
  {
    path: '/support',
    heading: 'Support Portal',
    content: /support@example\.com/,
    calls: [
      { call: listSupportThreads, failed: 'Failed to load messages' },
      { call: listActivations, failed: null },
      { call: readAccount, failed: null },
    ],
  },
  {
    path: '/activations/:id/reporting',
    heading: 'Reporting Portal',
    content: /prod1/,
    calls: [activations, { call: readUsageReport, failed: 'Failed to load usage data' }],
  },
  {
    path: '/api/:id',
    heading: 'Tax Lookup API',
    content: /3\s*\/ 5,000 requests/,
    calls: [activations, { call: readUsage, failed: 'Failed to load usage data' }, { call: listApiKeys, failed: null }],
  },
  {
    path: '/api/:id?tab=keys',
    heading: 'Tax Lookup API',
    content: /prod1/,
    calls: [{ call: listApiKeys, failed: 'Failed to load API keys' }],
  },
  {
    path: '/api/:id?tab=billing',
    heading: 'Tax Lookup API',
    content: /₹1,499/,
    calls: [
      { call: listHistory, failed: 'Failed to load billing data' },
      { call: listDisputes, failed: null },
    ],
  },
  {
    path: '/api/:id?tab=plan',
    heading: 'Tax Lookup API',
    content: /1,00,000/,
    calls: [activations],
  },
  {
    path: '/api/:id?tab=deactivate',
    heading: 'Tax Lookup API',
    content: /Delete the activation of Tax Lookup API/,
    calls: [{ call: previewDeleteActivation, failed: 'The cost of deactivating could not be calculated' }],
  },
  {
    path: '/billing',
    heading: 'Billing Portal',
    content: /₹1,499/,
    calls: [
      { call: listActivations, failed: 'Failed to load billing data' },
      { call: listAllHistory, failed: 'Failed to load billing data' },
      { call: listDisputes, failed: null },
      { call: readCredit, failed: null },
    ],
  },
  {
    path: '/billing?view=documents',
    heading: 'Billing Portal',
    content: /OCT\/\d\d-\d\d\/\d{6}/,
    calls: [
      { call: listDocuments, failed: 'Failed to load documents' },
      { call: readAccountant, failed: 'Failed to load your accountant' },
    ],
  },
  {
    path: '/reporting',
    heading: 'Reporting Portal',
    content: /Tax Lookup API/,
    calls: [{ call: readUsageReport, failed: 'Failed to load usage data' }],
  },
  {
    path: '/developers',
    heading: 'Developer Portal',
    content: /ACT-\w+/,
    calls: [
      { call: listActivatedServices, failed: 'Failed to load activated services' },
      { call: listProducts, failed: 'Failed to load marketplace services' },
      { call: listActivations, failed: null },
    ],
  },
  {
    path: '/developers/webhooks',
    heading: 'Webhooks',
    content: /1\.1\.1\.1/,
    calls: [{ call: listWebhooks, failed: 'Failed to load webhooks' }],
  },
  {
    path: '/account',
    heading: 'Account',
    content: /Signed in with Google as/,
    calls: [{ call: readAccount, failed: 'Failed to load account data' }],
  },
  {
    path: '/account?view=activity',
    heading: 'Account',
    content: /ACT-\w+/,
    calls: [{ call: listMemberActions, failed: 'Failed to load the activity' }],
  },
  {
    path: '/account?view=members',
    heading: 'Account',
    content: /You are the only member/,
    calls: [{ call: listMembers, failed: 'Failed to load the members' }],
  },
  { path: '/account?view=mails', heading: 'Account', content: /A plan is about to end/, calls: [] },
  {
    path: '/account?view=data',
    heading: 'Account',
    content: /Ask to be erased/,
    calls: [{ call: readErasure, failed: 'Your request could not be loaded' }],
  },
];
