import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Call } from '#shared/contract/call.ts';
import { operatorCalls } from '#shared/contract/operator/calls.ts';
import type { OperatorCall } from '#shared/contract/operator/operator-call.ts';
import { actionRequest, previewRequest, readRequest } from '#shared/contract/operator/http.ts';
import { handle } from '#server/http/handle.ts';
import { readUntyped } from '#server/operator-calls.ts';
import type { Portal } from '#server/portal.ts';
import { act, preview } from './act.ts';
import { requireRight } from './rights.ts';

/** A call of any name; the input is checked where it is made. */
interface AnyRequest extends Call {
  auth: 'operator';
  body: z.ZodObject;
}

/** A preview may be asked for before there is a reason. */
const noReason = 'Not said yet';
const reasonOf = ({ reason }: Record<string, unknown>): string => (typeof reason === 'string' ? reason : noReason);

/** Every call of operators at its own path. */
export function callRoutes(app: FastifyInstance, portal: Portal): void {
  const serve = (
    name: keyof typeof operatorCalls,
    request: AnyRequest,
    handler: Parameters<typeof handle<AnyRequest>>[3],
  ) => {
    const { maxBytes }: OperatorCall = operatorCalls[name];
    handle(app, portal, request, handler, {
      perMinute: 600,
      ...(maxBytes !== undefined && { bodyLimit: maxBytes }),
      requireRight: (operator) => requireRight(portal, operator, name),
    });
  };

  for (const call of Object.values(operatorCalls)) {
    if (!('action' in call)) {
      const { name } = call;
      serve(name, readRequest(name), ({ operator, body }) => readUntyped(portal, operator.role, name, body['input']));
      continue;
    }
    const { name } = call;
    serve(name, previewRequest(name), ({ operator, body, requestId }) =>
      preview(portal, operator, {
        name,
        input: body['input'],
        reason: reasonOf(body),
        requestId,
        idempotencyKey: undefined,
      }),
    );
    serve(name, actionRequest(name), ({ operator, body, requestId, idempotencyKey }) =>
      act(portal, operator, { name, input: body['input'], reason: reasonOf(body), requestId, idempotencyKey }),
    );
  }
}
