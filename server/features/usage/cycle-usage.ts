import type { CycleUsage } from '#shared/contract/usage.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { selectCycle, selectCycleCalls } from './store.ts';

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/**
 * The usage of a billing cycle, from the same counts as the graph, the report and the gateway's quota. Calls with test keys use no
 * quota and are not included. Throws not_found.
 */
export async function readCycleUsage(portal: Portal, owner: Owner, cycleId: string): Promise<CycleUsage> {
  const cycle = await selectCycle(owner, portal.db, cycleId);
  if (!cycle) throw refuse('not_found');
  const rows = await selectCycleCalls(owner, portal.db, cycleId);
  const sum = (counted: boolean) => rows.reduce((total, row) => total + (row.counted === counted ? row.calls : 0), 0);
  return {
    billingCycleId: cycleId,
    activationId: cycle.activation_id,
    invoiceId: cycle.number,
    planName: cycle.plan.name,
    fromDate: cycle.from_date,
    toDate: cycle.to_date,
    monthlyQuota: cycle.monthly_quota + cycle.pack_units,
    counted: sum(true),
    free: sum(false),
    units: rows.reduce((total, row) => total + row.units, 0),
    rows: rows.map((row) => ({
      day: row.day,
      keyId: row.key_id,
      keyName: row.key_name,
      answers: classOf(row.status_class),
      counted: row.counted,
      calls: row.calls,
      units: row.units,
    })),
    asOf: new Date(portal.clock()).toISOString(),
  };
}

function classOf(statusClass: number): (typeof statusClasses)[number] {
  const found = statusClasses[statusClass - 1];
  if (found === undefined) throw new Error(`${statusClass} is not a status class`);
  return found;
}
