import { createSignInNonce } from '#shared/contract/account.ts';
import type { ActionName, OperatorCallName, OperatorInput } from '#shared/contract/operator/calls.ts';
import type { OperatorRole } from '#shared/contract/operator/roles.ts';
import { signInOperator } from '#shared/contract/operator/session.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import type { TestPortal } from './portal.ts';

const cause = { actor: 'root', reason: 'A test' };

/** People of the provider at a test portal, who were added by the command. */
export function testOperators(test: TestPortal) {
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
    read: <Name extends OperatorCallName>(token: string, name: Name, input: OperatorInput<Name>) =>
      post(`calls/${name}`, token, { input }),
    act: <Name extends ActionName>(
      token: string,
      name: Name,
      input: OperatorInput<Name>,
      { reason = 'A test', key }: { reason?: string; key?: string } = {},
    ) => post(`calls/${name}`, token, { input, reason }, key === undefined ? {} : { 'idempotency-key': key }),
    preview: <Name extends ActionName>(token: string, name: Name, input: OperatorInput<Name>) =>
      post(`previews/${name}`, token, { input }),
  };
}

export type TestOperators = ReturnType<typeof testOperators>;
