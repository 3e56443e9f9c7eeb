import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { accessStatuses, type CycleDates } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { isLiveDebit, renewsStill } from '#shared/domain/mandate.ts';
import type { NoRenewal } from '#shared/domain/renewal.ts';
import { happened } from '#server/features/events/events.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { EventContext, Owner, Portal } from '#server/portal.ts';
import { selectMovedDebits } from './debits.ts';
import { endLiveMandate } from './end-mandate.ts';
import { type MandateRow, selectLiveMandate, selectMandate } from './store.ts';
import { checkMandate } from './tokens.ts';

export {
  agreeMandate,
  askMandate,
  carriesConsent,
  dropConsent,
  hasConsent,
  isConsentOpen,
  noteToken,
  partiesOf,
  payerOf,
  type RenewalConsent,
} from './consent.ts';
export {
  claimDueDebits,
  insertDebit,
  orderIdOfDebit,
  orderIdOfRecharge,
  selectDebit,
  selectDebits,
  selectDebitsOf,
  selectMovedDebits,
  updateDropped,
  updateSending,
  updateUnsent,
} from './debits.ts';
export {
  endDisputedMandate,
  endGiven,
  endLiveMandate,
  endMandateWithPlan,
  isDebitWithheld,
  nextDebitedDay,
  selectLapsed,
} from './end-mandate.ts';
export { givenDaysEffect, renewalEffect, renewsFromOf, switchEffect } from './renewal-effect.ts';
export {
  type RechargeRow,
  selectCountedRecharges,
  selectRecharge,
  updateRecharge,
  upsertRecharge,
} from './recharge-rows.ts';
export {
  hasLiveDebit,
  isDebitInTheWay,
  readDebitFacts,
  selectDebitable,
  sentDebit,
  termsOf,
  whyDebitIsVoid,
} from './under-way.ts';
export {
  claimDueMandates,
  type DebitRow,
  lapseAsked,
  mandateFacts,
  type MandateRow,
  selectLiveMandate,
  selectMandate,
  selectMandates,
  updateSkipped,
} from './store.ts';
export { isPaidElsewhere } from './paid-elsewhere.ts';
export { isUntold, tellRechargeGivenUp, tellRechargeGivenUpLate } from './recharge-given-up.ts';
export { followDebit } from './follow-debit.ts';
export { renewalsCsv } from './month-list.ts';
export { refusedAs } from './refused-as.ts';
export { changeSkip, tellSkipWithCycle } from './skip.ts';
export { checkMandate } from './tokens.ts';

/** A message of the provider about a token: what it says is read from the provider. */
export async function checkToken(portal: Portal, tokenId: string): Promise<void> {
  const mandate = await selectMandate(portal.db, { tokenId });
  if (mandate) await checkMandate(portal, mandate.id);
}

/**
 * Ends the mandate of an activation for the customer: nothing is debited from now on, whatever the provider says. It is cancelled there at once, or
 * as soon as that succeeds. No error when there is none.
 */
export async function endMandate(portal: Portal, owner: Owner, activationId: string): Promise<void> {
  const ended = await transaction(portal.db, async (tx) => {
    if (!(await lockActivation(owner, tx, activationId))) throw refuse('not_found');
    return (await endLiveMandate(portal, owner, tx, activationId, 'CUSTOMER'))?.id;
  });
  if (ended === undefined) return;
  await checkMandate(portal, ended).catch((error: unknown) =>
    portal.log.warn({ err: error, mandateId: ended }, 'a mandate could not be cancelled yet and will be tried again'),
  );
}

/**
 * A debit that was announced for days that the provider gives now is not asked for: its customer is told, and the period after them is announced in its own
 * time. One that was asked for pays for that period. Requires the activation's lock, and the given cycle in its place.
 */
export async function withholdForGivenDays(
  portal: EventContext,
  owner: Owner,
  tx: Tx,
  activationId: string,
  { fromDate, toDate }: CycleDates,
  now: Date,
): Promise<void> {
  const mandate = await selectLiveMandate(owner, tx, activationId);
  const day = mandate?.announced_for ?? null;
  // A skip has moved behind the days by now.
  if (!mandate || day === null || !renewsStill(mandate.state) || mandate.skipped_for === toDate) return;
  if (day < fromDate || day >= toDate) return;
  const debits = await selectMovedDebits(owner, tx, activationId, toDate);
  if (debits.some(({ state, first_day: of }) => of === day && isLiveDebit(state))) return;
  await withholdAfter(portal, owner, tx, mandate, { toDate: day, reason: 'given_days', now });
}

/** The debit that was announced to follow the plan that ends on a day is withheld (`withholdDebit`); nothing where no plan ends then. */
export async function withholdAfter(
  portal: EventContext,
  owner: Owner,
  tx: Tx,
  { id: mandateId, activation_id: activationId, plan_name: planName }: MandateRow,
  { toDate, reason, now }: { toDate: Day; reason: NoRenewal; now: Date },
): Promise<void> {
  const ending = await tx
    .selectFrom('cycles')
    .select('id')
    .where('activation_id', '=', activationId)
    .where('to_date', '=', toDate)
    .where('status', 'in', accessStatuses)
    .where('adds_to', 'is', null)
    .executeTakeFirst();
  if (!ending) return;
  const about = { mandateId, activationId, planName, cycleId: ending.id, toDate, on: dayOf(now.getTime()) };
  await withholdDebit(portal, owner, tx, { ...about, reason });
}

/** What the customer was told of the next debit. */
export async function updateAnnounced(
  tx: Tx,
  mandate: MandateRow,
  told: { for: Day; paise: number; on: Day },
): Promise<void> {
  await tx
    .updateTable('mandates')
    .set({
      announced_for: told.for,
      announced_paise: told.paise,
      announced_on: told.on,
      withheld_for: null,
      withheld_reason: null,
    })
    .where('id', '=', mandate.id)
    .execute();
}

/**
 * The next debit is not asked for: the customer is told why, and reminded of the end. The database refuses it
 * until it is announced anew. Requires the activation's lock.
 */
export async function withholdDebit(
  portal: EventContext,
  owner: Owner,
  tx: Tx,
  withheld: Omit<PortalEvent<'renewal.withheld'>, 'type'>,
): Promise<void> {
  await tx
    .updateTable('mandates')
    .set({
      announced_for: null,
      announced_paise: null,
      announced_on: null,
      withheld_for: withheld.toDate,
      withheld_reason: withheld.reason,
    })
    .where('id', '=', withheld.mandateId)
    .execute();
  await happened(portal, owner, tx, { type: 'renewal.withheld', ...withheld });
}
