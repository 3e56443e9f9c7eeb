import type { AccessChange } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { type CycleDates, cycleFrom, grantsAccess, nextStartDay, overlaps, phaseOf } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import type { PlanTerms } from '#shared/domain/plan.ts';
import type { Issuer } from '#server/features/documents/documents.ts';
import { happened } from '#server/features/events/events.ts';
import { givenDaysEffect, renewsFromOf, withholdForGivenDays } from '#server/features/mandates/mandates.ts';
import type { Owner } from '#server/portal.ts';
import { endForCause } from './end-cycle.ts';
import { type CycleRecord, insertCycle, selectCycles } from './store.ts';

/** What granting a plan does to an activation. */
export interface GrantPlan {
  dates: CycleDates;
  /** The free plan that it takes the place of. */
  replaced: CycleRecord | undefined;
  /** The plan that covers some of its days already, which refuses it. */
  inTheWay: CycleRecord | undefined;
  /** The first day that no plan covers. */
  firstFree: Day;
}

/** What a grant of some days from a day on would do (product §4.25). A running free plan ends for one that starts today. */
export async function planGrant(
  owner: Owner,
  db: Db | Tx,
  activationId: string | undefined,
  asked: { from: Day; days: number; today: Day },
): Promise<GrantPlan> {
  const dates = cycleFrom(asked.from, asked.days);
  const records = activationId === undefined ? [] : await selectCycles(owner, db, activationId);
  const granting = records.filter(
    (record) => grantsAccess(record.status) && phaseOf(datesOf(record), asked.today) !== 'over',
  );
  const replaced = granting.find(
    (record) =>
      asked.from === asked.today &&
      record.price_paise === 0 &&
      record.granted_reason === null &&
      phaseOf(datesOf(record), asked.today) === 'running',
  );
  const others = granting.filter((record) => record !== replaced);
  const inTheWay = others.find((record) => overlaps(datesOf(record), dates));
  return { dates, replaced, inTheWay, firstFree: nextStartDay(others.map(datesOf), asked.today) };
}

const datesOf = ({ from_date: fromDate, to_date: toDate }: CycleRecord): CycleDates => ({ fromDate, toDate });

/** Makes the cycle of a granted plan, without a price. Requires the activation's lock, and an entry of the audit log with its id. */
export async function grantCycle(
  issuer: Issuer,
  owner: Owner,
  change: AccessChange,
  grant: {
    activationId: string;
    serviceId: string;
    terms: PlanTerms;
    made: GrantPlan;
    reason: string;
    today: Day;
    now: Date;
  },
): Promise<string> {
  const { made, reason, now, activationId, serviceId, terms } = grant;
  const { dates, replaced } = made;
  const effect = await givenDaysEffect(owner, change.tx, activationId, dates, now.getTime());
  if (replaced) await endForCause(issuer, owner, change, replaced, 'replaced', now);
  const cycleId = await insertCycle(owner, change, {
    activationId,
    serviceId,
    status: 'NO_PAYMENT_REQUIRED',
    dates,
    plan: terms,
    pricePaise: 0,
    grantedReason: reason,
    now,
  });
  await happened(issuer, owner, change.tx, {
    type: 'plan.granted',
    cycleId,
    dates,
    reason,
    ...renewsFromOf(effect),
  });
  await withholdForGivenDays(issuer, owner, change.tx, activationId, dates, now);
  if (dates.fromDate === grant.today) await happened(issuer, owner, change.tx, { type: 'cycle.activated', cycleId });
  return cycleId;
}
