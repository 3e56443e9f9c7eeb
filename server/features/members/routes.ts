import type { FastifyInstance } from 'fastify';
import * as offered from '#shared/contract/invitations.ts';
import * as calls from '#shared/contract/members.ts';
import { done } from '#shared/contract/values.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { continueSignIn, readFirst } from './first.ts';
import * as invitations from './invitations.ts';
import * as join from './join.ts';
import { listMembers } from './members.ts';
import * as removal from './removal.ts';

/** Calls per minute that send mails or let somebody in. */
const few = { perMinute: 20 };

export function membersRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.listMembers, ({ owner }) => listMembers(portal, owner));

  handle(app, portal, calls.inviteMember, ({ owner, body }) => invitations.inviteMember(portal, owner, body), few);

  handle(
    app,
    portal,
    calls.approveMember,
    ({ owner, params, body }) => invitations.approveMember(portal, owner, params.invitationId, body.role),
    few,
  );

  handle(app, portal, calls.revokeInvitation, async ({ owner, params }) => {
    await invitations.revokeInvitation(portal, owner, params.invitationId);
    return done;
  });

  handle(app, portal, calls.allowColleagues, async ({ owner, body }) => {
    await invitations.allowColleagues(portal, owner, body.mayAsk);
    return done;
  });

  handle(app, portal, calls.changeMember, ({ owner, params, body }) =>
    removal.changeMember(portal, owner, params.memberId, body.role),
  );

  handle(app, portal, calls.removeMember, ({ owner, params }) => removal.removeMember(portal, owner, params.memberId));

  handle(app, portal, calls.leaveCustomer, async ({ owner, body }) => {
    await removal.leaveCustomer(portal, owner, body.forget);
    return done;
  });

  handle(
    app,
    portal,
    calls.offerOwnership,
    ({ owner, params, body }) => invitations.offerOwnership(portal, owner, params.memberId, body.formerRole),
    few,
  );

  handle(app, portal, calls.listMyCustomers, ({ owner }) => join.listMyCustomers(portal, owner));

  handle(
    app,
    portal,
    calls.switchCustomer,
    ({ owner, params }) => join.switchCustomer(portal, owner, params.customerId),
    { perMinute: 60 },
  );

  handle(
    app,
    portal,
    calls.askToJoin,
    async ({ owner, params }) => {
      await join.askToJoin(portal, owner, params.customerId);
      return done;
    },
    few,
  );

  handle(
    app,
    portal,
    offered.acceptInvitation,
    ({ owner, params, body }) => join.acceptInvitation(portal, owner, { ...params, ...body }),
    few,
  );

  handle(
    app,
    portal,
    offered.readInvitation,
    ({ params, query }) => invitations.readInvitation(portal, params.invitationId, query.signature),
    { perMinute: 30 },
  );

  handle(
    app,
    portal,
    offered.declineInvitation,
    async ({ params, body }) => {
      await invitations.declineInvitation(portal, params.invitationId, body.signature);
      return done;
    },
    { perMinute: 30 },
  );

  handle(app, portal, offered.readFirst, ({ body }) => readFirst(portal, body.identity), {
    perMinute: portal.settings.signInsPerMinute,
  });

  handle(app, portal, offered.continueSignIn, ({ body }) => continueSignIn(portal, body), {
    perMinute: portal.settings.signInsPerMinute,
  });
}
