import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { changedOfferSchema, cycleStatusSchema, openBillSchema, paymentSchema } from '#shared/contract/cycles.ts';
import { documentSchema } from '#shared/contract/documents.ts';
import { ids } from '#shared/contract/ids.ts';
import { tdsSchema } from '#shared/contract/tds.ts';
import {
  catalogNamesSchema,
  catalogTextSchema,
  daySchema,
  instantSchema,
  rupeesSchema,
} from '#shared/contract/values.ts';

/** `TRANSFER`: it can't go back the way it was paid, and waits for a bank transfer. */
const entryRefundSchema = z
  .object({ amount: rupeesSchema, status: z.enum(['STARTED', 'PENDING', 'TRANSFER', 'PROCESSED', 'FAILED']) })
  .nullable();

export const historyEntrySchema = z.object({
  /** The billing cycle's id. */
  id: z.string(),
  /** The IST day on which it was paid or, while unpaid, ordered. */
  date: daySchema,
  /** As shown to customers: 30 days. */
  validFor: z.string(),
  /** The names of the service and of the plan. */
  desc: catalogNamesSchema,
  planName: catalogTextSchema,
  amount: rupeesSchema,
  changed: changedOfferSchema,
  status: cycleStatusSchema,
  bill: openBillSchema,
  fromDate: daySchema,
  toDate: daySchema,
  /**
   * The number of the invoice; of the receipt voucher until a cycle paid in advance starts; null until something is
   * paid.
   */
  invoiceId: z.string().nullable(),
  /** The call that returns its file; null while there is none. */
  invoiceDownload: z.string().nullable(),
  /** The cycle that it replaces; null when it is no switch (product §4.21). */
  replaces: z.string().nullable(),
  /** Why the provider granted it without a payment; null when it was bought or is free. */
  granted: z.string().nullable(),
  payments: z.array(paymentSchema),
  /** Of the payment that it was sold for. */
  refund: entryRefundSchema,
  /** Of other payments, such as a second one: they go back, and take nothing from what was paid. */
  returned: entryRefundSchema,
  /** Tax deducted at source; null where the customer can't have deducted any. */
  tds: tdsSchema.nullable(),
  /** Every document of the cycle, oldest first. */
  documents: z.array(documentSchema),
});
export type HistoryEntry = z.output<typeof historyEntrySchema>;

export const listHistory = defineCall({
  name: 'listHistory',
  summary: 'The billing history of an activation, newest first',
  method: 'GET',
  path: '/billing/history/:id',
  auth: 'session',
  params: z.object({ id: ids.activation }),
  reply: z.array(historyEntrySchema),
  refusals: ['not_found'],
});

export const allHistoryEntrySchema = historyEntrySchema.extend({
  activation: z.object({
    id: z.string(),
    /** The service's name; 'Unknown API' when the product has been removed from the catalogue (product §2.25). */
    service: catalogTextSchema,
    /** When the activation was deleted; null if it was not. */
    deletedAt: instantSchema.nullable(),
  }),
});
export type AllHistoryEntry = z.output<typeof allHistoryEntrySchema>;

export const listAllHistory = defineCall({
  name: 'listAllHistory',
  summary: 'The billing history of all activations, deleted ones included, newest first',
  method: 'GET',
  path: '/billing/history',
  auth: 'session',
  reply: z.object({ entries: z.array(allHistoryEntrySchema) }),
  refusals: [],
});

export const readInvoice = defineCall({
  name: 'readInvoice',
  summary: 'Get a short-lived download address for the invoice of a billing cycle',
  method: 'GET',
  path: '/billing/invoice/:billingCycleId',
  auth: 'session',
  params: z.object({ billingCycleId: ids.cycle }),
  reply: z.object({
    downloadUrl: z.string().optional().meta({ description: 'Absent when the file comes another way' }),
    invoiceId: z.string(),
  }),
  refusals: [
    'not_found',
    'no_invoice',
    'document_in_preparation',
    'document_refused',
    'document_delayed',
    'document_unavailable',
  ],
});
