import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  listRequestAlerts,
  listRequests,
  requestCsvPath,
  requestFilterSchema,
  requestStreamPath,
} from '#shared/contract/request-log.ts';
import { ids } from '#shared/contract/ids.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { callTurns, inCallTurns } from '#server/http/call-turns.ts';
import { noteMember } from '#server/http/acting.ts';
import { handle, requireSession } from '#server/http/handle.ts';
import { sendFile, serveStream } from '#server/http/serve-file.ts';
import { followActivations } from '#server/http/streams.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { readAlerts } from './alerts.ts';
import { readRequests, requestsAsCsv } from './request-log.ts';

const csvParams = z.object({ activationId: ids.activation });

export function requestLogRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, listRequests, async ({ owner, params, query }) => {
    await requireActivation(owner, portal.db, params.activationId);
    return readRequests(portal, owner, params.activationId, query);
  });

  handle(app, portal, listRequestAlerts, async ({ owner, params }) => {
    await requireActivation(owner, portal.db, params.activationId);
    return readAlerts(portal, owner, params.activationId);
  });

  // A file, not JSON: the contract's typed client does not read it.
  serveStream(app, requestCsvPath, csvParams, {
    turns: callTurns(portal),
    identify: async (request) => {
      const member = await requireSession(portal, request, 'listRequests');
      noteMember(portal, request, member, 'listRequests');
      return member;
    },
    make: async ({ who: owner, params: { activationId }, request, reply }) => {
      await requireActivation(owner, portal.db, activationId);
      const filter = requestFilterSchema.safeParse(request.query);
      if (!filter.success) throw refuse('invalid_request');
      const parts = requestsAsCsv(portal, owner, activationId, filter.data);
      const content = Readable.from(inCallTurns(portal, owner, parts));
      return { send: () => sendFile(reply, { name: 'requests.csv', type: 'text/csv; charset=utf-8', content }) };
    },
  });

  followActivations(app, portal, {
    right: 'listRequests',
    path: requestStreamPath,
    guard: (owner, activationId) => requireActivation(owner, portal.db, activationId),
    event: 'requests',
    markers: (_db, activationIds) => portal.requestLog.newest(activationIds, addDays(dayOf(portal.clock()), -1)),
    read: async () => ({ asOf: new Date(portal.clock()).toISOString() }),
  });
}
