import { listActivations } from '#shared/contract/activations.ts';
import type { Call } from '#shared/contract/call.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { listAllHistory, listHistory } from '#shared/contract/invoices.ts';
import type { readCredit, readStatement } from '#shared/contract/credit.ts';
import type { readRenewal } from '#shared/contract/renewals.ts';
import { readUsage } from '#shared/contract/usage.ts';

/** The calls whose replies go out of date when a plan is added, paid or ended, or an invoice is corrected. */
export const billingCalls: readonly Pick<Call, 'name'>[] = [
  listActivations,
  listAllHistory,
  listDocuments,
  listHistory,
  // Most pages that change a plan show no renewal and no bills: they don't load their contracts.
  { name: 'readRenewal' satisfies (typeof readRenewal)['name'] },
  { name: 'readCredit' satisfies (typeof readCredit)['name'] },
  { name: 'readStatement' satisfies (typeof readStatement)['name'] },
  readUsage,
];
