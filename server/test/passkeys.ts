import { createSignInNonce, readAccount } from '#shared/contract/account.ts';
import {
  addMemberPasskey,
  beginMemberPasskey,
  beginMemberProof,
  proveMemberPasskey,
  switchTwoStep,
} from '#shared/contract/two-step.ts';
import { testAuthenticator } from './authenticator.ts';
import type { TestPortal } from './portal.ts';

export type TestAuthenticator = ReturnType<typeof testAuthenticator>;

/** Members of a test portal with passkeys, each on an authenticator in software. */
export function testPasskeys(portal: Pick<TestPortal, 'ask' | 'send' | 'idToken' | 'portal' | 'portalUrl'>) {
  /** As Google gives it to the person of a session who signs in once more. */
  const googleTokenOf = async (token: string): Promise<string> => {
    const { memberId } = await portal.ask(readAccount, {}, token);
    const { google_sub: sub, email } = await portal.portal.db
      .selectFrom('members')
      .select(['google_sub', 'email'])
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow();
    const { nonce } = await portal.ask(createSignInNonce, {});
    return portal.idToken({ claims: { sub, email, email_verified: true, name: email, picture: '' }, nonce });
  };

  type Fault = Parameters<TestAuthenticator['get']>[1];

  /** Sends a new passkey; without Google's word only where `more` has none. */
  const register = async (
    token: string,
    authenticator: TestAuthenticator,
    more: { googleIdToken?: string; fault?: Fault } = {},
  ) => {
    const { fault, ...identity } = more;
    const options = await portal.ask(beginMemberPasskey, {}, token);
    const body = { name: 'Laptop', credential: authenticator.create(options, fault), ...identity };
    return portal.send(addMemberPasskey, { body }, token);
  };

  const prove = async (token: string, authenticator: TestAuthenticator, fault: Fault = {}) => {
    const options = await portal.ask(beginMemberProof, {}, token);
    return portal.send(proveMemberPasskey, { body: { credential: authenticator.get(options, fault) } }, token);
  };

  /** Adds a first passkey, as its page does; the session has confirmed with it. */
  const add = async (token: string): Promise<{ authenticator: TestAuthenticator; id: string }> => {
    const authenticator = testAuthenticator(portal.portalUrl);
    const reply = await register(token, authenticator, { googleIdToken: await googleTokenOf(token) });
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return { authenticator, id: addMemberPasskey.reply.parse(reply.body).id };
  };

  /** The owner adds a passkey, and has the account ask for them. */
  const turnOn = async (token: string) => {
    const added = await add(token);
    await portal.ask(switchTwoStep, { body: { isOn: true } }, token);
    return added;
  };

  return { googleTokenOf, register, prove, add, turnOn };
}
