import { z } from 'zod';
import { countingRules, gatewayAnswers, gatewayStatuses } from '#domain/metering.ts';

const day = z.string().meta({ format: 'date', description: 'A calendar day in India' });
const instant = z.string().meta({ format: 'date-time' });
const quotaUse = z.strictObject({
  quotaUsed: z.int(),
  quotaLimit: z.int(),
  quotaRemaining: z.int(),
  renewsAt: instant.nullable().describe('When it begins anew; null when no plan is running'),
});

/** The answer of `GET /v1/usage`: the numbers that the portal shows, under the names that its own calls use. */
export const usageAnswer = z.strictObject({
  activationId: z.string(),
  apiName: z.string(),
  plan: z.strictObject({ id: z.string(), name: z.string() }).nullable().describe('Null when no plan is running'),
  from: day.nullable(),
  to: day.nullable().describe('The first day after the plan'),
  callsPerSecond: z.int(),
  dailyUse: quotaUse,
  monthlyUse: quotaUse,
  key: z.strictObject({
    id: z.string(),
    isTest: z.boolean(),
    usedToday: z.int().describe('Calls of this key that were counted today'),
    dailyCap: z.int().nullable().describe("The key's own cap; null without one"),
  }),
  asOf: instant,
});
export type UsageAnswer = z.output<typeof usageAnswer>;

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  message: z.string(),
  code: z.string(),
  requestId: z.string(),
});

const failures = {
  401: 'There is no API key, or it is unknown, revoked or expired.',
  403: 'The key may not be used from this address.',
  429: 'Usage was asked for too often.',
  503: 'The key could not be checked just now.',
};

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { target: 'draft-2020-12' });

const codesOf = (status: number): string =>
  Object.entries(gatewayAnswers)
    .flatMap(([code, own]) => (own === status ? [`\`${code}\``] : []))
    .join(', ');

/** The OpenAPI 3.1 document of what the gateway itself answers, with the rules by which it counts. */
export function describeGateway(gatewayUrl: string, perSecond: number) {
  const rules = countingRules.map(
    ({ from, to, counted, reason, replayed }) =>
      `| ${from === to ? from : `${from}–${to}`}${replayed ? ', `Octroi-Replayed: true`' : ''} | ${counted ? 'yes' : 'no'} | ${reason} |`,
  );
  const description = [
    'Usage and balance of the key that asks. Every answer of the gateway carries `X-Request-Id`; the request log of the portal finds the call by it.',
    '',
    'What takes one from the quota, the first row that fits deciding:',
    '',
    '| answer of the API | counted | why |',
    '|---|---|---|',
    ...rules,
    '',
    'What the gateway itself refuses never counts. The `code` of its problem tells it from an answer of the API:',
    '',
    '| status | code |',
    '|---|---|',
    ...gatewayStatuses.map((status) => `| ${status} | ${codesOf(status)} |`),
  ].join('\n');
  return {
    openapi: '3.1.0',
    info: { title: 'Gateway', version: '1.0.0', description },
    servers: [{ url: gatewayUrl, description: 'The gateway' }],
    paths: {
      '/v1/usage': {
        get: {
          operationId: 'readUsage',
          tags: ['Usage'],
          summary: 'Usage and balance of this key',
          description: `The same numbers as in the portal, counted up to a moment ago. Not counted itself; ${perSecond} times a second.`,
          responses: {
            200: {
              description: 'Used, limit and what is left of both quotas.',
              content: { 'application/json': { schema: schemaOf(usageAnswer) } },
            },
            ...Object.fromEntries(
              Object.entries(failures).map(([status, text]) => [
                status,
                { description: text, content: { 'application/problem+json': { schema: schemaOf(problem) } } },
              ]),
            ),
          },
        },
      },
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', name: 'X-API-Key', in: 'header', description: 'A key of your activation.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
      },
    },
    security: [{ apiKey: [] }, { bearer: [] }],
  };
}
