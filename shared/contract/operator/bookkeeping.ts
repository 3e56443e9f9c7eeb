import { z } from 'zod';
import { monthSchema } from '#shared/contract/month-pack.ts';
import { daySchema, rupeesSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

const taxes = { igst: rupeesSchema, cgst: rupeesSchema, sgst: rupeesSchema };

export const readTrialBalance = defineOperatorCall({
  name: 'readTrialBalance',
  summary: 'The trial balance at the end of a day; income and expenses since 1 April',
  auth: 'operator',
  input: z.strictObject({
    /** Today when not given. */
    on: daySchema.optional(),
  }),
  reply: z.object({
    on: daySchema,
    rows: z.array(
      z.object({
        account: z.string(),
        title: z.string(),
        group: z.string(),
        debit: rupeesSchema,
        credit: rupeesSchema,
      }),
    ),
    debit: rupeesSchema,
    credit: rupeesSchema,
    /** In what the books differ from the ledger; empty when they agree. */
    faults: z.array(z.string()),
  }),
});

export const exportGstr1 = defineOperatorCall({
  name: 'exportGstr1',
  summary:
    'GSTR-1 of a month for each GSTIN: the JSON for upload without documents that have an IRN, the JSON and CSV tables with all',
  auth: 'operator',
  file: 'application/zip',
  input: z.strictObject({ month: monthSchema }),
  reply: z.object({
    month: monthSchema,
    returns: z.array(
      z.object({
        gstin: z.string(),
        tables: z.array(z.object({ table: z.string(), rows: z.int() })),
        net: z.object({ taxable: rupeesSchema, ...taxes, total: rupeesSchema }),
        /** Documents that the GST portal fills in by itself. */
        filledIn: z.int(),
        /** What the check of every column and total found; empty when it is consistent. */
        faults: z.array(z.string()),
      }),
    ),
  }),
});

export const exportGstr3b = defineOperatorCall({
  name: 'exportGstr3b',
  summary: 'The figures of GSTR-3B of a month for each GSTIN, as JSON for upload and as CSV',
  auth: 'operator',
  file: 'application/zip',
  input: z.strictObject({ month: monthSchema }),
  reply: z.object({
    month: monthSchema,
    returns: z.array(
      z.object({
        gstin: z.string(),
        rows: z.array(z.object({ name: z.string(), taxable: rupeesSchema, ...taxes })),
        /** Rows below zero: the GST portal takes zero, and the rest lowers a later month. */
        negativeRows: z.array(z.string()),
      }),
    ),
    /** GST on the payment gateway’s fees, as booked; none of the returns has it, as the credit is what GSTR-2B has. */
    gstOnFees: rupeesSchema.nullable(),
  }),
});

export const exportBooks = defineOperatorCall({
  name: 'exportBooks',
  summary:
    'The files of a month or financial year: masters and vouchers for Tally, registers, day book, trial balance, TDS receivable',
  auth: 'operator',
  file: 'application/zip',
  input: z.strictObject({
    /** `2026-10`, or `2026-27` for a financial year. */
    period: z.string().regex(/^\d{4}-\d{2}$/, 'must be a month or financial year, such as 2026-10 or 2026-27'),
  }),
  reply: z.object({ period: z.string(), from: daySchema, to: daySchema, files: z.array(z.string()) }),
});

export const bookkeepingCalls = { readTrialBalance, exportGstr1, exportGstr3b, exportBooks };
