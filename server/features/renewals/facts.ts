import type { Catalog } from '#catalog/catalog.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { debitAnsweredWithinMs, isDebitTooLate, isLiveDebit } from '#shared/domain/mandate.ts';
import { noRenewals, type RenewalFacts } from '#shared/domain/renewal.ts';
import { isTransferAsked } from '#server/features/bank-transfers/bank-transfers.ts';
import {
  type CycleRow,
  type NextPlan,
  nextPlan,
  selectLastCycles,
  selectUnpaidOn,
  selectUnpaidOver,
} from '#server/features/cycles/cycles.ts';
import {
  hasLiveDebit,
  isPaidElsewhere,
  type MandateRow,
  readDebitFacts,
  selectDebits,
  selectLiveMandate,
  selectMovedDebits,
  termsOf,
} from '#server/features/mandates/mandates.ts';
import type { Owner, Portal } from '#server/portal.ts';

type RenewalDebit = Awaited<ReturnType<typeof selectDebits>>[number];

export interface Renewal {
  facts: RenewalFacts;
  mandate: MandateRow | undefined;
  /** The last cycle that gives access, now or later. */
  last: CycleRow | undefined;
  /** What is renewed: the last of them that was sold. */
  renewed: CycleRow | undefined;
  next: NextPlan | undefined;
  /** What waits for its payment on the days of the next one. */
  unpaid: CycleRow | undefined;
  debits: RenewalDebit[];
  /** Those that pay for the next cycle though they were announced for an earlier day. */
  moved: RenewalDebit[];
}

/** What the renewal of an activation depends on today. In a transaction: requires the activation's lock. */
export async function readRenewalFacts(
  portal: Portal,
  owner: Owner,
  db: Db | Tx,
  activation: { id: string; service_id: string },
  catalog: Catalog,
): Promise<Renewal> {
  const mandate = await selectLiveMandate(owner, db, activation.id);
  const { last: latest, sold } = await selectLastCycles(owner, db, activation.id);
  const today = dayOf(portal.clock());
  const last = latest && latest.to_date > today ? latest : undefined;
  const renewed = last && (sold ?? last);
  const startDate = last?.to_date;
  const wanted = mandate &&
    startDate && { catalog, productId: activation.service_id, planId: mandate.plan_id, startDate };
  const next = wanted ? await nextPlan(portal, owner, db, wanted) : undefined;
  const waiting = startDate === undefined ? [] : await selectUnpaidOn(owner, db, activation.id, startDate);
  const debits = startDate === undefined ? [] : await selectDebits(owner, db, activation.id, startDate);
  const moved = startDate === undefined ? [] : await selectMovedDebits(owner, db, activation.id, startDate);
  const mayPayFrom = portal.clock() - debitAnsweredWithinMs;
  const isSame = ({ plan }: CycleRow) => plan.planId === mandate?.plan_id;
  // The one that was debited before, or else what the customer has added.
  const unpaid =
    waiting.find(({ id }) => debits.some(({ cycle_id: cycleId }) => cycleId === id)) ?? waiting.find(isSame);
  const facts: RenewalFacts = {
    ...(await readDebitFacts(portal, db, activation.id, mandate)),
    mandate: mandate && {
      ...termsOf(mandate),
      skippedFor: mandate.skipped_for,
      announced: announcedOf(mandate),
      withheld: withheldOf(mandate),
    },
    last: last && renewed && { planId: renewed.plan.planId, toDate: last.to_date },
    pricePaise: next?.pricePaise,
    debits: debits.map(({ state }) => state),
    failedOn: failedOnOf(debits.at(-1)),
    isDebitMoved: moved.some(
      ({ state, cycle_status: status, asked_at: at }) =>
        isLiveDebit(state) && status === 'PAYMENT_PENDING' && at.getTime() > mayPayFrom,
    ),
    isGivenUp: [...debits, ...moved].some(isGivenUp),
    isPaidElsewhere: await isPaidElsewhere(
      portal,
      db,
      next ? await selectUnpaidOver(owner, db, activation.id, next.dates, today) : [],
    ),
    isPackAtBank: mandate !== undefined && (await hasLiveDebit(db, mandate.id, 'packs')),
    isTooLate: startDate !== undefined && isDebitTooLate(startDate, portal.clock()),
    isByTransfer: startDate !== undefined && (await isTransferAsked(db, activation.id, startDate, today)),
  };
  return { facts, mandate, last, renewed, next, unpaid, debits, moved };
}

/** What is paid is followed by a next cycle; a payment that was captured and pays for none was given back. */
function isGivenUp({ state, cycle_status: cycle, payment_status: payment }: RenewalDebit): boolean {
  return (
    !(cycle === 'PAYMENT_PENDING' || accessStatuses.includes(cycle)) || (state === 'FAILED' && payment === 'captured')
  );
}

function failedOnOf(debit: RenewalDebit | undefined): Day | null {
  return debit?.state === 'FAILED' && debit.ended_at ? dayOf(debit.ended_at.getTime()) : null;
}

function announcedOf({ announced_for: of, announced_paise: paise, announced_on: on }: MandateRow) {
  return of === null || paise === null || on === null ? null : { for: of, paise, on };
}

function withheldOf({ withheld_for: of, withheld_reason: reason }: MandateRow) {
  const known = noRenewals.find((each) => each === reason);
  return of === null || known === undefined ? null : { for: of, reason: known };
}
