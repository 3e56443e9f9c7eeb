import { randomUUID } from 'node:crypto';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  jsonSchemaTransform,
  serializerCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { problemHeader } from '#shared/domain/call-problem.ts';
import { RenderFault, type RenderFaultReason } from '#shared/paper/render-fault.ts';
import { type Closing, closeWithApp } from '#shared/platform/close-server.ts';
import { followRequests } from '#shared/platform/follow-requests.ts';
import type { Log } from '#shared/platform/log.ts';
import type { MeasureResponses } from '#shared/platform/measure-responses.ts';
import { validateUnchecked } from '#products/http/checked-body.ts';
import { describeApi, type AboutProduct, withUsedSchemas } from '#products/http/api-description.ts';
import {
  invalidRequest,
  PortalRefusal,
  type Problem,
  problemOf,
  problemType,
  Refusal,
  RequestFaults,
  statementOf,
} from '#products/http/problem.ts';
import { createAllowedMethods } from '#products/http/allowed-methods.ts';
import { faultOfBody } from '#products/http/body-bounds.ts';
import { faultsOfValidation } from '#products/http/request-faults.ts';
import { retryAfterSeconds, UpstreamFault } from '#products/http/upstream.ts';

export interface ProductServerOptions {
  measure?: MeasureResponses | undefined;
  closing?: Closing | undefined;
}

/**
 * An HTTP server for one product: zod-checked routes, errors as RFC 9457, `/openapi.json` and `/health`. It runs behind
 * the gateway, so it knows nothing of keys and quotas; the gateway's `x-request-id` identifies the request in log and
 * errors.
 */
export async function createProductServer(
  about: AboutProduct,
  log: Log,
  { measure, closing }: ProductServerOptions = {},
) {
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Every line gets the request id from its context (shared/platform/follow-requests.ts).
    childLoggerFactory: (logger, _bindings, options) => logger.child({}, options),
    requestIdHeader: 'x-request-id',
    genReqId: () => randomUUID(),
    bodyLimit: 1_000_000,
    // Requests that still arrive while it stops are served, not refused.
    return503OnClosing: false,
    // Longer than any URL that Node accepts: the route's schema reports a value that is too long.
    routerOptions: { maxParamLength: 20_000 },
    frameworkErrors: (error, request: FastifyRequest, reply: FastifyReply) => {
      // Paths that cannot be decoded never reach a route.
      void sendProblem(reply, problemOf(statusOf(error), error.message, request.id));
    },
  }).withTypeProvider<ZodTypeProvider>();
  followRequests(server, about.gatewayPath.slice(1));
  measure?.(server, about.gatewayPath.slice(1));
  closeWithApp(server, closing);
  // Only JSON is accepted; any other type is a 415.
  server.removeContentTypeParser('text/plain');
  server.setValidatorCompiler(validateUnchecked);
  server.setSerializerCompiler(serializerCompiler);

  server.setErrorHandler((error, request, reply) => {
    if (hasZodFastifySchemaValidationErrors(error)) {
      const faults = faultsOfValidation(error.validation, error.validationContext);
      // draft-ietf-httpapi-idempotency-key-header §2.7: a missing key is a 400.
      const isKeyMissing =
        !('idempotency-key' in request.headers) && faults.some(({ pointer }) => pointer === '/idempotency-key');
      const keyMissing = { status: 400, code: 'idempotency-key-missing' } as const;
      return sendProblem(reply, invalidRequest(faults, request.id, isKeyMissing ? keyMissing : undefined));
    }
    if (error instanceof RequestFaults) return sendProblem(reply, invalidRequest(error.faults, request.id));
    if (error instanceof Refusal) {
      const { status, message, code } = error;
      const told = problemOf(status, message, request.id, code);
      return sendProblem(reply, error instanceof PortalRefusal ? { ...told, portalCode: error.portalCode } : told);
    }
    if (error instanceof UpstreamFault) {
      request.log.warn({ err: error }, 'a call to another system failed');
      void reply.header('retry-after', retryAfterSeconds);
      return sendProblem(reply, problemOf(error.status, error.message, request.id));
    }
    if (error instanceof RenderFault) return sendRenderFault(reply, error);
    const status = statusOf(error);
    // Read the rest of a large body: a connection that is closed meanwhile takes the response with it.
    if (status === 413) void reply.removeHeader('connection');
    if (status < 500) return sendProblem(reply, problemOf(status, messageOf(error), request.id));
    request.log.error({ err: error, url: request.url }, 'a request failed');
    return sendProblem(reply, problemOf(500, 'This call failed on our side. Please try again.', request.id));
  });
  server.addHook('preValidation', async ({ body }) => {
    const fault = faultOfBody(body);
    if (fault !== undefined) throw new RequestFaults([fault]);
  });
  const allowedMethods = createAllowedMethods();
  server.addHook('onRoute', ({ url, method }) => allowedMethods.add(url, method));
  server.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods.of(request.url);
    if (allowed.length > 0) {
      const told = `This path does not support ${request.method}. It supports ${allowed.join(', ')}.`;
      void reply.header('allow', allowed.join(', '));
      return sendProblem(reply, problemOf(405, told, request.id));
    }
    const message = `The ${about.title} has no ${request.method} ${request.url.split('?', 1)[0] ?? ''}.`;
    return sendProblem(reply, problemOf(404, message, request.id));
  });

  await server.register(swagger, {
    openapi: describeApi(about),
    transform: jsonSchemaTransform,
    transformObject: withUsedSchemas,
  });
  server.get('/openapi.json', { schema: { hide: true } }, () => server.swagger());
  server.get('/health', { schema: { hide: true } }, () => ({ status: 'ok', product: about.title }));
  return server;
}

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply.code(problem.status).type(problemType).header(problemHeader, statementOf(problem)).send(problem);
}

/** Statuses that never count against the quota. Only errors that may be temporary suggest a retry. */
const renderFaults = {
  busy: { status: 503, retryAfter: 5 },
  stopping: { status: 503, retryAfter: 5 },
  crashed: { status: 503, retryAfter: 5 },
  'too-slow': { status: 504, retryAfter: undefined },
  'too-large': { status: 504, retryAfter: undefined },
} as const satisfies Record<RenderFaultReason, object>;

function sendRenderFault(reply: FastifyReply, { reason, message }: RenderFault): FastifyReply {
  const { status, retryAfter } = renderFaults[reason];
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
  return sendProblem(reply, problemOf(status, message, reply.request.id, `pdf-${reason}`));
}

export type ProductServer = Awaited<ReturnType<typeof createProductServer>>;

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 600 ? status : 500;
}

function messageOf(error: unknown): string {
  if (statusOf(error) === 415) return 'Send JSON, with the header Content-Type: application/json.';
  return error instanceof Error ? error.message : 'The request cannot be parsed.';
}
