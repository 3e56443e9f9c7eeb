import type { Catalog } from '#catalog/catalog.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { debitAnsweredWithinMs, isLiveDebit, noRenewals, type RenewalFacts } from '#shared/domain/mandate.ts';
import { canPayItsOrder, isTransferAsked } from '#server/features/bank-transfers/bank-transfers.ts';
import {
  type CycleRow,
  type NextPlan,
  nextPlan,
  selectLastCycles,
  selectUnpaidOn,
  selectUnpaidOver,
} from '#server/features/cycles/cycles.ts';
import {
  isMandateDisputed,
  type MandateRow,
  selectDebits,
  selectLiveMandate,
  selectMovedDebits,
} from '#server/features/mandates/mandates.ts';
import { readStanding } from '#server/features/ownership/ownership.ts';
import type { Owner, Portal } from '#server/portal.ts';

type RenewalDebit = Awaited<ReturnType<typeof selectDebits>>[number];

/** A checkout that the customer has opened lately may be paid any moment. */
const checkoutMs = 3_600_000;
const attemptedInIt = condition`payments.created_at < payment_orders.customer_asked_at + ${checkoutMs} * interval '1 ms'`;

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
    ...(await readStanding(db, activation.id)),
    isSuspended: !portal.settings.renewals,
    isDisputed: mandate !== undefined && (await isMandateDisputed(db, mandate)),
    mandate: mandate && {
      state: mandate.state,
      planId: mandate.plan_id,
      ceilingPaise: mandate.ceiling_paise,
      expiresOn: mandate.expires_on,
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

/**
 * Is money held for one of these cycles, or may the customer be paying for one in a checkout? What a holder of a pay link asks for, puts in the place of
 * that, or attempts to pay is no reason to wait: what they do pay ends the need for a debit, or one of both goes back.
 */
async function isPaidElsewhere(portal: Portal, db: Db | Tx, waiting: readonly CycleRow[]): Promise<boolean> {
  if (waiting.length === 0) return false;
  const opened = new Date(portal.clock() - checkoutMs);
  const row = await db
    .selectFrom('order_cycles')
    .innerJoin('payment_orders', 'payment_orders.id', 'order_cycles.order_id')
    .leftJoin('payments', 'payments.order_id', 'payment_orders.id')
    .leftJoin('bank_transfers', 'bank_transfers.payment_id', 'payments.provider_payment_id')
    .leftJoin('mandate_debits', 'mandate_debits.order_id', 'payment_orders.id')
    .select('payment_orders.id')
    .where(
      'order_cycles.cycle_id',
      'in',
      waiting.map(({ id }) => id),
    )
    .where('mandate_debits.order_id', 'is', null)
    .where((order) =>
      order.or([
        order.and([order('payments.status', 'in', ['created', 'authorized']), attemptedInIt]),
        order.and([order('payments.use', '=', 'HELD'), canPayItsOrder]),
        order('payment_orders.customer_asked_at', '>', opened),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}
