import type { FastifyInstance } from 'fastify';
import {
  createSignInNonce,
  readAccount,
  signIn,
  signOut,
  updateMails,
  updateProfile,
} from '#shared/contract/account.ts';
import { mayMember, refusedTo } from '#shared/policies/members/rights.ts';
import { done } from '#shared/contract/values.ts';
import { deleteSession } from '#server/auth/sessions.ts';
import { countUnreadReplies } from '#server/features/support/support.ts';
import { issueNonce } from '#server/auth/id-tokens.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import {
  chooseMails,
  listProviderActions,
  readBlock,
  readMailChoice,
  readProfile,
  readMember,
  saveProfile,
  signInWithGoogle,
} from './account.ts';

export function accountRoutes(app: FastifyInstance, portal: Portal): void {
  const perMinute = portal.settings.signInsPerMinute;

  handle(app, portal, createSignInNonce, async () => ({ nonce: await issueNonce(portal) }), {
    perMinute: perMinute * 4,
  });

  handle(app, portal, signIn, ({ body }) => signInWithGoogle(portal, body.googleIdToken), { perMinute });

  handle(app, portal, signOut, async ({ token }) => {
    await deleteSession(portal.db, token);
    return done;
  });

  handle(app, portal, readAccount, async ({ owner }) => {
    const profile = (await readProfile(owner, portal.db)) ?? null;
    const { user, ownerName, hasOthers } = await readMember(owner, portal.db);
    return {
      user,
      role: owner.role,
      mayNot: refusedTo(owner.role),
      memberId: owner.memberId,
      // Operators see one customer.
      hasOthers: hasOthers && portal.isView !== true,
      customerName: profile?.legalName ?? ownerName,
      profile: mayMember(owner.role, 'readTaxClaim') ? profile : null,
      requireOnboarding: profile === null && mayMember(owner.role, 'updateProfile'),
      ...(await readMailChoice(owner, portal.db)),
      blocked: await readBlock(owner, portal.db),
      providerActions: mayMember(owner.role, 'updateProfile') ? await listProviderActions(portal, owner) : [],
      unreadReplies: await countUnreadReplies(portal.db, owner),
      hasGuides: portal.settings.publicPages && portal.catalog.guides.length > 0,
    };
  });

  handle(app, portal, updateMails, ({ owner, body }) => chooseMails(portal, owner, body), { perMinute: 60 });

  handle(app, portal, updateProfile, ({ owner, body }) => saveProfile(portal, owner, body), { perMinute: 60 });
}
