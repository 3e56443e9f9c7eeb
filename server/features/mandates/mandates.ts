import type { Tx } from '#shared/database/connect.ts';
import { databaseTime } from '#shared/database/expressions.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { Day } from '#shared/domain/day.ts';
import type { MandateEnder } from '#shared/domain/mandate.ts';
import { happened } from '#server/features/events/events.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { EventContext, Owner, Portal } from '#server/portal.ts';
import { type MandateRow, selectLiveMandate, selectMandate, updateNextCheck, updateState } from './store.ts';
import { checkMandate } from './tokens.ts';

export {
  agreeMandate,
  askMandate,
  carriesConsent,
  dropConsent,
  hasConsent,
  partiesOf,
  payerOf,
  type RenewalConsent,
} from './consent.ts';
export {
  claimDueDebits,
  insertDebit,
  isDebitUnderWay,
  orderIdOfDebit,
  selectDebit,
  selectDebits,
  selectDebitsOf,
  selectFirstDay,
  updateDebit,
} from './debits.ts';
export {
  claimDueMandates,
  type DebitRow,
  type MandateRow,
  selectMandate,
  selectLiveMandate,
  selectMandates,
  updateToken as noteToken,
} from './store.ts';
export { followDebit } from './follow-debit.ts';
export { renewalsCsv } from './month-list.ts';
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
    const mandate = await selectLiveMandate(owner, tx, activationId);
    if (!mandate) return undefined;
    if (mandate.token_id === null) {
      await updateState(tx, mandate.id, { state: 'LAPSED' }, new Date(portal.clock()));
      return undefined;
    }
    await endGiven(portal, tx, mandate, 'CUSTOMER');
    return mandate.id;
  });
  if (ended === undefined) return;
  await checkMandate(portal, ended).catch((error: unknown) =>
    portal.log.warn({ err: error, mandateId: ended }, 'a mandate could not be cancelled yet and will be tried again'),
  );
}

/** Ends one that the customer gave: it is cancelled at the provider from now on. Requires the activation's lock. */
export async function endGiven(
  context: EventContext,
  tx: Tx,
  { id, activation_id: activationId, customer_id: customerId, plan_name: planName }: MandateRow,
  endedBy: MandateEnder,
): Promise<void> {
  await updateState(tx, id, { state: 'ENDED', endedBy }, new Date(context.clock()));
  await updateNextCheck(tx, id, databaseTime);
  const about = { mandateId: id, activationId, planName };
  await happened(context, { customerId }, tx, { type: 'mandate.ended', ...about, endedBy });
}

/** Skips the debit of the cycle that would begin on a day, or takes that back. Requires the activation's lock. */
export async function updateSkipped(tx: Tx, mandate: MandateRow, day: Day | null): Promise<void> {
  await tx.updateTable('mandates').set({ skipped_for: day }).where('id', '=', mandate.id).execute();
}

/** What the customer was told of the next debit. */
export async function updateAnnounced(
  tx: Tx,
  mandate: MandateRow,
  told: { for: Day; paise: number; on: Day },
): Promise<void> {
  await tx
    .updateTable('mandates')
    .set({ announced_for: told.for, announced_paise: told.paise, announced_on: told.on })
    .where('id', '=', mandate.id)
    .execute();
}
