import type { FastifyInstance } from 'fastify';
import * as calls from '#shared/contract/accountants.ts';
import { done } from '#shared/contract/values.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { answerRequest, askAccountant, readAccountant, readRequest, removeAccountant } from './accountants.ts';

export function accountantsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.readAccountant, ({ owner }) => readAccountant(owner, portal.db));

  handle(app, portal, calls.askAccountant, ({ owner, body }) => askAccountant(portal, owner, body.email), {
    perMinute: 10,
  });

  handle(app, portal, calls.removeAccountant, async ({ owner }) => {
    await removeAccountant(portal, owner);
    return done;
  });

  handle(
    app,
    portal,
    calls.readAccountantRequest,
    ({ params, query }) => readRequest(portal, { ...params, ...query }),
    {
      perMinute: 30,
    },
  );

  handle(
    app,
    portal,
    calls.answerAccountantRequest,
    ({ params, query, body }) => answerRequest(portal, { ...params, ...query }, body.wanted),
    { perMinute: 30 },
  );
}
