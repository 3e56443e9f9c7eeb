import type { FastifyInstance } from 'fastify';
import * as calls from '#shared/contract/support.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import {
  closeOwnThread,
  listSupportThreads,
  markRead,
  readSupportThread,
  writeAgain,
  writeToSupport,
} from './support.ts';

export function supportRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.createSupportThread, ({ caller, body }) => writeToSupport(portal, caller, body), {
    perMinute: 10,
  });

  handle(app, portal, calls.listSupportThreads, ({ caller }) => listSupportThreads(portal.db, caller));

  handle(app, portal, calls.readSupportThread, ({ caller, params }) =>
    readSupportThread(portal.db, caller, params.threadId),
  );

  handle(
    app,
    portal,
    calls.replyToSupport,
    ({ caller, params, body }) => writeAgain(portal, caller, params.threadId, body.message),
    { perMinute: 10 },
  );

  handle(app, portal, calls.markSupportRead, ({ caller, params, body }) =>
    markRead(portal, caller, params.threadId, body.seenUntil),
  );

  handle(app, portal, calls.closeSupportThread, ({ caller, params }) =>
    closeOwnThread(portal, caller, params.threadId),
  );
}
