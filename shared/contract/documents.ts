import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { askedDaySchema, daySchema, rupeesSchema } from '#shared/contract/values.ts';

export const documentKindSchema = z.enum(['INVOICE', 'RECEIPT_VOUCHER', 'REFUND_VOUCHER', 'CREDIT_NOTE']);

/** A document under the GST law. Amounts in rupees; those of a credit note or refund voucher are what is refunded. */
export const documentSchema = z.object({
  id: z.string(),
  kind: documentKindSchema,
  /** Its supply is nil-rated or exempt: an invoice is a bill of supply. */
  exempt: z.boolean(),
  number: z.string(),
  /** Its date, an IST day. */
  date: daySchema,
  activationId: z.string(),
  billingCycleId: z.string(),
  desc: z.string(),
  fromDate: daySchema,
  toDate: daySchema,
  placeOfSupply: z.string(),
  taxableValue: rupeesSchema,
  cgst: rupeesSchema,
  sgst: rupeesSchema,
  utgst: rupeesSchema,
  igst: rupeesSchema,
  roundOff: rupeesSchema,
  total: rupeesSchema,
  /** The number of the document that it refers to: the invoice of a credit note, the receipt voucher of an invoice. */
  refersTo: z.string().nullable(),
  /** The invoice reference number, where the document is registered on the invoice portal. */
  irn: z.string().nullable(),
  /** Why the invoice portal rejected it; a rejected document has no file. Null when it was not rejected. */
  refused: z.string().nullable(),
  /** Its registration was cancelled; another document replaces it. */
  cancelled: z.boolean(),
  /** The day on which the buyer's details on it were amended; its number and date stay. Null when they were not. */
  revisedOn: daySchema.nullable(),
  /** True while the buyer's details on it can still be corrected. */
  correctable: z.boolean(),
  /** The call that returns its file. */
  download: z.string(),
});
export type Document = z.output<typeof documentSchema>;

export const listDocuments = defineCall({
  name: 'listDocuments',
  summary: 'All invoices, vouchers and credit notes of the customer, newest first',
  method: 'GET',
  path: '/billing/documents',
  auth: 'session',
  reply: z.object({ documents: z.array(documentSchema) }),
  refusals: [],
});

/** The version of an amended document: the valid one, or the one that was issued first. */
export const documentVersionSchema = z.enum(['current', 'original']);
export type DocumentVersion = z.output<typeof documentVersionSchema>;

export const readDocument = defineCall({
  name: 'readDocument',
  summary: 'Get a short-lived download address for a document',
  method: 'GET',
  path: '/billing/documents/:documentId',
  auth: 'session',
  params: z.object({ documentId: ids.document }),
  query: z.object({ version: documentVersionSchema.default('current') }),
  reply: z.object({ downloadUrl: z.string(), number: z.string() }),
  refusals: [
    'not_found',
    'document_in_preparation',
    'document_refused',
    'document_delayed',
    'document_unavailable',
    'too_many_requests',
  ],
});

export const correctInvoice = defineCall({
  name: 'correctInvoice',
  summary:
    'Correct the buyer of an invoice to the current business profile: amends it, or issues a credit note and a new invoice',
  method: 'POST',
  path: '/billing/documents/:documentId/correction',
  auth: 'session',
  params: z.object({ documentId: ids.document }),
  reply: z.object({
    /** Null when only details changed: the invoice was then amended and keeps its number. */
    creditNote: z.object({ id: z.string(), number: z.string() }).nullable(),
    invoice: z.object({ id: z.string(), number: z.string() }),
    /** Tax that was added to the price and is no longer due. */
    refundAmount: rupeesSchema,
  }),
  refusals: [
    'not_found',
    'profile_incomplete',
    'cannot_correct',
    'nothing_to_correct',
    'corrected_too_often',
    'too_late_to_correct',
    'correction_needs_payment',
    'gstin_not_active',
    'gstin_unknown',
    'too_many_requests',
  ],
});

export const readPurchaseRegister = defineCall({
  name: 'readPurchaseRegister',
  summary: 'Get a short-lived download address for the purchase register: all documents of a date range as CSV',
  method: 'GET',
  path: '/billing/register/:from/:to',
  auth: 'session',
  params: z.object({ from: askedDaySchema, to: askedDaySchema }),
  reply: z.object({ downloadUrl: z.string() }),
  refusals: [],
});
