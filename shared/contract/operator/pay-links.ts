import { z } from 'zod';
import { payLinkStates } from '#shared/contract/pay-links.ts';
import { daySchema, rupeesSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

export const findPayLink = defineOperatorCall({
  name: 'findPayLink',
  summary:
    'The link by which anybody can pay for an unpaid plan or pack, for a bill of what is paid later, or for the unpaid plans of an activation',
  auth: 'operator',
  /** The id of a plan or pack, or of an activation. */
  input: z.strictObject({ id: z.string() }),
  reply: z.object({
    customerId: z.string(),
    activationId: z.string(),
    /** Works without a sign-in until it is paid, replaced or ended. */
    url: z.string(),
    /** What its holder reads, save that the page of one that is OPEN here may say that the offer has changed. */
    state: z.enum(payLinkStates),
    plans: z.array(
      z.object({
        cycleId: z.string(),
        planName: z.string(),
        fromDate: daySchema,
        /** The first day after it. */
        toDate: daySchema,
        price: rupeesSchema,
      }),
    ),
  }),
});

export const endPayLinks = defineOperatorCall({
  name: 'endPayLinks',
  summary:
    'End the pay links of an activation that were given out so far, also those in mails; a new one can be had at once',
  auth: 'operator',
  action: 'pay-links.end',
  concerns: 'customer',
  input: z.strictObject({ activationId: z.string() }),
  reply: z.object({
    customerId: z.string(),
    activationId: z.string(),
    productId: z.string(),
    /** What those links could still be paid for. */
    unpaid: z.int(),
  }),
});

export const payLinkCalls = { findPayLink, endPayLinks };
