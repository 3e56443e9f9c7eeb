import type { FastifyInstance } from 'fastify';
import * as calls from '#shared/contract/support.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import {
  closeOwnThread,
  listSupportThreads,
  markRead,
  readSupportFile,
  readSupportThread,
  writeAgain,
  writeToSupport,
} from './support.ts';

/** Files in base64, and the rest of the body. */
const bodyLimit = calls.maxFileChars + 64 * 1024;

export function supportRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.createSupportThread, ({ owner, body }) => writeToSupport(portal, owner, body), {
    perMinute: 10,
    bodyLimit,
  });

  handle(app, portal, calls.listSupportThreads, ({ owner }) => listSupportThreads(portal.db, owner));

  handle(app, portal, calls.readSupportThread, ({ owner, params }) =>
    readSupportThread(portal.db, owner, params.threadId),
  );

  handle(
    app,
    portal,
    calls.replyToSupport,
    ({ owner, params, body }) => writeAgain(portal, owner, params.threadId, body),
    { perMinute: 10, bodyLimit },
  );

  handle(app, portal, calls.readSupportFile, ({ owner, params }) => readSupportFile(portal.db, owner, params));

  handle(app, portal, calls.markSupportRead, ({ owner, params, body }) =>
    markRead(portal, owner, params.threadId, body.seenUntil),
  );

  handle(app, portal, calls.closeSupportThread, ({ owner, params }) => closeOwnThread(portal, owner, params.threadId));
}
