import type { FastifyInstance } from 'fastify';
import * as calls from '#shared/contract/two-step.ts';
import { done } from '#shared/contract/values.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import * as twoStep from './two-step.ts';

const ceremonies = { perMinute: 60 };
/** It sends mails. */
const few = { perMinute: 20 };

/** Passkeys of members, and whether the account asks for them (decision 083). */
export function twoStepRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.readTwoStep, ({ owner }) => twoStep.readTwoStep(portal, owner));

  handle(app, portal, calls.switchTwoStep, async ({ owner, body }) => {
    await twoStep.switchTwoStep(portal, owner, body.isOn);
    return done;
  });

  handle(app, portal, calls.beginMemberPasskey, ({ owner }) => twoStep.beginMemberPasskey(portal, owner), ceremonies);

  handle(app, portal, calls.addMemberPasskey, ({ owner, body }) => twoStep.addMemberPasskey(portal, owner, body), few);

  handle(app, portal, calls.beginMemberProof, ({ owner }) => twoStep.beginMemberProof(portal, owner), ceremonies);

  handle(
    app,
    portal,
    calls.proveMemberPasskey,
    ({ owner, body }) => twoStep.proveMemberPasskey(portal, owner, body.credential),
    ceremonies,
  );

  handle(app, portal, calls.removeMemberPasskey, async ({ owner, params }) => {
    await twoStep.removeMemberPasskey(portal, owner, params.passkeyId);
    return done;
  });

  handle(app, portal, calls.removePasskeysOf, async ({ owner, params }) => {
    await twoStep.removePasskeysOf(portal, owner, params.memberId);
    return done;
  });
}
