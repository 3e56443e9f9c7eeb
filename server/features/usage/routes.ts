import type { FastifyInstance } from 'fastify';
import {
  readCycleUsage as readCycleUsageCall,
  readUsage,
  readUsageReport,
  usageStreamPath,
} from '#shared/contract/usage.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { listHistory } from '#server/features/invoices/invoices.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { followActivations } from '#server/http/streams.ts';
import { readCycleUsage } from './cycle-usage.ts';
import { selectTotals } from './store.ts';
import { readInsights, readReport } from './usage.ts';

export function usageRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, readUsage, async ({ caller, params }) => {
    await requireActivation(caller, portal.db, params.activationId);
    const insights = await readInsights(portal, caller, params.activationId);
    return { insights, billingCycles: await listHistory(portal, caller, params.activationId) };
  });

  handle(app, portal, readUsageReport, ({ caller, query }) => readReport(portal, caller, query.from, query.to));

  handle(app, portal, readCycleUsageCall, ({ caller, params }) =>
    readCycleUsage(portal, caller, params.billingCycleId),
  );

  followActivations(app, portal, {
    path: usageStreamPath,
    guard: (caller, activationId) => requireActivation(caller, portal.db, activationId),
    event: 'usage',
    markers: selectTotals,
    read: (caller, activationId) => readInsights(portal, caller, activationId),
  });
}
