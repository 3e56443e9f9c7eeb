import fastifyCompress from '@fastify/compress';
import fastifyHelmet from '@fastify/helmet';
import fastifyRateLimit from '@fastify/rate-limit';
import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:zlib';
import { drainConnections } from '#platform/drain-connections.ts';
import type { Portal } from '#server/portal.ts';
import { problemAnswerer } from './problems.ts';

/** The base of the calls, since /marketplace, /billing and /developers are pages too (product §8.1). */
export const backendPath = '/backend';

/**
 * The HTTP server without features: guards, headers, limits, errors and the OpenAPI document. `inlineScripts`: what the page runs
 * in its own text, as sources of the content security policy; any other inline script is refused by browsers.
 */
export async function createApp(portal: Portal, inlineScripts: readonly string[] = []): Promise<FastifyInstance> {
  const { settings } = portal;
  const answerFault = problemAnswerer({});
  const loggerInstance: FastifyBaseLogger = portal.log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    http: { headersTimeout: 5000, connectionsCheckingInterval: 1000, maxHeaderSize: 8192 },
    // A path that cannot be decoded meets no hook, so its reply gets its headers here.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...plainHeaders, 'x-request-id': request.id });
      answerFault(error, request, reply);
    },
    routerOptions: { maxParamLength: 100, ignoreTrailingSlash: false },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answerFault);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      // The path without its query, which may hold a download's signature.
      {
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
  app.addHook('preClose', async () => drainConnections(app.server));
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: { directives: contentSecurityPolicy(portal, inlineScripts) },
    ...headers(portal),
  });
  // Replies and the page; the pages' files are compressed when they are built, and live usage writes past this. A token is sent
  // as a header by our page alone, so that no other site can make a reply mix its guesses with a secret (BREACH).
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    customTypes: /^(application\/json|text\/html|text\/csv)/,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  await app.register(fastifyRateLimit, { global: false, hook: 'preHandler' });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${settings.providerName} customer portal`,
        version: '1',
        description: 'Every call of the customer portal. Amounts are rupees, billing days are IST calendar days.',
      },
      servers: [{ url: `${settings.portalUrl}${backendPath}` }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  return app;
}

/** For a reply that holds no page: nothing of it may run, be framed or be taken for something else. */
const plainHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

function headers(portal: Portal) {
  const { hsts } = portal.settings;
  return {
    // Google's popup and the bank's must be able to answer the page that opened them.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' as const },
    crossOriginEmbedderPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' as const },
    frameguard: { action: 'deny' as const },
    strictTransportSecurity: portal.settings.portalUrl.startsWith('https://')
      ? { maxAge: 63_072_000, includeSubDomains: hsts !== 'host', preload: hsts === 'preload' }
      : false,
  };
}

function contentSecurityPolicy(
  { settings }: Portal,
  inlineScripts: readonly string[],
): Record<string, string[] | null> {
  const google = new URL(settings.googleScriptUrl).origin;
  const checkout = new URL(settings.razorpayCheckoutUrl).origin;
  const real = checkout === 'https://checkout.razorpay.com';
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...inlineScripts, google, checkout, ...(real ? ['https://cdn.razorpay.com'] : [])],
    // The sign-in button and the component library write style attributes.
    'style-src': ["'self'", "'unsafe-inline'", google],
    'img-src': [
      "'self'",
      'data:',
      'https://lh3.googleusercontent.com',
      google,
      ...(real ? ['https://cdn.razorpay.com'] : [checkout]),
    ],
    'font-src': ["'self'"],
    'frame-src': [google, checkout, ...(real ? ['https://api.razorpay.com'] : [])],
    'connect-src': [
      "'self'",
      new URL(settings.gatewayUrl).origin,
      google,
      checkout,
      ...(real
        ? ['https://api.razorpay.com', 'https://lumberjack.razorpay.com', 'https://lumberjack-metrics.razorpay.com']
        : []),
    ],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'upgrade-insecure-requests': settings.portalUrl.startsWith('https://') ? [] : null,
  };
}
