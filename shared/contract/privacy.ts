import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { daySchema, doneSchema, instantSchema } from '#shared/contract/values.ts';

export const readDataExport = defineCall({
  name: 'readDataExport',
  summary: 'Get a short-lived download address for everything that is kept about the customer, as one ZIP',
  method: 'GET',
  path: '/account/export',
  auth: 'session',
  reply: z.object({ downloadUrl: z.string() }),
  refusals: ['too_many_requests'],
  customerOnly: true,
});

export const readErasure = defineCall({
  name: 'readErasure',
  summary: 'Get the state of the request to be erased, and until when the law keeps invoices',
  method: 'GET',
  path: '/account/erasure',
  auth: 'session',
  reply: z.object({
    /** Null when the customer doesn't ask for it. */
    askedAt: instantSchema.nullable(),
    /** Null when there are no papers that the law keeps. */
    keptUntil: daySchema.nullable(),
  }),
  refusals: [],
});

/** Asking again changes nothing. */
export const askErasure = defineCall({
  name: 'askErasure',
  summary: 'Ask the provider to erase the account',
  method: 'POST',
  path: '/account/erasure',
  auth: 'session',
  reply: doneSchema,
  refusals: ['too_many_requests'],
});

export const withdrawErasure = defineCall({
  name: 'withdrawErasure',
  summary: 'Take the request to be erased back',
  method: 'DELETE',
  path: '/account/erasure',
  auth: 'session',
  reply: doneSchema,
  refusals: ['too_many_requests'],
});
