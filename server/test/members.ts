import { createSignInNonce, readAccount, signIn } from '#shared/contract/account.ts';
import { acceptInvitation, continueSignIn, readFirst } from '#shared/contract/invitations.ts';
import { type GivenRole, inviteMember, listMyCustomers } from '#shared/contract/members.ts';
import type { TestPortal } from './portal.ts';

interface InvitationLink {
  invitationId: string;
  signature: string;
}

/** People at Gmail who sign in at a test portal, and become members. */
export function testMembers(portal: Pick<TestPortal, 'ask' | 'send' | 'idToken' | 'portal'>) {
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

  /** The invitation whose link is in the newest mail to an address. */
  const linkTo = async (email: string): Promise<InvitationLink> => {
    const { body_text: text } = await portal.portal.db
      .selectFrom('mails')
      .select('body_text')
      .where('recipient', '=', email)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const [, invitationId = '', signature = ''] = /\/invitation\/(INV-\w+)\?signature=(\w+)/.exec(text) ?? [];
    return { invitationId, signature };
  };
  const accept = (token: string, { invitationId, signature }: InvitationLink) =>
    portal.send(acceptInvitation, { params: { invitationId }, body: { signature } }, token);
  /** Accepts what waits for the person of a session. */
  const acceptFirst = async (token: string) => {
    const { invitations } = await portal.ask(listMyCustomers, {}, token);
    const { id: invitationId = '', signature } = invitations[0] ?? {};
    return accept(token, { invitationId, signature: signature ?? '' });
  };

  /** The member of a session. */
  const memberOf = async (token: string): Promise<string> => (await portal.ask(readAccount, {}, token)).memberId;

  return { googleToken, signInAs, join, linkTo, accept, acceptFirst, memberOf };
}
