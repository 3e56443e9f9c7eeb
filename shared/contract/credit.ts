import { z } from 'zod';
import { purchaseOrderNumberSchema } from './account.ts';
import { defineCall } from './call.ts';
import { ids } from './ids.ts';
import { createOrder } from './payments.ts';
import { catalogTextSchema, daySchema, effectiveBySchema, rupeesSchema } from './values.ts';
import { ageBands } from '#shared/domain/pay-later.ts';

/** What was sold to be paid later, with its invoice (decision 081). */
export const billSchema = z.object({
  billingCycleId: z.string(),
  activationId: z.string(),
  planName: catalogTextSchema,
  invoice: z.string(),
  documentId: z.string(),
  /** Of the invoice. */
  amount: rupeesSchema,
  /** What is left to pay of it. */
  due: rupeesSchema,
  /** Owed, and due no more: the provider expects it no more, until it is paid after all. */
  writtenOff: rupeesSchema,
  billedOn: daySchema,
  dueOn: daySchema,
  /** The first day on which calls of plans that are not paid are refused. */
  stopsOn: daySchema,
  state: z.enum(['PAID', 'DUE', 'OVERDUE', 'STOPPED', 'WRITTEN_OFF']),
});

export const readCredit = defineCall({
  name: 'readCredit',
  summary: 'What the caller may pay later, and the bills of what was sold so',
  method: 'GET',
  path: '/billing/credit',
  auth: 'session',
  reply: z.object({
    /** Null: the caller pays at once. */
    terms: z
      .object({
        limit: rupeesSchema,
        days: z.int(),
        stopAfterDays: z.int(),
        /** What can still be paid later. */
        left: rupeesSchema,
        /** Why nothing can at the moment. */
        why: z.enum(['NO_TERMS', 'OVERDUE', 'WRITTEN_OFF', 'LIMIT']).nullable(),
      })
      .nullable(),
    due: rupeesSchema,
    bills: z.array(billSchema.extend({ productName: z.string() })),
  }),
  refusals: [],
});

export const payLater = defineCall({
  name: 'payLater',
  summary: 'Begin an unpaid subscription now, with its invoice, and pay it later, as the provider allows the caller',
  method: 'POST',
  path: '/billing/:activationId/pay-later',
  auth: 'session',
  params: z.object({ activationId: ids.activation }),
  body: z.strictObject({
    billingCycleId: ids.cycle,
    /** What its invoice names. Null: none. When absent, that of the business details. */
    purchaseOrder: z.strictObject({ number: purchaseOrderNumberSchema, date: daySchema.nullable() }).nullish(),
  }),
  reply: z.object({ billingCycleId: z.string(), dueOn: daySchema, effectiveBy: effectiveBySchema }),
  refusals: [...createOrder.refusals, 'no_credit_terms', 'bill_overdue', 'credit_limit_reached', 'gst_rate_changes'],
});

export const statementSchema = z.object({
  from: daySchema,
  to: daySchema,
  opening: rupeesSchema,
  lines: z.array(
    z.object({
      on: daySchema,
      kind: z.enum(['INVOICE', 'PAYMENT', 'TDS', 'CREDIT_NOTE', 'RETURNED', 'WRITTEN_OFF', 'REINSTATED']),
      reference: z.string(),
      /** Above zero: more is due by it. */
      amount: rupeesSchema,
      balance: rupeesSchema,
    }),
  ),
  closing: rupeesSchema,
  /** What is written off at the end, beside what is due. */
  writtenOff: rupeesSchema,
  /** What is due at the end, by the days for which it has been overdue then. */
  ageing: z.array(z.object({ band: z.enum(ageBands), amount: rupeesSchema })),
});

export const readStatement = defineCall({
  name: 'readStatement',
  summary: 'The statement of account of what the caller pays later, for some days, both included',
  method: 'GET',
  path: '/billing/statement',
  auth: 'session',
  query: z.strictObject({ from: daySchema, to: daySchema }),
  reply: statementSchema,
  refusals: [],
});

export const readStatementPaper = defineCall({
  name: 'readStatementPaper',
  summary: 'Get a short-lived download address for the same as a PDF',
  method: 'GET',
  path: '/billing/statement/:from/:to',
  auth: 'session',
  params: z.object({ from: daySchema, to: daySchema }),
  reply: z.object({ downloadUrl: z.string() }),
  refusals: [],
});
