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
import { viewPrefix } from '#shared/contract/operator/view.ts';
import { closeWithApp } from '#shared/platform/close-server.ts';
import { contextOf, followRequests } from '#shared/platform/follow-requests.ts';
import { isToBegin } from '#shared/platform/pipelining.ts';
import { boundedFirst } from '#shared/platform/text-bounds.ts';
import { workIn } from '#shared/platform/work-context.ts';
import type { Portal } from '#server/portal.ts';
import { errorHandlerOf } from './problems.ts';

/** The calls have a prefix, since /marketplace, /billing and /developers are pages too (product §8.1). */
export const backendPath = '/backend';

/** Below it the same, for operators who see as a customer (decision 068). */
export const viewPath = `${backendPath}${viewPrefix}`;

/**
 * The HTTP server without features: security headers, limits, error handling and the OpenAPI document. `inlineScripts`: hashes of the page's
 * inline scripts for the content security policy; browsers refuse all other inline scripts.
 */
export async function createApp(portal: Portal, inlineScripts: readonly string[] = []): Promise<FastifyInstance> {
  const { settings } = portal;
  const handleError = errorHandlerOf({});
  const loggerInstance: FastifyBaseLogger = portal.log;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Every line gets the request id from its context (shared/platform/follow-requests.ts).
    childLoggerFactory: (logger, _bindings, options) => logger.child({}, options),
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    // Requests that still arrive while it stops are served, not refused.
    return503OnClosing: false,
    http: { headersTimeout: 5000, connectionsCheckingInterval: 1000, maxHeaderSize: 8192 },
    // Hooks do not run for a path that cannot be decoded, so the headers are set here.
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...plainHeaders, 'x-request-id': request.id });
      handleError(error, request, reply);
    },
    routerOptions: { maxParamLength: 100, ignoreTrailingSlash: false },
  });
  app.setValidatorCompiler(boundedFirst(validatorCompiler));
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.addHook('onRequest', async ({ raw }, reply) => (isToBegin(raw, reply.raw) ? undefined : reply.hijack()));
  followRequests(app, 'portal');
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    workIn(contextOf(request), () =>
      request.log.info(
        // Without the query string, which may contain a download's signature.
        {
          method: request.method,
          path: request.url.split('?')[0],
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'request completed',
      ),
    );
  });
  closeWithApp(app);
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: { directives: contentSecurityPolicy(portal, inlineScripts) },
    ...headers(portal),
  });
  // Compresses responses and the page; the page's files are compressed by the build, and live streams bypass this. Our page sends the token
  // only in a header, so that no other site can mix its guesses with a secret in one response (BREACH).
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    customTypes: /^(application\/json|text\/html|text\/csv)/,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  await app.register(fastifyRateLimit, {
    global: false,
    // Before the body is read and checked: what is refused counts too.
    hook: 'onRequest',
    // Its X-RateLimit-Reset is a number of seconds; the gateway's is a time, and one name has one meaning here.
    addHeaders: withoutLimits,
    addHeadersOnExceeding: withoutLimits,
  });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${settings.providerName} customer portal`,
        version: '1',
        description: 'Every call of the customer portal. Amounts are in rupees; billing days are calendar days in IST.',
      },
      servers: [{ url: `${settings.portalUrl}${backendPath}` }],
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    // The calls of operators have a document of their own, and views serve the calls of customers.
    transform: (route) =>
      jsonSchemaTransform(isOperators(route.url) ? { ...route, schema: { ...route.schema, hide: true } } : route),
    transformObject: jsonSchemaTransformObject,
  });
  return app;
}

const isOperators = (url: string): boolean =>
  [`${backendPath}/operator/`, `${viewPath}/`].some((path) => url.startsWith(path));

const withoutLimits = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false };

/** Headers for responses that are not pages: no scripts, no framing, no content sniffing. */
const plainHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

function headers(portal: Portal) {
  const { hsts } = portal.settings;
  return {
    // The popups of Google and of the bank must be able to message the page that opened them.
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

/** For the page of a pay link, where nobody signs in and no API is tried. */
export const policyOfPayPage = (portal: Portal, inlineScripts: readonly string[]): string =>
  Object.entries(contentSecurityPolicy(portal, inlineScripts, { onlyPays: true }))
    .flatMap(([name, sources]) => (sources === null ? [] : [[name, ...sources].join(' ')]))
    .join(';');

function contentSecurityPolicy(
  { settings }: Portal,
  inlineScripts: readonly string[],
  { onlyPays = false } = {},
): Record<string, string[] | null> {
  const beyondPaying = (...sources: string[]) => (onlyPays ? [] : sources);
  // Scripts by their paths: these hosts serve others too. Razorpay's checkout may load more from its own folder.
  const google = new URL('.', settings.googleScriptUrl).href;
  const googleOrigin = new URL(settings.googleScriptUrl).origin;
  const checkoutFolder = new URL('.', settings.razorpayCheckoutUrl).href;
  const checkout = new URL(settings.razorpayCheckoutUrl).origin;
  const real = checkout === 'https://checkout.razorpay.com';
  return {
    'default-src': ["'self'"],
    'script-src': [
      "'self'",
      ...inlineScripts,
      ...beyondPaying(settings.googleScriptUrl),
      checkoutFolder,
      ...(real ? ['https://cdn.razorpay.com'] : []),
    ],
    // The sign-in button and the component library use style attributes.
    'style-src': ["'self'", "'unsafe-inline'", ...beyondPaying(`${google}style`)],
    'img-src': [
      "'self'",
      'data:',
      // Google keeps the pictures of accounts elsewhere than its scripts; the stand-in doesn't.
      ...beyondPaying('https://lh3.googleusercontent.com'),
      ...(googleOrigin === 'https://accounts.google.com' ? [] : beyondPaying(googleOrigin)),
      ...(real ? ['https://cdn.razorpay.com'] : [checkout]),
    ],
    'font-src': ["'self'"],
    'frame-src': [...beyondPaying(google), checkout, ...(real ? ['https://api.razorpay.com'] : [])],
    'connect-src': [
      "'self'",
      ...beyondPaying(new URL(settings.gatewayUrl).origin, google),
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
