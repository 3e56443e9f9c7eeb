import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { doneSchema, instantSchema } from '#shared/contract/values.ts';

/** Where the calls of customers are served to an operator who sees as one of them, below the backend's base URL. These two are below it too. */
export const viewPrefix = '/view';

export const readView = defineCall({
  name: 'readView',
  summary: 'Get whose portal an operator sees, and until when',
  method: 'GET',
  path: '/state',
  auth: 'view',
  reply: z.object({ customer: z.string(), operator: z.string(), until: instantSchema }),
  refusals: [],
});

export const endView = defineCall({
  name: 'endView',
  summary: 'End a view before its time',
  method: 'DELETE',
  path: '/state',
  auth: 'view',
  reply: doneSchema,
  refusals: [],
});
