import { z } from 'zod';
import { loggedRequestSchema, missingCallsSchema, requestFilterSchema } from '#shared/contract/request-log.ts';
import { instantSchema } from '#shared/contract/values.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';

export const readRequests = defineOperatorCall({
  name: 'readRequests',
  summary: 'The calls of an activation with their outcomes, newest first, and why those that failed did',
  auth: 'operator',
  input: z.strictObject({ activationId: z.string(), ...requestFilterSchema.shape, ...pageInput }),
  reply: z.object({
    customerId: z.string(),
    requests: z.array(
      loggedRequestSchema.extend({
        /** Why it failed, in words; null when it did not. */
        why: z.string().nullable(),
      }),
    ),
    next: nextSchema,
    /** On the first page without a filter: counted calls that are missing from the log, and refused ones of which only the number is kept. */
    unlogged: missingCallsSchema,
    unlisted: missingCallsSchema,
    asOf: instantSchema,
  }),
});

export const requestLogCalls = { readRequests };
