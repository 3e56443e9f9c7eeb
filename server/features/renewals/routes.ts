import type { FastifyInstance } from 'fastify';
import * as recharges from '#shared/contract/recharges.ts';
import * as calls from '#shared/contract/renewals.ts';
import { endRecharge, setRecharge, skipRecharge } from '#server/features/recharges/recharges.ts';
import { handle } from '#server/http/handle.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { endRenewal, readRenewal, skipRenewal } from './renewals.ts';

const often = { perMinute: 30 };

export function renewalsRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.readRenewal, ({ owner, params }) => readRenewal(portal, owner, params.activationId));

  handle(
    app,
    portal,
    calls.skipRenewal,
    ({ owner, params, body }) => skipRenewal(portal, owner, params.activationId, body.isSkipped),
    often,
  );

  handle(app, portal, calls.endRenewal, ({ owner, params }) => endRenewal(portal, owner, params.activationId), often);

  rechargesRoutes(app, portal);
}

/** Those of packs change the same, and reply with it. */
function rechargesRoutes(app: FastifyInstance, portal: Portal): void {
  const thenRead = async (owner: Owner, activationId: string, change: Promise<void>) => {
    await change;
    return readRenewal(portal, owner, activationId);
  };

  handle(
    app,
    portal,
    recharges.setRecharge,
    ({ owner, params: { activationId: id }, body }) => thenRead(owner, id, setRecharge(portal, owner, id, body)),
    often,
  );

  handle(
    app,
    portal,
    recharges.skipRecharge,
    ({ owner, params: { activationId: id }, body }) =>
      thenRead(owner, id, skipRecharge(portal, owner, id, body.quotaUnits)),
    often,
  );

  handle(
    app,
    portal,
    recharges.endRecharge,
    ({ owner, params: { activationId: id } }) => thenRead(owner, id, endRecharge(portal, owner, id)),
    often,
  );
}
