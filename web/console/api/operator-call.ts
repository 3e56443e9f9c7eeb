import { z } from 'zod';
import type { Call, CallInput, CallReply } from '#shared/contract/call.ts';
import {
  type ActionName,
  type OperatorCallName,
  operatorCalls,
  type OperatorInput,
  type OperatorReply,
  type ReadName,
} from '#shared/contract/operator/calls.ts';
import { actionRequest, previewRequest, readRequest, waitingSchema } from '#shared/contract/operator/http.ts';
import { addressOf } from '#web/api/address-of.ts';
import { Refused } from '#web/api/failures.ts';
import { send } from '#web/api/send.ts';
import { expireToken, readToken } from '#web/console/api/session.ts';

/** What each request of an operator is sent with. */
export const inSession = () => ({
  token: readToken(),
  onUnauthorized: expireToken,
});

/** Makes one of the calls about the session itself. */
export function callInSession<C extends Call>(
  definition: C,
  input: CallInput<C>,
  signal?: AbortSignal,
): Promise<CallReply<C>> {
  const parts: { params?: unknown; body?: unknown } = input;
  const { method, reply } = definition;
  return send<C['reply']>({
    ...inSession(),
    method,
    address: addressOf(definition, parts),
    body: parts.body,
    reply,
    signal,
  });
}

/** The replies of all calls, in a form that keeps the name and the type of a call together. */
const replies: { [Name in OperatorCallName]: { reply: z.ZodType<OperatorReply<Name>> } } = operatorCalls;

/** Makes a call of operators that changes nothing. */
export function readAsOperator<Name extends ReadName>(
  name: Name,
  input: OperatorInput<Name>,
  signal?: AbortSignal,
): Promise<OperatorReply<Name>> {
  const request = readRequest(name);
  const { reply } = replies[name];
  return send({
    ...inSession(),
    method: request.method,
    address: addressOf(request, {}),
    body: { input },
    reply,
    signal,
  });
}

/** Asks what an action would do. */
export function previewAsOperator(name: ActionName, input: unknown, signal?: AbortSignal): Promise<unknown> {
  const request = previewRequest(name);
  const address = addressOf(request, {});
  return send({ ...inSession(), method: request.method, address, body: { input }, reply: request.reply, signal });
}

/** What became of an action: what it did, the request that waits for a second operator, or that an earlier try had arrived. */
export type Outcome = { done: unknown } | { waitsForApproval: string } | { arrivedBefore: true };

interface Attempt {
  key: string;
  /** Whether the server may have done it although no response came. */
  isUnsure: boolean;
}

/** What was tried and has no known outcome. The same again, also in another dialog, is the same request. */
const attempts = new Map<string, Attempt>();

const attemptName = (name: ActionName, input: unknown) => JSON.stringify([name, input]);

/** Whether the last try of the same may have been done: its response was lost. */
export const isUnsure = (name: ActionName, input: unknown): boolean =>
  attempts.get(attemptName(name, input))?.isUnsure === true;

/** Performs an action once, however often it is tried until there is a response. */
export async function actAsOperator(name: ActionName, input: unknown, reason: string): Promise<Outcome> {
  const request = actionRequest(name);
  const tried = attempts.get(attemptName(name, input)) ?? { key: crypto.randomUUID(), isUnsure: false };
  attempts.set(attemptName(name, input), tried);
  try {
    const answer = await send({
      ...inSession(),
      method: request.method,
      address: addressOf(request, {}),
      body: { input, reason },
      reply: z.union([waitingSchema, operatorCalls[name].reply]),
      headers: { 'idempotency-key': tried.key },
    });
    attempts.delete(attemptName(name, input));
    const waiting = waitingSchema.safeParse(answer);
    return waiting.success ? waiting.data : { done: answer };
  } catch (error) {
    // A failure of the server may come after the effect.
    if (!(error instanceof Refused) || error.problem.status >= 500) tried.isUnsure = true;
    else if (error.problem.code === 'already_done') {
      attempts.delete(attemptName(name, input));
      if (tried.isUnsure) return { arrivedBefore: true };
    }
    throw error;
  }
}
