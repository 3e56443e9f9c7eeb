import { z } from 'zod';
import { defineCall } from '#shared/contract/call.ts';
import { type ActionName, type ExportName, operatorCalls, type OperatorCallName, type ReadName } from './calls.ts';
import { causeSchema } from './operator-call.ts';

/** What an action above the limit of one person answers: it waits for another operator, and nothing was done. */
export const waitingSchema = z.strictObject({ waitsForApproval: z.string() });

const { reason } = causeSchema.shape;

/** Keeps the exact type of a part of one call; `operatorCalls[name].reply` has that of all calls. */
const partOf = <C, Part extends keyof C>(call: C, part: Part): C[Part] => call[part];

const requestTo = <const Path extends string>(path: Path, name: OperatorCallName) => ({
  name,
  summary: operatorCalls[name].summary,
  method: 'POST' as const,
  path: `/operator/${path}/${name}` as const,
  auth: 'operator' as const,
});

/** How a call that changes nothing is made over HTTP. */
export const readRequest = <Name extends ReadName>(name: Name) =>
  defineCall({
    ...requestTo('calls', name),
    body: z.strictObject({ input: partOf(operatorCalls[name], 'input') }),
    reply: partOf(operatorCalls[name], 'reply'),
    refusals: ['forbidden', 'not_found', 'refused'],
  });

/** How an action is previewed over HTTP; without a reason, where the person has not written one yet. */
export const previewRequest = <Name extends ActionName>(name: Name) =>
  defineCall({
    ...requestTo('previews', name),
    name: `preview${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    body: z.strictObject({ input: partOf(operatorCalls[name], 'input'), reason: reason.optional() }),
    reply: partOf(operatorCalls[name], 'reply'),
    refusals: ['forbidden', 'not_found', 'refused', 'nothing_to_change'],
  });

const keyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must have 1 to 200 ASCII characters')
    .optional()
    .describe('The same action with the same key is not done again. Kept for a week.'),
});

/** How an action is performed over HTTP. The session's operator is the actor. */
export const actionRequest = <Name extends ActionName>(name: Name) =>
  defineCall({
    ...requestTo('calls', name),
    headers: keyHeader,
    body: z.strictObject({ input: partOf(operatorCalls[name], 'input'), reason }),
    reply: z.union([waitingSchema, partOf(operatorCalls[name], 'reply')]),
    refusals: [
      'forbidden',
      'not_found',
      'refused',
      'nothing_to_change',
      'already_done',
      'key_reused',
      'passkey_required',
    ],
  });

/** How the file of a call is read over HTTP, and what the OpenAPI document says of it. */
export function fileRequest(name: ExportName) {
  const { summary, input, file } = operatorCalls[name];
  return {
    path: `/operator/files/${name}` as const,
    schema: {
      operationId: `${name}File`,
      summary: `${summary}, as a file`,
      tags: ['operator'],
      security: [{ session: [] }],
      querystring: input,
      response: {
        200: { description: 'The file', content: { [file]: { schema: z.string().meta({ format: 'binary' }) } } },
      },
    },
  };
}
