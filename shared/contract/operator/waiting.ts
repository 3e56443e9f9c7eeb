import { z } from 'zod';
import { daySchema, instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';

/** What waits for an operator, in the order in which it should be looked at. */
export const waitingKinds = [
  'APPROVAL',
  'UNSETTLED_PAYMENT',
  'DISPUTE',
  'REFUND_TO_TRANSFER',
  'REFUND_REFUSED',
  'REFUND_LATE',
  'SUPPORT_THREAD',
  'TDS_CLAIM',
  'E_INVOICE',
  'ERASURE_REQUEST',
  'REMITTANCE',
  'SETTLEMENTS',
  'ENDPOINT',
] as const;
export type WaitingKind = (typeof waitingKinds)[number];

export const listWaiting = defineOperatorCall({
  name: 'listWaiting',
  summary: 'Everything that waits for an operator; empty when all is well',
  auth: 'operator',
  input: z.strictObject({}),
  reply: z.object({
    waiting: z.array(
      z.object({
        kind: z.enum(waitingKinds),
        /** By which its commands know it: the id, or the number of a document; null where there is none. */
        id: z.string().nullable(),
        customerId: z.string().nullable(),
        about: z.string(),
        /** Since when it waits; null when that is not known. */
        since: z.union([instantSchema, daySchema]).nullable(),
        /** Until when it has time; null for as soon as you can. */
        due: z.union([instantSchema, daySchema]).nullable(),
      }),
    ),
  }),
});

export const waitingCalls = { listWaiting };
