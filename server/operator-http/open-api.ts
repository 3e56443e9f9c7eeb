import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  providerBodySchema,
  type ProviderEventType,
  providerEventTypes,
  whenSent,
} from '#shared/contract/provider-events.ts';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { backendPath } from '#server/http/app.ts';
import { type Precompressed, precompress, sendPrecompressed } from '#server/http/precompressed.ts';
import type { Portal } from '#server/portal.ts';

declare module 'fastify' {
  interface FastifyInstance {
    operatorDocument: FastifyInstance['swagger'];
  }
}

/** An event as OpenAPI 3.1 describes the request that a receiver gets. */
function describeEvent(type: ProviderEventType) {
  const { $schema: _, ...schema } = z.toJSONSchema(providerBodySchema(type));
  return {
    post: {
      summary: whenSent(type),
      description:
        'Standard Webhooks: the headers webhook-id, webhook-timestamp and webhook-signature. May arrive twice, with the same webhook-id, and in any order.',
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'Received. Otherwise it is sent again, ten times in 76 hours.' } },
    },
  };
}

/** The OpenAPI document of operators' calls: those that are registered after it. */
export async function describe(app: FastifyInstance, { settings }: Portal): Promise<void> {
  await app.register(fastifySwagger, {
    decorator: 'operatorDocument',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${settings.providerName} operators`,
        version: '1',
        description:
          'Every call of operators. Use a token of the console, octo_…, whose scopes name the calls. Amounts are in rupees; billing days are calendar days in IST.',
      },
      servers: [{ url: `${settings.portalUrl}${backendPath}` }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  const webhooks = Object.fromEntries(providerEventTypes.map((type) => [type, describeEvent(type)]));
  let document: Precompressed | undefined;
  app.get('/operator/openapi.json', { schema: { hide: true } }, (request, reply) => {
    document ??= precompress(JSON.stringify({ ...app.operatorDocument(), webhooks }));
    return sendPrecompressed(request, reply.type('application/json; charset=utf-8'), document);
  });
}
