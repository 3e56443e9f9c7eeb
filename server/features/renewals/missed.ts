import type { ExpressionBuilder } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import { transaction } from '#shared/database/transaction.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { endLiveMandate, selectLapsed, withholdDebit } from '#server/features/mandates/mandates.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import type { Items } from '#server/rounds/steps.ts';
import type { Owner, Portal } from '#server/portal.ts';

/** Days after an end on which its customer still wants to hear of it. */
const toldFor = 30;

/** Tells what has ended without a debit that was announced, and ends the mandates of what has ended for good. */
export async function tellMissed(portal: Portal, items: Items, today: Day): Promise<void> {
  for (const { activation_id: id, customer_id: customerId } of await selectMissed(portal.db, today).execute())
    await items.each(id, () => missed(portal, { customerId }, id, today));
  for (const { id, customer_id: customerId } of await selectLapsed(portal.db, today).execute())
    await items.each(id, () => endLapsed(portal, { customerId }, id, today));
}

/**
 * A plan has ended though its renewal was announced, and the bank was asked for nothing: nobody could, or the portal did not run. Or nothing will be asked
 * for, as a later plan begins after days that nothing covers.
 */
async function missed(portal: Portal, owner: Owner, activationId: string, today: Day): Promise<void> {
  await transaction(portal.db, async (tx) => {
    if (!(await lockActivation(owner, tx, activationId))) return;
    const [due] = await selectMissed(tx, today).where('mandates.activation_id', '=', activationId).execute();
    if (!due) return;
    const { mandate_id: mandateId, plan_name: planName, toDate, cycle_id: cycleId } = due;
    const reason = due.isFollowed ? 'later_plan' : 'not_in_time';
    const about = { mandateId, activationId, planName, cycleId, toDate, on: today };
    await withholdDebit(portal, owner, tx, { ...about, reason });
  });
}

/** Plans that give access after what was announced: those that cover its first day (`<=`), or begin later (`>`). */
const plansAfter = (of: ExpressionBuilder<Tables, 'mandates' | 'cycles'>, begins: '<=' | '>') =>
  of
    .selectFrom('cycles as later')
    .select('later.id')
    .whereRef('later.activation_id', '=', 'mandates.activation_id')
    .whereRef('later.from_date', begins, 'mandates.announced_for')
    .whereRef('later.to_date', '>', 'mandates.announced_for')
    .where('later.status', 'in', accessStatuses)
    .where('later.adds_to', 'is', null);

function selectMissed(db: Db | Tx, today: Day) {
  return db
    .selectFrom('mandates')
    .innerJoin('cycles', (join) =>
      join
        .onRef('cycles.activation_id', '=', 'mandates.activation_id')
        .onRef('cycles.to_date', '=', 'mandates.announced_for')
        .on('cycles.status', 'in', accessStatuses)
        .on('cycles.adds_to', 'is', null),
    )
    .select(['mandates.id as mandate_id', 'mandates.activation_id', 'mandates.customer_id', 'mandates.plan_name'])
    .select(['cycles.id as cycle_id', 'cycles.to_date as toDate'])
    .select((of) => of.exists(plansAfter(of, '>')).as('isFollowed'))
    .where('mandates.state', 'in', ['IN_FORCE', 'PAUSED'])
    .where((of) => of.or([of('mandates.announced_for', '<=', today), of.exists(plansAfter(of, '>'))]))
    .where('mandates.announced_for', '>', addDays(today, -toldFor))
    .where('mandates.skipped_for', 'is distinct from', (of) => of.ref('cycles.to_date'))
    .where((of) => of.not(of.exists(plansAfter(of, '<='))))
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('mandate_debits')
            .select('order_id')
            .whereRef('mandate_debits.activation_id', '=', 'mandates.activation_id')
            .whereRef('mandate_debits.first_day', '=', 'mandates.announced_for')
            .where('mandate_debits.state', 'in', ['ASKED', 'SENT', 'PAID', 'FAILED']),
        ),
      ),
    );
}

/** The consent was for going on. */
async function endLapsed(portal: Portal, owner: Owner, activationId: string, today: Day): Promise<void> {
  await transaction(portal.db, async (tx) => {
    if (!(await lockActivation(owner, tx, activationId))) return;
    const [due] = await selectLapsed(tx, today).where('activations.id', '=', activationId).execute();
    if (due) await endLiveMandate(portal, owner, tx, activationId, 'LAPSE');
  });
}
