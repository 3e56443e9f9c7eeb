import type { Call, CallInput, CallReply } from '#shared/contract/call.ts';
import { addressOf } from '#web/api/address-of.ts';
import { send } from '#web/api/send.ts';
import { endSession, readSession } from '#web/session/session.ts';

/**
 * Makes a call of the contract and returns its validated response; see `send` for what it throws. A 401 also ends the session (product
 * §3.4).
 */
export async function call<C extends Call>(
  definition: C,
  input: CallInput<C>,
  signal?: AbortSignal,
): Promise<CallReply<C>> {
  const parts: { params?: unknown; query?: unknown; body?: unknown } = input;
  return send<C['reply']>({
    method: definition.method,
    address: addressOf(definition, parts),
    body: parts.body,
    reply: definition.reply,
    token: definition.auth === 'none' ? null : readSession().token,
    signal,
    onUnauthorized: (token) => endSession('expired', token),
  });
}
