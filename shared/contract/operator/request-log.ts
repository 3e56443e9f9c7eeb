import { z } from 'zod';
import { loggedRequestSchema, missingCallsSchema, requestFilterSchema } from '#shared/contract/request-log.ts';
import { instantSchema } from '#shared/contract/values.ts';
import { callOutcomeNames } from '#shared/domain/metering.ts';
import { defineOperatorCall } from './operator-call.ts';
import { nextSchema, pageInput } from './page.ts';

/** A call of any customer, in the request log. */
export const soughtCallSchema = z.object({
  requestId: z.string(),
  /** Epoch milliseconds. */
  at: z.int(),
  latencyMs: z.int(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  units: z.int(),
  reason: z.enum(callOutcomeNames),
  problem: z.string().optional(),
  customerId: z.string(),
  activationId: z.string(),
  keyId: z.string(),
});

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
