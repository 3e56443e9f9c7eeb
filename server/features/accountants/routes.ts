import type { FastifyInstance } from 'fastify';
import * as calls from '#shared/contract/accountants.ts';
import { done } from '#shared/contract/values.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { answerRequest, askAccountant, readAccountant, readRequest, removeAccountant } from './accountants.ts';

export function accountantsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.readAccountant, ({ caller }) => readAccountant(caller, portal.db));

  handle(app, portal, calls.askAccountant, ({ caller, body }) => askAccountant(portal, caller, body.email), {
    perMinute: 10,
  });

  handle(app, portal, calls.removeAccountant, async ({ caller }) => {
    await removeAccountant(portal, caller);
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
