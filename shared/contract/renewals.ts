import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { ids } from '#shared/contract/ids.ts';
import { catalogTextSchema, daySchema, instantSchema, rupeesSchema } from '#shared/contract/values.ts';
import { debitStates, mandateEnders, mandateMethods, mandateStates } from '#shared/domain/mandate.ts';
import { noRenewals } from '#shared/domain/renewal.ts';
import { noRecharges } from '#shared/domain/recharge.ts';

/** What a pack or a debit of one is over. */
const amountSchema = { amount: rupeesSchema };

const rechargeSchema = z.object({
  /** The packs that it may debit. */
  packs: z.array(z.object({ id: z.string(), name: catalogTextSchema, units: z.int(), total: rupeesSchema })),
  /** What the customer agreed to; null: nothing. `packName`: null when it is not on sale any more. */
  agreed: z
    .object({
      packId: z.string(),
      packName: catalogTextSchema.nullable(),
      /** The most that such debits take in a calendar month (IST). */
      monthlyCeiling: rupeesSchema,
      agreedOn: daySchema,
    })
    .nullable(),
  /** What is left of that in this month. */
  left: rupeesSchema.nullable(),
  /** When the units end at the pace of the last days; null: before they do, the plan ends. */
  endsAt: instantSchema.nullable(),
  /** The debit that was announced: skipped by its `quotaUnits`. */
  next: z.object({ ...amountSchema, askFrom: instantSchema, quotaUnits: z.int() }).nullable(),
  /** Without a result yet. */
  underWay: z.object({ ...amountSchema, askedOn: daySchema }).nullable(),
  /** The debit for the units that end now has failed. */
  failed: z.object({ ...amountSchema, askedOn: daySchema, reason: z.string().nullable() }).nullable(),
  /** Why no pack is debited; null when it would be, or nothing was agreed. */
  whyNot: z.enum(noRecharges).nullable(),
});

export const renewalSchema = z.object({
  /** The newest that the customer gave; null when there never was one. */
  mandate: z
    .object({
      id: z.string(),
      planName: catalogTextSchema,
      /** The most that one debit takes. */
      ceiling: rupeesSchema,
      pinEachTime: z.boolean(),
      /** By which it is debited. */
      method: z.enum(mandateMethods),
      lastDay: daySchema,
      /** ASKED: the bank has not confirmed it yet. PAUSED: in the UPI app, or at the bank. */
      state: z.enum(mandateStates),
      agreedOn: daySchema,
      endedBy: z.enum(mandateEnders).nullable(),
      /** The payment provider has confirmed that it is over there too. */
      isCancelled: z.boolean(),
    })
    .nullable(),
  /** The period that the next debit pays for; null when there will be none. */
  next: z
    .object({
      fromDate: daySchema,
      /** The first day after it. */
      toDate: daySchema,
      amount: rupeesSchema,
      /** Not before this day. */
      debitOn: daySchema,
      /** It was asked for, and the bank has not answered yet: until then the period can’t be paid otherwise. Null: nothing waits. */
      waitsUntil: instantSchema.nullable(),
    })
    .nullable(),
  /** Why nothing is debited; null when it will be, or without a mandate. */
  whyNot: z.enum(noRenewals).nullable(),
  /** The bank has not answered about a pack, and nothing else of the mandate is debited until it does. */
  isBehindRecharge: z.boolean(),
  /** The last debit of the next period, when it failed. */
  failed: z
    .object({
      amount: rupeesSchema,
      askedOn: daySchema,
      reason: z.string().nullable(),
      /** Asked for once more on this day; null: not again. */
      againOn: daySchema.nullable(),
    })
    .nullable(),
  /** Packs that are debited before units run out (decision 080); null without a mandate in force for the running plan. */
  recharge: rechargeSchema.nullable(),
  /** Of periods, newest first. */
  debits: z.array(
    z.object({
      orderId: z.string(),
      cycleId: z.string(),
      attempt: z.int(),
      amount: rupeesSchema,
      /** ASKED and SENT: without a result. DROPPED: never sent. */
      state: z.enum(debitStates),
      /** Why it failed, in the provider’s words. */
      reason: z.string().nullable(),
      askedOn: daySchema,
      paymentId: z.string().nullable(),
    }),
  ),
});
export type Renewal = z.output<typeof renewalSchema>;

const ofActivation = { params: z.object({ activationId: ids.activation }) };

export const readRenewal = defineCall({
  name: 'readRenewal',
  summary: 'Whether and when the plan of an activation renews by itself (decision 074)',
  method: 'GET',
  path: '/billing/:activationId/renewal',
  auth: 'session',
  ...ofActivation,
  reply: renewalSchema,
  refusals: ['not_found'],
});

export const skipRenewal = defineCall({
  name: 'skipRenewal',
  summary: 'Skip the next debit of a renewal, or take that back',
  method: 'PUT',
  path: '/billing/:activationId/renewal',
  auth: 'session',
  ...ofActivation,
  body: z.strictObject({ isSkipped: z.boolean() }),
  reply: renewalSchema,
  refusals: ['not_found', 'not_renewing', 'payment_under_way', 'too_many_requests'],
});

export const endRenewal = defineCall({
  name: 'endRenewal',
  summary: 'Turn renewal off: nothing is debited from now on; no error when it is off',
  method: 'DELETE',
  path: '/billing/:activationId/renewal',
  auth: 'session',
  ...ofActivation,
  reply: renewalSchema,
  refusals: ['not_found', 'too_many_requests'],
});
