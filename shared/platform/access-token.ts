import type { Clock } from '#shared/platform/clock.ts';

/** A token that another system issued to us. */
export interface IssuedToken {
  text: string;
  lifeMs: number;
}

/** It is renewed early, so that it does not expire on the way. */
const renewBeforeMs = 60_000;

/**
 * Keeps the token of another system until it expires. A system may end it earlier, such as when it restarts: after a 401 (RFC 6750
 * section 3.1) the call, which had no effect, is repeated once with a new token.
 */
export function createTokenAccess(now: Clock) {
  let current: { text: string; renewAt: number } | undefined;

  const tokenOf = async (login: () => Promise<IssuedToken>): Promise<string> => {
    if (current && now() < current.renewAt) return current.text;
    const { text, lifeMs } = await login();
    current = { text, renewAt: now() + Math.max(0, lifeMs - renewBeforeMs) };
    return text;
  };

  return async <Reply extends { status: number }>(
    login: () => Promise<IssuedToken>,
    call: (token: string) => Promise<Reply>,
  ): Promise<Reply> => {
    const token = await tokenOf(login);
    const reply = await call(token);
    if (reply.status !== 401) return reply;
    // Unless another call has renewed it meanwhile.
    if (current?.text === token) current = undefined;
    return call(await tokenOf(login));
  };
}
