import { z } from 'zod';
import { renewalEffectShape } from '#shared/contract/renewal-effect.ts';
import { daySchema, effectiveBySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

export const eraseCustomer = defineOperatorCall({
  name: 'eraseCustomer',
  summary: 'Erase a customer for good; what tax law requires stays',
  auth: 'operator',
  action: 'customers.erase',
  concerns: 'customer',
  input: z.strictObject({
    customerId: z.string(),
    /** Paid plans that run end too. */
    endPlans: z.boolean(),
    /** Also data that the law wants kept for a year. */
    withinYear: z.boolean(),
  }),
  /** A preview tells what is in the way, where the effect is refused. */
  reply: z.object({
    customerId: z.string(),
    name: z.string(),
    email: z.string(),
    /** Since when the customer asks for it. */
    askedAt: instantSchema.nullable(),
    keysInUse: z.int(),
    /** Plans and packs that were paid and still run, packs of granted plans too. */
    paidPlans: z.array(
      z.object({ cycleId: z.string(), productId: z.string(), planName: z.string(), toDate: daySchema }),
    ),
    /** Money and papers that are not finished, as sentences; nothing is erased before they are. */
    open: z.array(z.string()),
    /** Until when the papers stay; null when there are none. */
    kept: z.object({ gst: daySchema, books: daySchema, last: daySchema }).nullable(),
    /** The day before which the law forbids the erasure. */
    notBefore: daySchema.nullable(),
    counts: z.array(
      z.object({
        kind: z.string(),
        what: z.string(),
        deleted: z.int(),
        madeAnonymous: z.int(),
        kept: z.int(),
        keptNumbers: z.int(),
      }),
    ),
    /** What ending the paid plans refunds. */
    refund: rupeesSchema,
    /** Renewals by mandate that end, and debits that the bank was asked for. */
    renewals: z.array(z.object({ planName: z.string(), ...renewalEffectShape })),
    /** Plans of the catalogue that name the customer's address. */
    privatePlans: z.array(z.object({ productId: z.string(), planId: z.string() })),
    effectiveBy: effectiveBySchema,
  }),
});

export const listErasureRequests = defineOperatorCall({
  name: 'listErasureRequests',
  summary: 'Customers who ask to be erased, oldest first',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.object({
    requests: z.array(
      z.object({
        id: z.string(),
        customerId: z.string(),
        name: z.string(),
        email: z.string(),
        askedAt: instantSchema,
        /** It has waited for longer than it should. */
        isLate: z.boolean(),
      }),
    ),
  }),
});

export const privacyCalls = { eraseCustomer, listErasureRequests };
