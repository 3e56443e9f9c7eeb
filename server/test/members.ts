import { createSignInNonce, signIn } from '#shared/contract/account.ts';
import { acceptInvitation, continueSignIn, readFirst } from '#shared/contract/invitations.ts';
import { type GivenRole, inviteMember, listMyCustomers } from '#shared/contract/members.ts';
import type { TestPortal } from './portal.ts';

/** People at Gmail who sign in at a test portal, and become members. */
export function testMembers(portal: Pick<TestPortal, 'ask' | 'send' | 'idToken'>) {
  const googleToken = async (email: string, claims: Record<string, unknown> = {}): Promise<string> => {
    const { nonce } = await portal.ask(createSignInNonce, {});
    const person = { sub: `google-${email}`, email, email_verified: true, name: email, picture: '', ...claims };
    // A personal account, unless `hd` says otherwise.
    return portal.idToken({ account: 'meenakshi', claims: person, nonce });
  };

  /** Signs in; `first`: what waits at a first sign-in. */
  const signInAs = async (email: string, claims: Record<string, unknown> = {}) => {
    const { first: identity, ...entered } = await portal.ask(signIn, {
      body: { googleIdToken: await googleToken(email, claims) },
    });
    if (identity === undefined) return { ...entered, first: undefined };
    return { ...entered, first: { identity, ...(await portal.ask(readFirst, { body: { identity } })) } };
  };

  /** Invites somebody who has no customer, and lets the person accept; returns the session and the member. */
  const join = async (ownerToken: string, email: string, role: GivenRole) => {
    await portal.ask(inviteMember, { body: { email, role } }, ownerToken);
    const { first, accessToken } = await signInAs(email);
    const waiting = first ?? (await portal.ask(listMyCustomers, {}, accessToken));
    const [invitation] = waiting.invitations;
    if (!invitation) throw new Error(`nobody invited ${email}`);
    const { id: invitationId } = invitation;
    const signature = invitation.signature ?? '';
    const entered =
      first === undefined
        ? await portal.ask(acceptInvitation, { params: { invitationId }, body: { signature } }, accessToken)
        : await portal.ask(continueSignIn, {
            body: { identity: first.identity, choice: { kind: 'accept', invitationId, signature } },
          });
    if (entered === null) throw new Error(`${email} did not enter`);
    return { token: entered.accessToken, invitationId };
  };

  return { googleToken, signInAs, join };
}
