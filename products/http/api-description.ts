import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { problem, problemType } from '#products/http/problem.ts';

/** The introduction of a product's reference. `gatewayPath` is the product's path on the gateway. */
export interface AboutProduct {
  title: string;
  description: string;
  gatewayUrl: string;
  gatewayPath: string;
  /** Groups of its operations, in the order of the reference. */
  tags: { name: string; description: string }[];
}

/** The head of a product's OpenAPI 3.1 document: its address and how to send the key. */
export function describeApi(about: AboutProduct) {
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: '1.0.0',
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.gatewayUrl + about.gatewayPath, description: 'The gateway' }],
    tags: about.tags,
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
  400: 'The URL cannot be parsed.',
  404: 'The requested resource does not exist.',
  409: 'Conflict: a call with the same Idempotency-Key is still running, or the portal has registered a different document.',
  413: 'The body is too large.',
  415: 'The Content-Type is not application/json.',
  422: 'The request is invalid: errors points at each invalid field, or portalCode says why a government portal refused it.',
  500: 'The call failed on our side.',
  502: 'A system behind this API sent an invalid response.',
  503: 'A system behind this API is unreachable or switched off.',
  504: 'A system behind this API took too long.',
} as const;

type FailureStatus = keyof typeof failures;
const always: readonly FailureStatus[] = [400, 422, 500, 502, 503, 504];
/** Errors of calls that send a body. */
export const bodyFailures: readonly FailureStatus[] = [413, 415];

/** What a 400 means for a call: only some have a body, and only some of those may be repeated. */
function malformed(statuses: readonly FailureStatus[]): string {
  if (!statuses.includes(415)) return failures[400];
  return statuses.includes(409)
    ? 'The body is not JSON, the URL cannot be parsed, or a required Idempotency-Key is missing.'
    : 'The body is not JSON, or the URL cannot be parsed.';
}

/** The errors of every call, and some specific to this call. The gateway adds its own refusals to the public document. */
export function failuresOf(more: readonly FailureStatus[] = []) {
  const content = { [problemType]: { schema: problem } };
  const statuses = [...new Set([...always, ...more])];
  const meaning = (status: FailureStatus) => (status === 400 ? malformed(more) : failures[status]);
  return Object.fromEntries(statuses.map((status) => [status, { description: meaning(status), content }]));
}

/**
 * The responses of a call: the successful one with an example, and its errors. Examples are computed by the code
 * itself, so they are always correct.
 */
export function responsesOf<Good extends z.ZodType>(
  good: Good,
  example: z.output<Good>,
  { statuses = [] }: { statuses?: readonly FailureStatus[] } = {},
) {
  // On the named schema itself: next to a reference OpenAPI allows only a description.
  z.globalRegistry.add(good, { ...good.meta(), examples: [example] });
  return { ...failuresOf(statuses), 200: good.meta({ description: 'Success' }) };
}

const reference = /#\/components\/schemas\/([^"]+)/g;

/** Adds the named schemas to the document, except those that no call uses. */
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
