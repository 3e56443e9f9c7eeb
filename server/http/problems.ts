import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isDatabaseAway } from '#shared/database/clients.ts';
import { sqlState } from '#shared/database/transaction.ts';
import { type Call, faultsOf } from '#shared/contract/call.ts';
import type { Problem } from '#shared/contract/problem.ts';
import { RenderFault } from '#shared/paper/render-fault.ts';
import { LogAway } from '#shared/request-log/log.ts';
import { ProcessFault } from '#shared/platform/worker-program.ts';
import { DocumentFileFault } from '#server/document-files/document-files.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { viewOf } from '#server/http/viewing.ts';
import { type AnyRefusalCode, anyRefusals, Refusal } from '#server/refusals/refuse.ts';

/** The body of a refusal. Every `not_found` is identical to the byte, so it has no request id (product §8.2). */
export function problemOf(code: AnyRefusalCode, requestId: string, errors?: Problem['errors'], said?: string): Problem {
  const { status, title, message } = anyRefusals[code];
  return {
    type: `urn:octroi:problem:${code}`,
    title,
    status,
    code,
    message: said ?? message,
    ...(code === 'not_found' ? {} : { requestId }),
    ...(errors ? { errors } : {}),
  };
}

/** Sends a refusal as application/problem+json. `said`: its own sentence instead of that of its code. */
export function sendProblem(
  reply: FastifyReply,
  code: AnyRefusalCode,
  errors?: Problem['errors'],
  said?: string,
): FastifyReply {
  const { status } = anyRefusals[code];
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (status === 503) reply.header('retry-after', '5');
  return (
    reply
      .code(status)
      // Set for a file that failed before its first byte; the problem itself is not compressed.
      .removeHeader('content-encoding')
      .type('application/problem+json')
      .serializer(JSON.stringify)
      .send(problemOf(code, reply.request.id, errors, said))
  );
}

/**
 * The error handler of a call, or of a request that matches none: a refusal keeps its status, an invalid request gives 400, a lost database
 * or an unfinished PDF 503, everything else 500.
 */
export function errorHandlerOf(call: Pick<Call, 'mayCharge'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    sendError(error, request, reply, faultsOf(call));
  };
}

function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  faults: ReturnType<typeof faultsOf>,
): FastifyReply {
  if (error instanceof Refusal) return sendProblem(reply, error.code, error.errors);
  if (error instanceof OperatorRefusal) return sendProblem(reply, error.code, undefined, error.message);
  if (hasZodFastifySchemaValidationErrors(error)) {
    const errors = error.validation.map((issue) => ({
      pointer: issue.instancePath || '/',
      message: issue.message ?? 'is invalid',
    }));
    return sendProblem(reply, 'invalid_request', errors);
  }
  if (error instanceof RenderFault) {
    request.log.warn({ err: error }, 'a document could not be printed');
    return sendProblem(reply, 'document_delayed');
  }
  if (error instanceof ProcessFault) {
    request.log.error({ err: error }, 'a process did not do its task');
    return sendProblem(reply, 'unavailable');
  }
  if (error instanceof LogAway) {
    request.log.error({ err: error }, 'the request log can’t be read');
    return sendProblem(reply, 'requests_unavailable');
  }
  if (error instanceof DocumentFileFault) {
    request.log.error({ err: error }, 'the PDF of a document can’t be read');
    return sendProblem(reply, 'document_unavailable');
  }
  // A read that would have written: in a view the connection refuses it.
  if (viewOf(request) && sqlState(error) === '25006') {
    request.log.error({ err: error }, 'a read would have written');
    return sendProblem(reply, 'read_only_view');
  }
  const status = statusOf(error);
  if (status === 429) return sendProblem(reply, 'too_many_requests');
  if (status !== undefined && status >= 400 && status < 500) {
    // Malformed JSON, a body over the limit, an unknown content type: the client's error.
    return sendProblem(reply, 'invalid_request', [
      { pointer: '/', message: error instanceof Error ? error.message : 'is invalid' },
    ]);
  }
  // PostgreSQL cannot store NUL in text, and no client needs it.
  if (['22021', '22P05'].includes(sqlState(error) ?? '')) {
    return sendProblem(reply, 'invalid_request', [{ pointer: '/', message: 'must not contain the character NUL' }]);
  }
  // The caller hung up before the response had begun: nobody reads it, and nothing failed.
  if (isPrematureClose(error) && request.raw.socket.destroyed) return sendProblem(reply, faults.unavailable);
  request.log.error({ err: error }, 'failed');
  return sendProblem(reply, isDatabaseAway(error) ? faults.unavailable : faults.internal);
}

const isPrematureClose = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
}
