import type { FastifyInstance } from 'fastify';
import * as calls from '#shared/contract/renewals.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { endRenewal, readRenewal, skipRenewal } from './renewals.ts';

export function renewalsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.readRenewal, ({ owner, params }) => readRenewal(portal, owner, params.activationId));

  handle(
    app,
    portal,
    calls.skipRenewal,
    ({ owner, params, body }) => skipRenewal(portal, owner, params.activationId, body.isSkipped),
    { perMinute: 30 },
  );

  handle(app, portal, calls.endRenewal, ({ owner, params }) => endRenewal(portal, owner, params.activationId), {
    perMinute: 30,
  });
}
