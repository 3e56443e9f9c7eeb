import type { Catalog } from '#catalog/catalog.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { addDays, type Day, dayOf, laterDay, startOfDay } from '#shared/domain/day.ts';
import { debitDay, isLiveDebit, lastDebitDay, maxDebits } from '#shared/domain/mandate.ts';
import type { PlanTerms } from '#shared/domain/plan.ts';
import { paceDays } from '#shared/domain/quota-pace.ts';
import { type RechargeFacts, unitsEndAt } from '#shared/domain/recharge.ts';
import { isPackTransferAsked } from '#server/features/bank-transfers/bank-transfers.ts';
import { isPlanStopped } from '#server/features/credit/credit.ts';
import { type CycleRecord, listCycleRecords, packsFor, priceFor, waitingPack } from '#server/features/cycles/cycles.ts';
import { readBuyer } from '#server/features/documents/documents.ts';
import {
  hasLiveDebit,
  isPaidElsewhere,
  isUntold,
  type MandateRow,
  readDebitFacts,
  type RechargeRow,
  selectCountedRecharges,
  selectLiveMandate,
  selectRecharge,
  termsOf,
} from '#server/features/mandates/mandates.ts';
import { readUnitsUsed, runningCycle } from '#server/features/usage/usage.ts';
import type { Owner, Portal } from '#server/portal.ts';

/** A pack that can be bought today, at the price for this buyer. */
export interface OfferedPack {
  terms: PlanTerms;
  units: number;
  pricePaise: number;
}

export interface Recharge {
  facts: RechargeFacts;
  mandate: MandateRow | undefined;
  running: CycleRecord | undefined;
  /** What the running plan can use in all: the shortage. */
  quotaUnits: number;
  packs: OfferedPack[];
  /** The one that the customer agreed to; undefined: it is not on sale any more. */
  pack: OfferedPack | undefined;
  told: RechargeRow | undefined;
}

/** What the recharge of an activation depends on now. In a transaction: requires the activation's lock. */
export async function readRechargeFacts(
  portal: Portal,
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  catalog: Catalog,
): Promise<Recharge> {
  const now = portal.clock();
  const today = dayOf(now);
  const mandate = await selectLiveMandate(owner, db, activationId);
  const running = runningCycle(await listCycleRecords(owner, db, activationId), today);
  const quotaUnits = running ? running.monthly_quota + running.pack_units : 0;
  const told = running && (await selectRecharge(db, { cycle_id: running.id, quota_units: quotaUnits }));
  const packs = running ? await offeredPacks(portal, owner, db, catalog, running) : [];
  const pack = packs.find(({ terms }) => terms.planId === mandate?.recharge_pack_id);
  const waiting = running && waitingPack(running);
  const facts: RechargeFacts = {
    ...(await readDebitFacts(portal, db, activationId, mandate)),
    mandate: mandate && {
      ...termsOf(mandate),
      monthlyPaise: mandate.recharge_monthly_paise,
    },
    runningPlanId: running?.plan.planId,
    pricePaise: pack?.pricePaise,
    debits: await selectCountedRecharges(db, activationId, now),
    isBusy: mandate !== undefined && (await hasLiveDebit(db, mandate.id, 'all')),
    renewalFrom: mandate && running && (await renewalFrom(db, mandate, running, today)),
    isPaidElsewhere: await isPaidElsewhere(portal, db, waiting ? [waiting] : []),
    isByTransfer: waiting !== undefined && (await isPackTransferAsked(db, waiting.id)),
    endsAt: running && (await unitsOf(owner, db, running, quotaUnits, now)),
    shortage: told && {
      state: told.state,
      reason: told.reason,
      paise: told.amount_paise,
      toldAt: told.told_at.getTime(),
      isOfNow:
        told.mandate_id === mandate?.id &&
        told.pack_id === pack?.terms.planId &&
        told.units === pack.units &&
        told.told_at >= (mandate.recharge_agreed_at ?? told.told_at),
      isUntold: await isUntold(db, told),
    },
  };
  return { facts, mandate, running, quotaUnits, packs, pack, told };
}

async function offeredPacks(
  portal: Portal,
  owner: Owner,
  db: Db | Tx,
  catalog: Catalog,
  running: CycleRecord,
): Promise<OfferedPack[]> {
  const today = dayOf(portal.clock());
  const buyer = await readBuyer(portal, owner, db);
  return packsFor(catalog, running, today).map(({ pack: { units }, terms }) => {
    const pack = { plan: terms, service_id: running.service_id, from_date: today };
    return { terms, units, pricePaise: priceFor(buyer, pack, today).totalPaise };
  });
}

/** When the units of a running plan end. A plan that was paid late on a day has been used since then; one whose bill is overdue is not used. */
async function unitsOf(owner: Owner, db: Db | Tx, running: CycleRecord, quotaUnits: number, now: number) {
  const { activation_id: id, from_date: from, to_date: to, paid_at: paidAt, created_at: createdAt } = running;
  const today = dayOf(now);
  if (await isPlanStopped(db, running.id, today)) return undefined;
  const { ofCycle, usedOn } = await readUnitsUsed(owner, db, id, laterDay(from, addDays(today, 1 - paceDays)), today);
  const since = Math.max(startOfDay(from), (paidAt ?? createdAt).getTime());
  return unitsEndAt({ now, since, until: startOfDay(to), remaining: Math.max(0, quotaUnits - ofCycle), usedOn });
}

/** From when on the renewal of a plan is to be asked for, or is at the bank. It is dearer to lose than a pack. Undefined: nothing is, or no more. */
async function renewalFrom(db: Db | Tx, mandate: MandateRow, running: CycleRecord, today: Day) {
  const end = running.to_date;
  if (mandate.plan_id !== running.plan.planId) return undefined;
  const from = startOfDay(debitDay(end));
  const debits = await db
    .selectFrom('mandate_debits')
    .select('state')
    .where('activation_id', '=', running.activation_id)
    .where('first_day', '=', end)
    .execute();
  if (debits.some(({ state }) => isLiveDebit(state))) return from;
  if (today > lastDebitDay(end) || mandate.skipped_for === end || mandate.withheld_for === end) return undefined;
  const next = await db
    .selectFrom('cycles')
    .select('id')
    .where('activation_id', '=', running.activation_id)
    .where('status', 'in', accessStatuses)
    .where('adds_to', 'is', null)
    .where('to_date', '>', end)
    .limit(1)
    .executeTakeFirst();
  if (next || debits.length >= maxDebits) return undefined;
  return debits.every(({ state }) => state === 'FAILED' || state === 'DROPPED') ? from : undefined;
}
