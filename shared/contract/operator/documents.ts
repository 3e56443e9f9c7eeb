import { z } from 'zod';
import { documentKindSchema } from '#shared/contract/documents.ts';
import { daySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { waitStates } from '#shared/domain/e-invoice-deadline.ts';
import { remittanceKinds } from '#shared/domain/remittance.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';

/** What the invoice portal said. */
const refusalSchema = z.object({ code: z.string(), reason: z.string() });

export const sendDocuments = defineOperatorCall({
  name: 'sendDocuments',
  summary: 'Mail documents of one customer again, as their newest versions are',
  auth: 'operator',
  action: 'documents.send',
  concerns: 'customer',
  input: z.strictObject({
    /** Their numbers or ids. */
    documents: z.array(z.string()).min(1),
    /** Another address than the one with which the customer signs in. */
    to: z.string().optional(),
  }),
  reply: z.object({
    customerId: z.string(),
    recipient: z.string(),
    /** The recipient is not the customer's sign-in address. */
    isOtherAddress: z.boolean(),
    documents: z.array(
      z.object({
        id: z.string(),
        kind: documentKindSchema,
        number: z.string(),
        issuedOn: daySchema,
        exempt: z.boolean(),
        title: z.string(),
      }),
    ),
  }),
});

export const listDocuments = defineOperatorCall({
  name: 'listDocuments',
  summary: 'The documents of a customer, newest first',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string(), ...pageInput }),
  reply: z.object({
    documents: z.array(
      z.object({
        id: z.string(),
        kind: documentKindSchema,
        number: z.string(),
        issuedOn: daySchema,
        total: rupeesSchema,
        cycleId: z.string(),
        paymentId: z.string(),
        /** The document that it follows. */
        refersTo: z.string().nullable(),
        irn: z.string().nullable(),
        /** Its registration with the invoice portal; null when it needs none. */
        registration: z.enum(['REGISTERED', 'CANCELLED', 'WAITING', 'REFUSED', 'NEVER']).nullable(),
        /** Why the invoice portal refused it. */
        refused: refusalSchema.nullable(),
        /** Until when the registration of this invoice can be cancelled; null when it can’t. */
        cancellableUntil: instantSchema.nullable(),
        /** It has a file, and can be sent. */
        isPrinted: z.boolean(),
      }),
    ),
    next: nextSchema,
  }),
});

/** The proof that an export was paid for from abroad, as the database takes it. */
export const proofSchema = z.strictObject({
  paymentId: z.string(),
  kind: z.enum(remittanceKinds),
  /** The number that the bank or Razorpay gave it. */
  reference: z.string().regex(/^\S(.{0,98}\S)?$/),
  /** When the money was received. */
  receivedOn: daySchema,
  /** In the currency, such as `17.90`, more than nothing. */
  amount: z.string().regex(/^(?=.*[1-9])\d{1,15}(\.\d{1,3})?$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
});

/** A taxable export, and the proof of its payment. */
const exportSchema = z.object({
  paymentId: z.string(),
  number: z.string(),
  issuedOn: daySchema,
  buyer: z.string(),
  country: z.string(),
  customerId: z.string(),
  total: rupeesSchema,
  /** The letter of undertaking under which it was sold; null when its tax was paid. */
  underLetter: z.string().nullable(),
  state: z.enum(['proved', 'awaited', 'overdue']),
  /** Until when the money has to come, and the tax with interest is due without it (Rule 96A). */
  dueOn: daySchema,
  daysLeft: z.int(),
  taxDueOn: daySchema,
  proof: z.object({ kind: z.enum(remittanceKinds), reference: z.string(), receivedOn: daySchema }).nullable(),
});
export type ListedExport = z.output<typeof exportSchema>;

export const listRemittances = defineOperatorCall({
  name: 'listRemittances',
  summary: 'Taxable exports with the proofs of their payments, oldest first',
  auth: 'operator',
  input: z.strictObject({
    /** Those with a proof too. */
    all: z.boolean(),
  }),
  reply: z.array(exportSchema),
});

export const recordRemittance = defineOperatorCall({
  name: 'recordRemittance',
  summary: 'Record the proof that an export was paid for; a second one for the payment corrects the first',
  auth: 'operator',
  action: 'remittances.record',
  concerns: 'customer',
  input: proofSchema,
  reply: proofSchema.extend({ customerId: z.string() }),
});

export const listUnregistered = defineOperatorCall({
  name: 'listUnregistered',
  summary: 'The documents that are not registered with the invoice portal, oldest first, and the ways out of each',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.object({
    documents: z.array(
      z.object({
        number: z.string(),
        kind: documentKindSchema,
        state: z.enum(waitStates),
        issuedOn: daySchema,
        /** Until when the invoice portal takes it; null when it sets no limit. */
        lastDay: daySchema.nullable(),
        daysLeft: z.int().nullable(),
        customerId: z.string(),
        buyer: z.string(),
        buyerGstin: z.string().nullable(),
        total: rupeesSchema,
        /** What the invoice portal said. */
        refused: refusalSchema.nullable(),
        waysOut: z.array(z.string()),
      }),
    ),
  }),
});

export const retryEInvoice = defineOperatorCall({
  name: 'retryEInvoice',
  summary: 'Have the running portal register a document again that the invoice portal had refused',
  auth: 'operator',
  action: 'e-invoices.retry',
  concerns: 'customer',
  input: z.strictObject({ number: z.string() }),
  reply: z.object({ number: z.string(), customerId: z.string(), buyer: z.string(), refused: refusalSchema }),
});

export const printDocument = defineOperatorCall({
  name: 'printDocument',
  summary: 'Have the running portal make the PDF of a document that has none',
  auth: 'operator',
  action: 'documents.print',
  concerns: 'customer',
  input: z.strictObject({ number: z.string() }),
  reply: z.object({
    number: z.string(),
    customerId: z.string(),
    buyer: z.string(),
    kind: documentKindSchema,
    issuedOn: daySchema,
  }),
});

export const documentCalls = {
  sendDocuments,
  listDocuments,
  listRemittances,
  recordRemittance,
  listUnregistered,
  retryEInvoice,
  printDocument,
};
