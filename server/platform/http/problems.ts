import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isDatabaseAway } from '#database/clients.ts';
import { sqlState } from '#database/transaction.ts';
import { type Call, faultsOf } from '#contract/call.ts';
import { type Problem, type RefusalCode, refusals } from '#contract/refusals.ts';
import { RenderFault } from '#paper/render-fault.ts';
import { Refusal } from '#server/platform/refuse.ts';

/** The body of a refusal. Every `not_found` is the same to the byte, so it carries no request id (product §8.2). */
export function problemOf(code: RefusalCode, requestId: string, errors?: Problem['errors']): Problem {
  const { status, title, message } = refusals[code];
  return {
    type: `urn:octroi:problem:${code}`,
    title,
    status,
    code,
    message,
    ...(code === 'not_found' ? {} : { requestId }),
    ...(errors ? { errors } : {}),
  };
}

/** Sends a refusal as application/problem+json. */
export function sendProblem(reply: FastifyReply, code: RefusalCode, errors?: Problem['errors']): FastifyReply {
  const { status } = refusals[code];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (status === 503) reply.header('retry-after', '5');
  return (
    reply
      .code(status)
      // A file that was to be compressed failed before its first byte; what goes instead is not.
      .removeHeader('content-encoding')
      .type('application/problem+json')
      .serializer(JSON.stringify)
      .send(problemOf(code, reply.request.id, errors))
  );
}

/**
 * The error handler of a call, or of what is no call: a refusal as it says, a fault of the request as 400, a lost database and an
 * unfinished PDF as 503, the rest as 500.
 */
export function problemAnswerer(call: Pick<Call, 'mayCharge'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    answerProblem(error, request, reply, faultsOf(call));
  };
}

function answerProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  faults: ReturnType<typeof faultsOf>,
): FastifyReply {
  if (error instanceof Refusal) return sendProblem(reply, error.code, error.errors);
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.map((issue) => ({
      pointer: issue.instancePath || '/',
      message: issue.message ?? 'is wrong',
    }));
    return sendProblem(reply, 'invalid_request', errors);
  }
  if (error instanceof RenderFault) {
    request.log.warn({ err: error }, 'a document is not printed yet');
    return sendProblem(reply, 'document_delayed');
  }
  const status = statusOf(error);
  if (status === 429) return sendProblem(reply, 'too_many_requests');
  if (status !== undefined && status >= 400 && status < 500) {
    // Malformed JSON, a body over the limit, an unknown content type: the request's own fault.
    return sendProblem(reply, 'invalid_request', [
      { pointer: '/', message: error instanceof Error ? error.message : 'is wrong' },
    ]);
  }
  // PostgreSQL keeps no NUL in a text, and nobody has a reason to send one.
  if (['22021', '22P05'].includes(sqlState(error) ?? '')) {
    return sendProblem(reply, 'invalid_request', [{ pointer: '/', message: 'must not hold the character NUL' }]);
  }
  request.log.error({ err: error }, 'failed');
  return sendProblem(reply, isDatabaseAway(error) ? faults.unavailable : faults.internal);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
}
