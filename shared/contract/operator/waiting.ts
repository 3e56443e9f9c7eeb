import { z } from 'zod';
import { instantOrDaySchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

/** What waits for an operator, in the order in which it should be looked at. */
export const waitingKinds = [
  'LEDGER_FAULT',
  'APPROVAL',
  'UNSETTLED_PAYMENT',
  'DISPUTE',
  'HELD_TRANSFER',
  'REFUND_TO_TRANSFER',
  'REFUND_REFUSED',
  'REFUND_LATE',
  'SUPPORT_THREAD',
  'OVERDUE_BILL',
  'TDS_CLAIM',
  'E_INVOICE',
  'UNPRINTED_DOCUMENT',
  'ERASURE_REQUEST',
  'REMITTANCE',
  'SETTLEMENTS',
  'ENDPOINT',
  'FAILED_WORK',
  'LEFT_JOURNAL',
  'BACKUP',
  'DOCTOR',
  'DATABASE_MOVED',
  'SHORT_NUMBERS',
  'FAILED_MAIL',
  'FAILED_WEBHOOK',
  'MANDATE',
  'FAILED_PAYMENT',
  'UNPAID_PLAN',
  'ENDING_PLAN',
] as const;
export type WaitingKind = (typeof waitingKinds)[number];

export const listWaiting = defineOperatorCall({
  name: 'listWaiting',
  summary: 'Everything that waits for an operator, the most urgent of each kind first; empty when all is well',
  auth: 'operator',
  input: z.strictObject({
    /** All kinds when not given. */
    kind: z.enum(waitingKinds).optional(),
    /** How many of a kind are listed. */
    limit: z.int().min(1).max(1000).default(5),
  }),
  reply: z.object({
    /** Kinds of which nothing waits are left out. */
    kinds: z.array(
      z.object({
        kind: z.enum(waitingKinds),
        /** How many wait. No more are counted than 100 or the limit, whichever is higher. */
        count: z.int(),
        /** Whether more wait than are counted. */
        hasMore: z.boolean(),
        waiting: z.array(
          z.object({
            /** By which its commands know it: the id, or the number of a document; null where there is none. */
            id: z.string().nullable(),
            customerId: z.string().nullable(),
            about: z.string(),
            /** Since when it waits; null when that is not known. */
            since: instantOrDaySchema.nullable(),
            /** Until when it has time; null for as soon as you can. */
            due: instantOrDaySchema.nullable(),
            /** What deals with it at a terminal, such as `octroi refunds list`. */
            command: z.string(),
          }),
        ),
      }),
    ),
  }),
});

export const waitingCalls = { listWaiting };
