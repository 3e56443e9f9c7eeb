import { productName } from '#catalog/catalog.ts';
import { reportMaxDays, type Usage, type UsageReport } from '#shared/contract/usage.ts';
import type { QuotaUse } from '#shared/contract/values.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { grantsAccess, phaseOf } from '#shared/domain/cycle.ts';
import { addDays, type Day, daysBetween, dayOf, startOfDay } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { monthlyResetsAt } from '#shared/domain/quota.ts';
import { type CycleRecord, listCycleRecords, packsFor } from '#server/features/cycles/cycles.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { type QuotaUsed, selectDailyUnits, selectDailyQuotas, selectQuotaUsed, selectReport } from './store.ts';

/** Number of days in the chart when no plan is running. */
const defaultWindowDays = 30;

/** Usage of both quotas on a day, per activation with a running plan, in units. */
export async function readQuotaUse(owner: Owner, db: Db, today: Day): Promise<Map<string, QuotaUsed>> {
  const used = await selectQuotaUsed(owner, db, today);
  return new Map(used.map((each) => [each.activationId, each]));
}

/** Units used by the running plan of an activation: of its quota, and on each day from one on. */
export async function readUnitsUsed(owner: Owner, db: Db | Tx, activationId: string, from: Day, today: Day) {
  const used = (await selectQuotaUsed(owner, db, today)).find((each) => each.activationId === activationId);
  return {
    ofCycle: used?.cycle ?? 0,
    usedOn: await selectDailyUnits(owner, db, activationId, from, addDays(today, 1)),
  };
}

/** Used, limit and remaining units of a quota; remaining is never below zero. */
export function quotaUse(used: number, limit: number): QuotaUse {
  return { quotaUsed: used, quotaLimit: limit, quotaRemaining: Math.max(0, limit - used) };
}

/** The cycle that gives access on a day, if any. */
export function runningCycle(records: readonly CycleRecord[], today: Day): CycleRecord | undefined {
  return records.find(
    (record) =>
      grantsAccess(record.status) &&
      phaseOf({ fromDate: record.from_date, toDate: record.to_date }, today) === 'running',
  );
}

/** Units used of the running plan, by day and against both quotas (product §7.1: days in IST; the month is the cycle). */
export async function readInsights(portal: Portal, owner: Owner, activationId: string): Promise<Usage['insights']> {
  const now = portal.clock();
  const today = dayOf(now);
  const tomorrow = addDays(today, 1);
  const running = runningCycle(await listCycleRecords(owner, portal.db, activationId), today);
  const from = running?.from_date ?? addDays(tomorrow, -defaultWindowDays);
  const units = await selectDailyUnits(owner, portal.db, activationId, from, tomorrow);
  const used = (await selectQuotaUsed(owner, portal.db, today)).find((each) => each.activationId === activationId);
  return {
    graph: Array.from({ length: daysBetween(from, tomorrow) }, (_, index) => {
      const x = addDays(from, index);
      return { x, y: units.get(x) ?? 0 };
    }),
    inUnits: running?.plan.costs !== undefined,
    canRecharge: running !== undefined && packsFor(portal.catalog, running, today).length > 0,
    dailyUse: {
      ...quotaUse(used?.day ?? units.get(today) ?? 0, running ? running.daily_quota + running.pack_units : 0),
      renewsAt: running ? instant(tomorrow) : null,
    },
    monthlyUse: {
      ...quotaUse(used?.cycle ?? 0, running ? running.monthly_quota + running.pack_units : 0),
      renewsAt: running ? new Date(monthlyResets(running.to_date, used?.windowEnd ?? null, now)).toISOString() : null,
    },
    from,
    to: running?.to_date ?? tomorrow,
    plan: running?.plan.name ?? null,
    monthlyPrice: rupees(running?.price_paise ?? 0),
    asOf: new Date(now).toISOString(),
  };
}

function monthlyResets(end: Day, windowEnd: Day | null, now: number): number {
  return monthlyResetsAt(startOfDay(end), windowEnd === null ? null : startOfDay(windowEnd), now);
}

function instant(day: Day): string {
  return new Date(startOfDay(day)).toISOString();
}

/** Calls by day, product and key, both days included; at most a year. */
export async function readReport(portal: Portal, owner: Owner, from: Day, to: Day): Promise<UsageReport> {
  if (from > to || daysBetween(from, to) >= reportMaxDays) throw refuse('span_too_long');
  const now = portal.clock();
  const [rows, activations] = await Promise.all([
    selectReport(owner, portal.db, from, to),
    selectDailyQuotas(owner, portal.db, dayOf(now)),
  ]);
  return {
    from,
    to,
    asOf: new Date(now).toISOString(),
    rows: rows.map((row) => ({
      day: row.day,
      activationId: row.activation_id,
      serviceName: productName(portal.catalog, row.service_id),
      keyId: row.key_id,
      keyName: row.key_name,
      counted: row.counted,
      free: row.free,
      units: row.units,
    })),
    activations: activations.map((row) => ({
      activationId: row.id,
      serviceName: productName(portal.catalog, row.service_id),
      dailyQuota: row.daily_quota === null ? null : row.daily_quota + row.pack_units,
      deleted: row.deleted_at !== null,
    })),
  };
}
