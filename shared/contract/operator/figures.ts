import { z } from 'zod';
import { askedDaySchema, daySchema, rupeesSchema } from '#shared/contract/values.ts';
import { addDays } from '#shared/domain/day.ts';
import { defineOperatorCall } from './operator-call.ts';

/** The most days that figures are asked for at once. */
export const mostFigureDays = 366;
/** How many customers with the most revenue are named. */
export const topCustomers = 20;

/** What each figure means, as pages and files print it. Amounts are rupees; revenue is without GST. */
export const figureDefinitions = {
  cash: 'Payments that came in on the day less what was paid back on it, GST included, in rupees alone',
  revenue:
    'What was earned on the day: each invoice without GST, spread evenly over the days of its plan, less what credit notes took back. The sum of days is the revenue of the books.',
  activePaidPlans: 'Paid plans that gave access at the end of the day. Packs, free and granted plans do not count.',
  prepaidDays: 'Days of paid plans after the last day asked for, as they stand now',
  calls: 'Calls that an API answered, counted against a quota or not',
  refused:
    'Calls of known keys that the gateway refused, from the request log; nothing where the log is deleted already',
  startedFree: 'Customers whose first free plan or trial of the product began in these days',
  nowPaid: 'How many of them have paid for a plan of the product since then',
} as const;

const count = z.int();

export const readFigures = defineOperatorCall({
  name: 'readFigures',
  summary: 'Cash, revenue, plans, calls and conversion of some days, by day, product, plan and customer',
  auth: 'operator',
  input: z
    .strictObject({
      /** 30 days when not given. */
      from: askedDaySchema.optional(),
      /** Yesterday when not given; days to come are left out. */
      to: askedDaySchema.optional(),
    })
    .refine(
      ({ from = '', to = from }) => from <= to && (from === '' || to < addDays(from, mostFigureDays)),
      `must be 1 to ${mostFigureDays} days`,
    ),
  reply: z.object({
    days: z.array(
      z.object({
        day: daySchema,
        cash: rupeesSchema,
        revenue: rupeesSchema,
        activePaidPlans: count,
        calls: count,
        refused: count.nullable(),
      }),
    ),
    products: z.array(
      z.object({
        productId: z.string(),
        revenue: rupeesSchema,
        calls: count,
        refused: count.nullable(),
        startedFree: count,
        nowPaid: count,
      }),
    ),
    plans: z.array(
      z.object({
        productId: z.string(),
        planId: z.string(),
        planName: z.string(),
        revenue: rupeesSchema,
        activePaidPlans: count,
        prepaidDays: count,
      }),
    ),
    /** Those with the most revenue, the first one first. */
    customers: z.array(z.object({ customerId: z.string(), name: z.string(), revenue: rupeesSchema, calls: count })),
  }),
});

export const figureCalls = { readFigures };
