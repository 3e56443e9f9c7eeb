import type { FastifyInstance } from 'fastify';
import {
  readCycleUsage as readCycleUsageCall,
  readUsage,
  readUsageReport,
  usageStreamPath,
} from '#shared/contract/usage.ts';
import { mayMember } from '#shared/policies/members/rights.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { listHistory } from '#server/features/invoices/invoices.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { followActivations } from '#server/http/streams.ts';
import { readCycleUsage } from './cycle-usage.ts';
import { selectTotals } from './store.ts';
import { readInsights, readReport } from './usage.ts';

export function usageRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, readUsage, async ({ owner, params }) => {
    await requireActivation(owner, portal.db, params.activationId);
    const insights = await readInsights(portal, owner, params.activationId);
    const seesHistory = mayMember(owner.role, 'listHistory');
    const billingCycles = seesHistory ? await listHistory(portal, owner, params.activationId) : [];
    return { insights, billingCycles };
  });

  handle(app, portal, readUsageReport, ({ owner, query }) => readReport(portal, owner, query.from, query.to));

  handle(app, portal, readCycleUsageCall, ({ owner, params }) => readCycleUsage(portal, owner, params.billingCycleId));

  followActivations(app, portal, {
    right: 'readUsage',
    path: usageStreamPath,
    guard: (owner, activationId) => requireActivation(owner, portal.db, activationId),
    event: 'usage',
    markers: selectTotals,
    read: (owner, activationId) => readInsights(portal, owner, activationId),
  });
}
