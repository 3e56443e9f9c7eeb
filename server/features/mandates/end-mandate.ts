import type { Db, Tx } from '#shared/database/connect.ts';
import { databaseTime } from '#shared/database/expressions.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { lapsesAfter, type MandateEnder, renewsStill } from '#shared/domain/mandate.ts';
import { isTransferAsked } from '#server/features/bank-transfers/bank-transfers.ts';
import { happened } from '#server/features/events/events.ts';
import type { EventContext, Owner, Portal } from '#server/portal.ts';
import { selectDebit } from './debits.ts';
import {
  mandateFacts,
  type MandateRow,
  selectLiveMandate,
  selectMandate,
  updateNextCheck,
  updateState,
} from './store.ts';
import { accessUntil } from './renewal-effect.ts';

/**
 * Ends the mandate of an activation: nothing is debited from now on, whatever the provider says. It is cancelled there as soon as that succeeds, and
 * the customer hears of it. Undefined when there is none; one that was only asked for lapses. Requires the activation's lock.
 */
export async function endLiveMandate(
  portal: EventContext,
  owner: Owner,
  tx: Tx,
  activationId: string,
  endedBy: MandateEnder,
  now = new Date(portal.clock()),
): Promise<MandateRow | undefined> {
  const mandate = await selectLiveMandate(owner, tx, activationId);
  if (!mandate) return undefined;
  if (mandate.token_id === null) {
    await updateState(tx, mandate.id, { state: 'LAPSED' }, now);
    return undefined;
  }
  await endGiven(portal, tx, mandate, endedBy, now);
  return mandate;
}

/** Ends one that the customer gave: it is cancelled at the provider from now on. Requires the activation's lock. */
export async function endGiven(
  context: EventContext,
  tx: Tx,
  mandate: MandateRow,
  endedBy: MandateEnder,
  now = new Date(context.clock()),
): Promise<void> {
  const { id, customer_id: customerId } = mandate;
  await updateState(tx, id, { state: 'ENDED', endedBy }, now);
  await updateNextCheck(tx, id, databaseTime);
  const about = await mandateFacts(tx, mandate, now);
  await happened(context, { customerId }, tx, { type: 'mandate.ended', ...about, endedBy });
}

/** The bank took the payment of an order back: nothing is debited any more by a mandate that it gave, or whose debit it is. Requires the activation's lock. */
export async function endDisputedMandate(portal: EventContext, owner: Owner, tx: Tx, orderId: string): Promise<void> {
  const debit = await selectDebit(tx, orderId);
  const of = await selectMandate(tx, debit ? { id: debit.mandate_id } : { orderId });
  if (!of) return;
  const mandate = await selectLiveMandate(owner, tx, of.activation_id);
  if (mandate?.id === of.id) await endLiveMandate(portal, owner, tx, of.activation_id, 'DISPUTE');
}

/**
 * A plan that has ended before its last day, with none after it, ends its mandate (product §4.28): the customer agreed that it goes on. The
 * database holds it (trigger `mandates_end_with_plan`). Requires the activation's lock.
 */
export async function endMandateWithPlan(
  portal: EventContext,
  owner: Owner,
  tx: Tx,
  activationId: string,
  now: Date,
): Promise<void> {
  const mandate = await selectLiveMandate(owner, tx, activationId);
  if (!mandate || mandate.token_id === null) return;
  if (((await accessUntil(tx, activationId)) ?? '') > dayOf(now.getTime())) return;
  await endLiveMandate(portal, owner, tx, activationId, 'PLAN', now);
}

/** The first day for which the next debit of a plan would pay. Undefined when none will come, or when it is withheld because a bank transfer may come. */
export async function nextDebitedDay(
  { clock }: Pick<Portal, 'clock'>,
  owner: Owner,
  db: Db | Tx,
  activationId: string,
): Promise<Day | undefined> {
  const until = await renewedDay(owner, db, activationId, dayOf(clock()));
  return until === undefined || (await isTransferAsked(db, activationId, until, dayOf(clock()))) ? undefined : until;
}

/** Is the next debit of a plan withheld because a bank transfer may come? */
export async function isDebitWithheld({ db, clock }: Portal, owner: Owner, activationId: string): Promise<boolean> {
  const until = await renewedDay(owner, db, activationId, dayOf(clock()));
  return until !== undefined && isTransferAsked(db, activationId, until, dayOf(clock()));
}

async function renewedDay(owner: Owner, db: Db | Tx, activationId: string, today: Day): Promise<Day | undefined> {
  const mandate = await selectLiveMandate(owner, db, activationId);
  const until = await accessUntil(db, activationId);
  return mandate && renewsStill(mandate.state) && until !== undefined && until > today ? until : undefined;
}

/** Mandates of activations that have had no plan for longer than a renewal takes, and no debit without a result: buying again later does not revive them. */
export function selectLapsed(db: Db | Tx, today: Day) {
  return db
    .selectFrom('mandates')
    .innerJoin('activations', 'activations.id', 'mandates.activation_id')
    .select(['activations.id', 'activations.customer_id'])
    .where('mandates.state', 'in', ['IN_FORCE', 'PAUSED'])
    .where('activations.deleted_at', 'is', null)
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('cycles')
            .select('cycles.id')
            .whereRef('cycles.activation_id', '=', 'activations.id')
            .where('cycles.status', 'in', accessStatuses)
            .where('cycles.adds_to', 'is', null)
            .where('cycles.to_date', '>', addDays(today, -lapsesAfter)),
        ),
      ),
    )
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('mandate_debits')
            .select('order_id')
            .whereRef('mandate_debits.mandate_id', '=', 'mandates.id')
            .where('mandate_debits.state', 'in', ['ASKED', 'SENT']),
        ),
      ),
    );
}
