import { z } from 'zod';
import { mergeResponses } from '#catalog/merged-responses.ts';
import { contactAt, gatewaySecurity } from '#catalog/public-openapi.ts';
import { countingRules, gatewayAnswers, gatewayStatuses } from '#shared/domain/metering.ts';

const day = z.string().meta({ format: 'date', description: 'A calendar day in India' });
const instant = z.string().meta({ format: 'date-time' });
const quotaUse = z.strictObject({
  quotaUsed: z.int(),
  quotaLimit: z.int(),
  quotaRemaining: z.int(),
  renewsAt: instant.nullable().describe('When the quota resets; null if no plan is running'),
});

/** The response of `GET /v1/usage`: the numbers that the portal shows, under the names that the portal's API uses. */
export const usageResponse = z.strictObject({
  activationId: z.string(),
  apiName: z.string(),
  plan: z.strictObject({ id: z.string(), name: z.string() }).nullable().describe('Null if no plan is running'),
  from: day.nullable(),
  to: day.nullable().describe('The first day after the plan'),
  callsPerSecond: z.int(),
  dailyUse: quotaUse,
  monthlyUse: quotaUse,
  key: z.strictObject({
    id: z.string(),
    isTest: z.boolean(),
    usedToday: z.int().describe('Units of quota that this key used today'),
    dailyCap: z.int().nullable().describe("The key's daily cap; null if it has none"),
  }),
  member: z
    .strictObject({
      usedToday: z.int().describe('Units of quota that all keys of the member used today'),
      dailyLimit: z.int(),
    })
    .nullable()
    .describe('The limit that the member who made the key has for all keys together; null if there is none'),
  asOf: instant,
});
export type UsageResponse = z.output<typeof usageResponse>;

const codesOf = (status: number): string =>
  Object.entries(gatewayAnswers)
    .flatMap(([code, own]) => (own === status ? [`\`${code}\``] : []))
    .join(', ');

/** The OpenAPI 3.1 document of the gateway's own endpoints and refusals, with the rules for counting calls. */
export function describeGateway(gatewayUrl: string, portalUrl: string, perSecond: number) {
  const rules = countingRules.map(
    ({ from, to, counted, reason, replayed }) =>
      `| ${from === to ? from : `${from}–${to}`}${replayed ? ', `Octroi-Replayed: true`' : ''} | ${counted ? 'yes' : 'no'} | ${reason} |`,
  );
  const description = [
    'Usage and remaining quota of the calling key. Every response has an `X-Request-Id`; use it to find the call in the request log of the portal.',
    '',
    'Which calls count against the quota (the first matching row applies):',
    '',
    '| response of the API | counted | why |',
    '|---|---|---|',
    ...rules,
    '',
    'Quotas are in units. A counted call uses one, unless its operation costs more or less: then the header `Octroi-Units` says how many units the call used, and `x-quota-units` in the reference of the API how many it costs. A call that needs more units than are left is refused.',
    '',
    'Calls that the gateway refuses never count. The `code` of the problem tells them apart from responses of the API:',
    '',
    '| status | code |',
    '|---|---|',
    ...gatewayStatuses.map((status) => `| ${status} | ${codesOf(status)} |`),
  ].join('\n');
  const schema = z.toJSONSchema(usageResponse, { target: 'draft-2020-12' });
  delete schema.$schema;
  const merged = mergeResponses({ schemas: { Usage: schema } });
  const usage = { schema: { $ref: '#/components/schemas/Usage' } };
  const responses = merged.responsesOf({
    200: { description: 'Used, limit and remaining units of both quotas.', content: { 'application/json': usage } },
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gateway',
      version: '1.0.0',
      description,
      contact: contactAt(portalUrl),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: gatewayUrl, description: 'The gateway' }],
    tags: [{ name: 'Usage', description: 'What the calling key has used and may still use.' }],
    paths: {
      '/v1/usage': {
        get: {
          operationId: 'readUsage',
          tags: ['Usage'],
          summary: 'Usage and remaining quota of this key',
          description: `The same numbers as in the portal, current to within a moment. Reading usage is not counted; at most ${perSecond} times per second.`,
          responses,
        },
      },
    },
    components: { ...merged.components, securitySchemes: gatewaySecurity.securitySchemes },
    security: gatewaySecurity.security,
  };
}
