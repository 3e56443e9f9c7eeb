import { listActivations } from '#contract/activations.ts';
import type { Call } from '#contract/call.ts';
import { listDocuments } from '#contract/documents.ts';
import { listAllHistory, listHistory } from '#contract/invoices.ts';
import { readUsage } from '#contract/usage.ts';

/** The calls whose replies go out of date when a plan is added, paid or ended, or an invoice is corrected. */
export const billingCalls: readonly Call[] = [listActivations, listAllHistory, listDocuments, listHistory, readUsage];
