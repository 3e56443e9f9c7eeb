import { z } from 'zod';
import { daySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';

/** A plan or pack of a customer, as it was sold or granted. */
const cycleSchema = z.object({
  id: z.string(),
  activationId: z.string(),
  productId: z.string(),
  planName: z.string(),
  status: z.string(),
  fromDate: daySchema,
  /** The first day after it. */
  toDate: daySchema,
  price: rupeesSchema,
  /** Why it was granted; null when it was sold. */
  granted: z.string().nullable(),
  /** The plan that a pack adds to, and the one that a switch replaced. */
  addsTo: z.string().nullable(),
  replaces: z.string().nullable(),
  createdAt: instantSchema,
  paidAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  /** With what packs and operators added. */
  dailyQuota: z.int(),
  monthlyQuota: z.int(),
  /** With what an operator set for the activation. */
  callsPerSecond: z.int(),
  /** Units used today and in all, of a plan that runs; null for others. */
  used: z.object({ today: z.int(), inAll: z.int() }).nullable(),
});

export const listCycles = defineOperatorCall({
  name: 'listCycles',
  summary: 'The plans and packs of a customer, newest first, with the quota that running ones have used',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string(), ...pageInput }),
  reply: z.object({ cycles: z.array(cycleSchema), next: nextSchema }),
});

export const cycleCalls = { listCycles };
