import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { callOutcomeNames } from '#shared/domain/metering.ts';
import { ids } from '#shared/contract/ids.ts';
import { askedDaySchema, daySchema, instantSchema } from '#shared/contract/values.ts';

/** How many days a call stays in the request log. */
export const requestLogDays = 30;
/** The most rows of one CSV file. */
export const requestCsvMaxRows = 100_000;

export const loggedRequestSchema = z.object({
  /** The X-Request-Id of the response. */
  requestId: z.string(),
  at: instantSchema,
  keyId: z.string(),
  keyName: z.string(),
  isTest: z.boolean(),
  method: z.string(),
  /** Without its query; numbers of taxpayers are masked. */
  path: z.string(),
  status: z.int(),
  latencyMs: z.int(),
  counted: z.boolean(),
  /** Units of quota that it used; 0 if it was not counted. */
  units: z.int(),
  /** Why it was counted or not. */
  reason: z.enum(callOutcomeNames),
  /** The problem of a failed call: its code, and the rule and numbers at that moment. Null for calls logged without one. */
  problem: z.object({ code: z.string(), facts: z.record(z.string(), z.string()) }).nullable(),
});
export type LoggedRequest = z.output<typeof loggedRequestSchema>;

export const requestFilterSchema = z.object({
  from: askedDaySchema.optional(),
  to: askedDaySchema.meta({ description: 'The last day, included' }).optional(),
  keyId: ids.key.optional(),
  status: z
    .string()
    .regex(/^[1-5](?:xx|\d\d)$/, 'must be a status such as 429 or a class such as 4xx')
    .optional(),
  counted: z.enum(['yes', 'no']).optional(),
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'A request id, or words that are all in the method, path, problem code or rule' }),
});
export type RequestFilter = z.output<typeof requestFilterSchema>;

/** Days with calls that a list of them lacks. */
export const missingCallsSchema = z.array(z.object({ day: daySchema, calls: z.int() }));

export const listRequests = defineCall({
  name: 'listRequests',
  summary: 'List the calls of an activation with their outcomes, newest first',
  method: 'GET',
  path: '/devportal/services/:activationId/requests',
  auth: 'session',
  params: z.object({ activationId: ids.activation }),
  query: requestFilterSchema.extend({
    after: z.string().max(120).optional().meta({ description: '`next` of the previous page' }),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  reply: z.object({
    requests: z.array(loggedRequestSchema),
    /** Where the next page begins; null on the last one. A search of a long log may end a page early, even an empty one. */
    next: z.string().nullable(),
    /**
     * On the first page without a filter: days with calls that were counted but are missing from the log (so far, or
     * for good).
     */
    unlogged: missingCallsSchema,
    /** On the first page without a filter: days with refused calls of which only the number and problems are kept. */
    unlisted: missingCallsSchema,
    asOf: instantSchema,
  }),
  refusals: ['not_found', 'requests_unavailable'],
});

/** Problems of today's calls that the customer should hear of. */
export const listRequestAlerts = defineCall({
  name: 'listRequestAlerts',
  summary: 'List what went wrong today, by problem and, where a key is the cause, by key',
  method: 'GET',
  path: '/devportal/services/:activationId/requests/alerts',
  auth: 'session',
  params: z.object({ activationId: ids.activation }),
  reply: z.object({
    /** All calls of today, test calls included, also those that are only counted. */
    calls: z.int(),
    /** The most frequent first. */
    alerts: z.array(
      z.object({
        code: z.string(),
        /** Which limit, for a code with several. */
        rule: z.string().nullable(),
        /** Null where no single key is the cause. */
        keyId: z.string().nullable(),
        keyName: z.string().nullable(),
        calls: z.int(),
        lastAt: instantSchema,
      }),
    ),
  }),
  refusals: ['not_found', 'requests_unavailable'],
});
export type RequestAlert = z.output<typeof listRequestAlerts.reply>['alerts'][number];

/** The same rows as a CSV file, under the backend's address; it takes the session token and the filter of the list. */
export const requestCsvPath = '/devportal/services/:activationId/requests/csv';

/**
 * A stream of server-sent events: a `requests` event whenever there is something new to load. It takes the session
 * token.
 */
export const requestStreamPath = '/devportal/services/:activationId/requests/live';
