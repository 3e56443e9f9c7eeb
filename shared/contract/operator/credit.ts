import { z } from 'zod';
import { billSchema, statementSchema } from '#shared/contract/credit.ts';
import { daySchema, rupeesSchema } from '#shared/contract/values.ts';
import { maxTermDays } from '#shared/domain/pay-later.ts';
import { defineOperatorCall } from './operator-call.ts';

export const termsSchema = z.object({ limit: rupeesSchema, days: z.int(), stopAfterDays: z.int() });

export const setCreditTerms = defineOperatorCall({
  name: 'setCreditTerms',
  summary:
    'Let a business pay later: up to a limit, within some days; or end that. What was sold so stays as it was agreed',
  auth: 'operator',
  action: 'customers.terms',
  concerns: 'customer',
  input: z.strictObject({
    customerId: z.string(),
    /** In rupees: as much may be due at once. 0: nothing more is sold to be paid later. */
    limit: z.number().min(0).max(100_000_000).multipleOf(0.01),
    /** From the day of the invoice to the last day for its payment. As before when not given; 30 at first. */
    days: z.int().min(1).max(maxTermDays).optional(),
    /** So many days overdue, the plans that are not paid stop. As before when not given; 15 at first. */
    stopAfterDays: z.int().min(0).max(maxTermDays).optional(),
  }),
  reply: termsSchema.extend({
    customerId: z.string(),
    name: z.string(),
    email: z.string(),
    before: termsSchema.nullable(),
    /** What the customer has to pay now. */
    due: rupeesSchema,
    /** What the law says to these days. */
    warning: z.string().nullable(),
  }),
});

export const writeOffBill = defineOperatorCall({
  name: 'writeOffBill',
  summary:
    'Write off what is due of a bill that will not be paid, as a bad debt: nothing is due of it any more. It can still be paid, and the tax stays as it is',
  auth: 'operator',
  action: 'customers.write-off',
  concerns: 'customer',
  input: z.strictObject({
    /** The plan that was sold with the bill, or the number of its invoice. */
    cycleId: z.string(),
  }),
  reply: z.object({
    customerId: z.string(),
    customer: z.string(),
    billingCycleId: z.string(),
    invoice: z.string(),
    dueOn: daySchema,
    /** With its tax. */
    amount: rupeesSchema,
  }),
});

export const listBills = defineOperatorCall({
  name: 'listBills',
  summary:
    'Bills of what is paid later of which something is due, or was written off, of one customer or all, the longest due first',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string().optional() }),
  reply: z.object({
    /** Of that customer. */
    terms: termsSchema.nullable(),
    bills: z.array(billSchema.extend({ customerId: z.string(), customer: z.string() })),
  }),
});

export const readStatementOf = defineOperatorCall({
  name: 'readStatementOf',
  summary: 'The statement of account of what a customer pays later, for some days, both included',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string(), from: daySchema, to: daySchema }),
  reply: statementSchema,
});

export const creditCalls = { setCreditTerms, writeOffBill, listBills, readStatementOf };
