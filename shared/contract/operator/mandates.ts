import { z } from 'zod';
import { daySchema, rupeesSchema } from '#shared/contract/values.ts';
import { debitStates, mandateEnders, mandateStates } from '#shared/domain/mandate.ts';
import { defineOperatorCall } from './operator-call.ts';

const mandateSchema = z.object({
  id: z.string(),
  customerId: z.string(),
  activationId: z.string(),
  planName: z.string(),
  /** The most that one debit takes. */
  ceiling: rupeesSchema,
  state: z.enum(mandateStates),
  endedBy: z.enum(mandateEnders).nullable(),
  /** Razorpay has confirmed that nothing can be debited any more. */
  isCancelled: z.boolean(),
  agreedOn: daySchema,
  lastDay: daySchema,
  /** What the customer was told of last: the first day of the period, and the amount. */
  announced: z.object({ firstDay: daySchema, amount: rupeesSchema }).nullable(),
  /** The first day of the period whose debit the customer skipped. */
  skipped: daySchema.nullable(),
  /** The pack that is debited before units run out, and the most for a calendar month; null: none. */
  recharge: z.object({ packId: z.string(), monthlyCeiling: rupeesSchema }).nullable(),
});
export type ListedMandate = z.output<typeof mandateSchema>;

export const listMandates = defineOperatorCall({
  name: 'listMandates',
  summary: 'What a customer agreed to have debited, newest first, and the debits of each',
  auth: 'operator',
  input: z.strictObject({ customerId: z.string() }),
  reply: z.array(
    mandateSchema.extend({
      /** Newest first. */
      debits: z.array(
        z.object({
          orderId: z.string(),
          cycleId: z.string(),
          paymentId: z.string().nullable(),
          pays: z.enum(['PERIOD', 'PACK']),
          /** Of the period or pack that it pays for: days that were given since move it. Of one that failed, as it was announced. */
          firstDay: daySchema,
          amount: rupeesSchema,
          askedOn: daySchema,
          state: z.enum(debitStates),
          /** Why it failed, in the provider’s words. */
          reason: z.string().nullable(),
        }),
      ),
    }),
  ),
});

export const endMandate = defineOperatorCall({
  name: 'endMandate',
  summary: 'End the mandate of a customer: nothing more is debited, and it is cancelled at Razorpay',
  auth: 'operator',
  action: 'mandates.end',
  concerns: 'customer',
  input: z.strictObject({ mandateId: z.string() }),
  reply: mandateSchema.extend({
    /** A debit that was asked for may still be made; cancelling its period gives it back. */
    debitUnderWay: rupeesSchema.nullable(),
  }),
});

export const mandateCalls = { listMandates, endMandate };
