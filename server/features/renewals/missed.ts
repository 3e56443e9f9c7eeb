import type { ExpressionBuilder } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import { transaction } from '#shared/database/transaction.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { announcedBefore, debitAnsweredWithinMs } from '#shared/domain/mandate.ts';
import { endLiveMandate, selectLapsed, withholdDebit } from '#server/features/mandates/mandates.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import type { Items } from '#server/rounds/steps.ts';
import type { Owner, Portal } from '#server/portal.ts';

/** Days after an end on which its customer still wants to hear of it. */
const toldFor = 30;

/** Tells what has ended without a debit that was announced, and ends the mandates of what has ended for good. */
export async function tellMissed(portal: Portal, items: Items, today: Day): Promise<void> {
  for (const { activation_id: id, customer_id: customerId } of await selectMissed(portal.db, portal.clock()).execute())
    await items.each(id, () => missed(portal, { customerId }, id, today));
  for (const { id, customer_id: customerId } of await selectLapsed(portal.db, today).execute())
    await items.each(id, () => endLapsed(portal, { customerId }, id, today));
}

/**
 * A plan has ended though its renewal was announced, and the bank was asked for nothing (nobody could, or the portal did not run) or has not answered. Or nothing
 * will be asked for, as a later plan begins after days that nothing covers.
 */
async function missed(portal: Portal, owner: Owner, activationId: string, today: Day): Promise<void> {
  await transaction(portal.db, async (tx) => {
    if (!(await lockActivation(owner, tx, activationId))) return;
    const [due] = await selectMissed(tx, portal.clock()).where('mandates.activation_id', '=', activationId).execute();
    if (!due) return;
    const { mandate_id: mandateId, plan_name: planName, toDate, cycle_id: cycleId } = due;
    const reason = due.isFollowed ? 'later_plan' : due.isAsked ? 'no_answer' : 'not_in_time';
    const about = { mandateId, activationId, planName, cycleId, toDate, on: today };
    await withholdDebit(portal, owner, tx, { ...about, reason });
  });
}

type Ending = ExpressionBuilder<Tables, 'mandates' | 'cycles'>;

/** Plans that give access after one that ends: those that cover the day after it (`<=`), or begin later (`>`). */
const plansAfter = (of: Ending, begins: '<=' | '>') =>
  of
    .selectFrom('cycles as later')
    .select('later.id')
    .whereRef('later.activation_id', '=', 'cycles.activation_id')
    .whereRef('later.from_date', begins, 'cycles.to_date')
    .whereRef('later.to_date', '>', 'cycles.to_date')
    .where('later.status', 'in', accessStatuses)
    .where('later.adds_to', 'is', null);

const debitsAfter = (of: Ending) =>
  of
    .selectFrom('mandate_debits')
    .select('order_id')
    .whereRef('mandate_debits.activation_id', '=', 'cycles.activation_id')
    .whereRef('mandate_debits.first_day', '=', 'cycles.to_date');

function selectMissed(db: Db | Tx, nowMs: number) {
  const [today, silentSince] = [dayOf(nowMs), new Date(nowMs - debitAnsweredWithinMs)];
  return db
    .selectFrom('mandates')
    .innerJoin('cycles', (join) =>
      join
        .onRef('cycles.activation_id', '=', 'mandates.activation_id')
        .on('cycles.status', 'in', accessStatuses)
        .on('cycles.adds_to', 'is', null),
    )
    .select(['mandates.id as mandate_id', 'mandates.activation_id', 'mandates.customer_id', 'mandates.plan_name'])
    .select(['cycles.id as cycle_id', 'cycles.to_date as toDate'])
    .select((of) => [
      of.exists(plansAfter(of, '>')).as('isFollowed'),
      of.exists(debitsAfter(of).where('mandate_debits.state', 'in', ['ASKED', 'SENT'])).as('isAsked'),
    ])
    .where('mandates.state', 'in', ['IN_FORCE', 'PAUSED'])
    .where('cycles.to_date', '>', addDays(today, -toldFor))
    .where('cycles.to_date', '<=', addDays(today, announcedBefore))
    .where((of) =>
      of.or([
        of.and([
          of('mandates.announced_for', '=', of.ref('cycles.to_date')),
          of.or([of('cycles.to_date', '<=', today), of.exists(plansAfter(of, '>'))]),
        ]),
        // It would be announced by now, and nothing was said of it.
        of.and([
          of('cycles.to_date', '>', today),
          of('mandates.withheld_for', 'is distinct from', of.ref('cycles.to_date')),
          of.exists(plansAfter(of, '>')),
        ]),
      ]),
    )
    .where('mandates.skipped_for', 'is distinct from', (of) => of.ref('cycles.to_date'))
    .where((of) => of.not(of.exists(plansAfter(of, '<='))))
    .where((of) =>
      of.not(
        of.exists(
          debitsAfter(of).where((debit) =>
            debit.or([
              debit('mandate_debits.state', 'in', ['PAID', 'FAILED']),
              debit.and([
                debit('mandate_debits.state', 'in', ['ASKED', 'SENT']),
                debit('mandate_debits.asked_at', '>', silentSince),
              ]),
            ]),
          ),
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
