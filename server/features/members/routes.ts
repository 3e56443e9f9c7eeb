import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as offered from '#shared/contract/invitations.ts';
import { listMemberActions, memberLogCsvPath, memberLogFilter } from '#shared/contract/member-log.ts';
import * as calls from '#shared/contract/members.ts';
import { done } from '#shared/contract/values.ts';
import { callTurns } from '#server/http/call-turns.ts';
import { handle, requireSession } from '#server/http/handle.ts';
import { sendFile, serveFile } from '#server/http/serve-file.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { continueSignIn, openOwnCustomer, readFirst } from './first.ts';
import * as invitations from './invitations.ts';
import * as join from './join.ts';
import { logAsCsv, readLog } from './log.ts';
import { listMembers } from './members.ts';
import * as removal from './removal.ts';

/** Calls per minute that send mails or let somebody in. */
const few = { perMinute: 20 };

export function membersRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.listMembers, ({ owner }) => listMembers(portal, owner));

  handle(app, portal, listMemberActions, ({ owner, query }) => readLog(portal.db, owner, query), { perMinute: 120 });

  // A file, not JSON: the contract's typed client does not read it.
  serveFile(app, memberLogCsvPath, z.object({}), {
    turns: callTurns(portal),
    identify: (request) => requireSession(portal, request, 'listMemberActions'),
    make: async ({ who, request, reply }) => {
      const filter = memberLogFilter.safeParse(request.query);
      if (!filter.success) throw refuse('invalid_request');
      const content = await logAsCsv(portal.db, who, filter.data);
      return { send: () => sendFile(reply, { name: 'log.csv', type: 'text/csv; charset=utf-8', content }) };
    },
  });

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

  handle(
    app,
    portal,
    calls.limitMember,
    async ({ owner, params, body }) => {
      const effectiveBy = await removal.limitMember(portal, owner, params.memberId, body.dailyLimit);
      return { ...done, effectiveBy };
    },
    { perMinute: 60 },
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
    ({ owner, params, token }) => join.switchCustomer(portal, owner, params.customerId, token),
    { perMinute: 60 },
  );

  handle(app, portal, calls.openOwnCustomer, ({ owner, token }) => openOwnCustomer(portal, owner, token), few);

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
    ({ owner, params, body, token }) => join.acceptInvitation(portal, owner, { ...params, ...body }, token),
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
      await invitations.declineInvitation(portal, params.invitationId, body);
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
