import type { FastifyInstance } from 'fastify';
import { createSupportMessage, listSupportMessages } from '#contract/support.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { selectSupportMessages } from './store.ts';
import { writeToSupport } from './support.ts';

export function supportRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, createSupportMessage, ({ caller, body }) => writeToSupport(portal, caller, body), {
    perMinute: 5,
  });

  handle(app, portal, listSupportMessages, ({ caller }) => selectSupportMessages(caller, portal.db));
}
