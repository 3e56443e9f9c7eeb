import { jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { z } from 'zod';
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

const failures: [status: number, description: string][] = [
  [400, 'The body is not JSON.'],
  [401, 'There is no API key, or it is unknown or revoked.'],
  [402, 'No plan is running: it is unpaid or has ended.'],
  [403, 'The key does not belong to this API.'],
  [422, 'Something in the request is wrong; errors point at it.'],
  [429, 'The rate or the quota of the plan is used up; Retry-After says when to come back.'],
  [500, 'The call failed on our side; it does not count.'],
];

/** The answers of a call: what it gives, and every failure a caller can meet, those of the gateway included. */
export function answers<Good extends z.ZodType>(good: Good) {
  const content = { [problemType]: { schema: problem } };
  const refusals = Object.fromEntries(failures.map(([status, description]) => [status, { description, content }]));
  return { ...refusals, 200: good };
}

/** Adds the named schemas to the document, without those that nothing refers to. */
export function withUsedSchemas(document: Parameters<typeof jsonSchemaTransformObject>[0]) {
  const full = jsonSchemaTransformObject(document);
  if (!('components' in full)) return full;
  const text = JSON.stringify(full);
  const schemas = Object.entries(full.components?.schemas ?? {}).filter(([name]) =>
    text.includes(`"#/components/schemas/${name}"`),
  );
  return Object.assign(full, { components: { ...full.components, schemas: Object.fromEntries(schemas) } });
}
