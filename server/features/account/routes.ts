import type { FastifyInstance } from 'fastify';
import {
  createSignInNonce,
  readAccount,
  signIn,
  signOut,
  updateMails,
  updateProfile,
} from '#shared/contract/account.ts';
import { done } from '#shared/contract/values.ts';
import { deleteSession } from '#server/auth/sessions.ts';
import { countUnreadReplies } from '#server/features/support/support.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import {
  chooseMails,
  issueNonce,
  listProviderActions,
  readBlock,
  readMailsOff,
  readProfile,
  readUser,
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

  handle(app, portal, readAccount, async ({ caller }) => {
    const profile = (await readProfile(caller, portal.db)) ?? null;
    const mailsOff = await readMailsOff(caller, portal.db);
    return {
      user: await readUser(caller, portal.db),
      profile,
      requireOnboarding: profile === null,
      mailsOff,
      blocked: await readBlock(caller, portal.db),
      providerActions: await listProviderActions(portal, caller),
      unreadReplies: await countUnreadReplies(portal.db, caller),
    };
  });

  handle(app, portal, updateMails, ({ caller, body }) => chooseMails(portal, caller, body.mailsOff), { perMinute: 60 });

  handle(app, portal, updateProfile, ({ caller, body }) => saveProfile(portal, caller, body), { perMinute: 60 });
}
