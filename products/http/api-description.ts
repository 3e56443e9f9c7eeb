import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problem, problemType } from '#products/http/problem.ts';

/** What the reference of a product says on its first page. `gatewayPath` is the product's path on the gateway. */
export interface AboutProduct {
  title: string;
  description: string;
  gatewayUrl: string;
  gatewayPath: string;
}

/** The head of a product's OpenAPI 3.1 document: where it is reached, and with what key. */
export function describeApi(about: AboutProduct) {
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: '1.0.0', description: about.description },
    servers: [{ url: about.gatewayUrl + about.gatewayPath, description: 'The gateway' }],
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey' as const,
          name: 'X-API-Key',
          in: 'header' as const,
          description: 'A key of your activation, from the portal.',
        },
        bearer: { type: 'http' as const, scheme: 'bearer', description: 'The same key as a bearer token.' },
      },
    },
    security: [{ apiKey: [] }, { bearer: [] }],
  };
}

const failures = {
  400: 'The body is not JSON, or the address cannot be read.',
  401: 'There is no API key, or it is unknown or revoked.',
  402: 'No plan is running: it is unpaid or has ended.',
  403: 'The key does not belong to this API.',
  404: 'What was asked for does not exist.',
  409: 'Another call stands in the way: the same Idempotency-Key is still in work, or the portal holds another document.',
  413: 'The body is too large.',
  415: 'The body is not sent as application/json.',
  422: 'Something in the request is wrong; errors point at it, or code says why a government system refused it.',
  429: 'The rate or the quota of the plan is used up; Retry-After says when to come back.',
  500: 'The call failed on our side.',
  502: 'A system behind this API gave an answer that makes no sense.',
  503: 'A system behind this API cannot be reached or is switched off.',
  504: 'A system behind this API took too long.',
} as const;

type FailureStatus = keyof typeof failures;
const always: readonly FailureStatus[] = [400, 401, 402, 403, 422, 429, 500, 502, 503, 504];
/** Failures of calls that send a body. */
export const bodyFailures: readonly FailureStatus[] = [413, 415];

/** The failures that a caller of any call can meet, those of the gateway included, and some of this one. */
export function failuresOf(more: readonly FailureStatus[] = []) {
  const content = { [problemType]: { schema: problem } };
  const statuses = [...new Set([...always, ...more])];
  return Object.fromEntries(statuses.map((status) => [status, { description: failures[status], content }]));
}

/**
 * The answers of a call: what it gives, with an example, and its failures. Examples are made by the code that answers, so that
 * they cannot be wrong.
 */
export function answers<Good extends z.ZodType>(
  good: Good,
  example: z.output<Good>,
  { statuses = [] }: { statuses?: readonly FailureStatus[] } = {},
) {
  // On the named schema itself: beside a reference to it the document keeps only a description.
  z.globalRegistry.add(good, { ...good.meta(), examples: [example] });
  return { ...failuresOf(statuses), 200: good.meta({ description: 'The answer.' }) };
}

const reference = /#\/components\/schemas\/([^"]+)/g;

/** Adds the named schemas to the document, without those that no call leads to. */
export function withUsedSchemas(document: Parameters<typeof jsonSchemaTransformObject>[0]) {
  const full = jsonSchemaTransformObject(document);
  if (!('components' in full)) return full;
  const all = new Map(Object.entries(full.components?.schemas ?? {}));
  const used = new Map<string, unknown>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(reference)) {
      if (used.has(name)) continue;
      used.set(name, all.get(name));
      follow(all.get(name));
    }
  };
  follow(full.paths);
  return Object.assign(full, { components: { ...full.components, schemas: Object.fromEntries(used) } });
}
