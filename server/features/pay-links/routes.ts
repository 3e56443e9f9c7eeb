import type { FastifyInstance } from 'fastify';
import * as calls from '#shared/contract/pay-links.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { makePayLink, orderByPayLink, readPayLink, transferByPayLink, verifyByPayLink } from './pay-links.ts';

export function payLinksRoutes(app: FastifyInstance, portal: Portal): void {
  handle(
    app,
    portal,
    calls.makePayLink,
    ({ owner, params, body: { billingCycleIds: cycleIds, endsEarlier } }) =>
      makePayLink(portal, owner, params.activationId, { cycleIds, endsEarlier }),
    { perMinute: 30 },
  );

  // An open page asks every few seconds whether it was paid elsewhere, and an office has one address.
  handle(app, portal, calls.readPayLink, ({ body }) => readPayLink(portal, body.link), { perMinute: 120 });

  handle(app, portal, calls.orderByPayLink, ({ body }) => orderByPayLink(portal, body.link), { perMinute: 30 });

  handle(app, portal, calls.transferByPayLink, ({ body }) => transferByPayLink(portal, body.link), { perMinute: 30 });

  handle(app, portal, calls.verifyByPayLink, ({ body: { link, ...report } }) => verifyByPayLink(portal, link, report), {
    perMinute: 30,
  });
}
