import type { FastifyInstance } from 'fastify';
import {
  addCycle as addCycleCall,
  buyPack as buyPackCall,
  endCycle as endCycleCall,
  previewEndCycle,
  previewSwitch,
  switchPlan as switchPlanCall,
} from '#shared/contract/cycles.ts';
import { done } from '#shared/contract/values.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { addCycles, buyPack, endCycle, readEnding, readSwitch, switchPlan } from './cycles.ts';

export function cyclesRoutes(app: FastifyInstance, portal: Portal): void {
  handle(
    app,
    portal,
    addCycleCall,
    async ({ owner, params, body }) => {
      const { activationId, planId } = params;
      const { startDate, periods = 1 } = body;
      return { ...(await addCycles(portal, owner, { activationId, planId, startDate, periods })), activationId };
    },
    { perMinute: 30 },
  );

  handle(app, portal, buyPackCall, ({ owner, params }) => buyPack(portal, owner, params.activationId, params.packId), {
    perMinute: 30,
  });

  handle(app, portal, previewEndCycle, ({ owner, params }) =>
    readEnding(portal, owner, params.activationId, params.billingCycleId),
  );

  handle(app, portal, previewSwitch, ({ owner, params }) =>
    readSwitch(portal, owner, params.activationId, params.planId),
  );

  handle(
    app,
    portal,
    switchPlanCall,
    ({ owner, params }) => switchPlan(portal, owner, params.activationId, params.planId),
    { perMinute: 30 },
  );

  handle(app, portal, endCycleCall, async ({ owner, params }) => ({
    ...(await endCycle(portal, owner, params.activationId, params.billingCycleId)),
    ...done,
  }));
}
