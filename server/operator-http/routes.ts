import type { FastifyInstance } from 'fastify';
import {
  addPasskey,
  beginPasskey,
  beginProof,
  provePasskey,
  readOperatorSession,
  removePasskey,
  signInOperator,
  signOutOperator,
} from '#shared/contract/operator/session.ts';
import { done } from '#shared/contract/values.ts';
import { deleteOperatorSession } from '#server/auth/operator-sessions.ts';
import {
  beginRegistration,
  beginToProve,
  forgetPasskey,
  listPasskeys,
  prove,
  register,
} from '#server/features/operators/passkeys.ts';
import { signInOperator as signIn } from '#server/features/operators/sign-in.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { describe } from './open-api.ts';
import { callRoutes } from './call-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { callsOf } from './rights.ts';

/** What operators do over HTTP, under /backend/operator (decision 067). */
export async function operatorRoutes(app: FastifyInstance, portal: Portal): Promise<void> {
  await describe(app, portal);
  const perMinute = portal.settings.signInsPerMinute;

  handle(app, portal, signInOperator, ({ body }) => signIn(portal, body.googleIdToken), { perMinute });

  handle(app, portal, readOperatorSession, async ({ operator }) => {
    const { operatorId: id, email, name, role, session } = operator;
    return {
      operator: { id, email, name, role },
      calls: callsOf(portal, operator),
      passkeys: await listPasskeys(portal.db, id),
      provenUntil: session?.provenUntil?.toISOString() ?? null,
      products: Object.fromEntries(portal.catalog.products.map(({ id: product, name: text }) => [product, text])),
    };
  });

  handle(app, portal, signOutOperator, async ({ operator }) => {
    if (operator.session) await deleteOperatorSession(portal.db, operator.session.hash);
    return done;
  });

  handle(app, portal, beginPasskey, ({ operator }) => beginRegistration(portal, operator), { perMinute: 60 });
  handle(app, portal, addPasskey, ({ operator, body }) => register(portal, operator, body), { perMinute: 60 });
  handle(app, portal, beginProof, ({ operator }) => beginToProve(portal, operator), { perMinute: 60 });
  handle(app, portal, provePasskey, ({ operator, body }) => prove(portal, operator, body.credential), {
    perMinute: 60,
  });
  handle(app, portal, removePasskey, async ({ operator, params }) => {
    await forgetPasskey(portal, operator, params.passkeyId);
    return done;
  });

  callRoutes(app, portal);
  fileRoutes(app, portal);
}
