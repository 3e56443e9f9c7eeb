import { createSignInNonce } from '#shared/contract/account.ts';
import type { Call } from '#shared/contract/call.ts';
import type { ActionName, OperatorInput, ReadName } from '#shared/contract/operator/calls.ts';
import { actionRequest, previewRequest, readRequest } from '#shared/contract/operator/http.ts';
import type { OperatorRole } from '#shared/contract/operator/roles.ts';
import { signInOperator } from '#shared/contract/operator/session.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import type { TestPortal } from './portal.ts';

const cause = { actor: 'root', reason: 'A test' };

/** The response, whose refusal the call must name; every call with a session may give the first three. */
function declared<Reply extends { status: number; body: unknown }>(
  { name, refusals }: Pick<Call, 'name' | 'refusals'>,
  reply: Reply,
): Reply {
  const known = new Set<unknown>(['invalid_request', 'unauthorized', 'too_many_requests', ...refusals]);
  const { code }: { code?: unknown } = Object(reply.body);
  if (reply.status !== 200 && !known.has(code)) throw new Error(`${name} does not declare the refusal ${String(code)}`);
  return reply;
}

/** People of the provider at a test portal, who were added by the command. */
export function testOperators(test: Pick<TestPortal, 'portal' | 'portalUrl' | 'ask' | 'idToken' | 'send'>) {
  const { portal, portalUrl } = test;

  const signIn = async (email: string, claims: Record<string, unknown> = {}) => {
    const { nonce } = await test.ask(createSignInNonce, {});
    const hd = email.slice(email.indexOf('@') + 1).toLowerCase();
    const person = { sub: `google-${email}`, email, email_verified: true, name: email, picture: '', hd, ...claims };
    const googleIdToken = await test.idToken({ claims: person, nonce });
    return test.send(signInOperator, { body: { googleIdToken } });
  };

  const add = (email: string, role: OperatorRole) =>
    actAsOperator(portal, 'owner', 'addOperator', { email, role }, cause);

  /** Signs somebody in who is added first; returns the token of the session. */
  const signedIn = async (email: string, role: OperatorRole): Promise<string> => {
    await add(email, role);
    return signInOperator.reply.parse((await signIn(email)).body).accessToken;
  };

  const post = async (path: string, token: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${portalUrl}/backend/operator/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const parsed: unknown = await response.json();
    return { status: response.status, body: parsed };
  };

  /** As a passkey would, which other tests do. */
  const prove = (email: string) =>
    portal.db
      .updateTable('operator_sessions')
      .set({ proven_at: new Date() })
      .where('operator_id', 'in', (of) => of.selectFrom('operators').select('id').where('email', '=', email))
      .execute();

  return {
    add,
    signIn,
    signedIn,
    prove,
    post,
    read: async <Name extends ReadName>(token: string, name: Name, input: OperatorInput<Name>) =>
      declared(readRequest(name), await post(`calls/${name}`, token, { input })),
    act: async <Name extends ActionName>(
      token: string,
      name: Name,
      input: OperatorInput<Name>,
      { reason = 'A test', key }: { reason?: string; key?: string } = {},
    ) => {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      return declared(actionRequest(name), await post(`calls/${name}`, token, { input, reason }, headers));
    },
    preview: async <Name extends ActionName>(token: string, name: Name, input: OperatorInput<Name>) =>
      declared(previewRequest(name), await post(`previews/${name}`, token, { input })),
  };
}

export type TestOperators = ReturnType<typeof testOperators>;
