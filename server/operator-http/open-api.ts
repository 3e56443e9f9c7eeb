import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { providerBodySchema, providerEventTypes, whenSent } from '#shared/contract/provider-events.ts';
import { describeWebhook } from '#shared/contract/described-events.ts';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { backendPath } from '#server/http/app.ts';
import { type Precompressed, precompress, sendPrecompressed } from '#server/http/precompressed.ts';
import type { Portal } from '#server/portal.ts';

declare module 'fastify' {
  interface FastifyInstance {
    operatorDocument: FastifyInstance['swagger'];
  }
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
  const webhooks = Object.fromEntries(
    providerEventTypes.map((type) => [type, describeWebhook(type, whenSent(type), providerBodySchema(type))]),
  );
  let document: Precompressed | undefined;
  app.get('/operator/openapi.json', { schema: { hide: true } }, (request, reply) => {
    document ??= precompress(JSON.stringify({ ...app.operatorDocument(), webhooks }));
    return sendPrecompressed(request, reply.type('application/json; charset=utf-8'), document);
  });
}
