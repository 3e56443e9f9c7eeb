import type { ExpressionBuilder } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { addDays, type Day, daysBetween, dayOf, laterDay, startOfDay } from '#shared/domain/day.ts';
import { endingDedupeKey } from '#shared/domain/dedupe-key.ts';
import { announcedBefore, debitAnsweredWithinMs } from '#shared/domain/mandate.ts';
import { endingNoticeDue } from '#shared/domain/reminder.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { RoundScope } from '#server/rounds/changes.ts';
import type { Items } from '#server/rounds/steps.ts';
import type { Portal } from '#server/portal.ts';
import { endingPlans } from '#server/features/cycles/cycles.ts';
import { happened, selectHappened } from '#server/features/events/events.ts';

/** Maximum number of cycles per statement. */
const batchSize = 500;

/** Reminds each customer whose plan ends in 7, 3 or 1 days without a paid one after it, once each. Safe to call at any time. */
export async function remindOfEnds(portal: Portal, today: Day, scope: RoundScope): Promise<void> {
  let after = { to_date: today, id: '' };
  for (;;) {
    const ending = await selectEnding(portal, today, scope, after);
    await publishEndings(portal, today, ending, scope.items);
    const last = ending.at(-1);
    if (last === undefined || ending.length < batchSize || scope.items.stopping?.aborted) return;
    after = last;
  }
}

/** Plans that end within seven days with none after them, and no renewal by mandate: their customers are reminded, and operators see them. */
export function unrenewedPlans(db: Db, today: Day) {
  return plansToRemind(db, today).where((of) => of.not(of.exists(renewing(of, today))));
}

/** Nobody is told to pay for days that a debit may pay, or is about to be sent for: that would be refused until the bank has said. */
function plansToRemind(db: Db, today: Day) {
  return endingPlans(db, today).where((of) =>
    of.not(
      of.exists(
        of
          .selectFrom('mandate_debits')
          .innerJoin('cycles as next', 'next.id', 'mandate_debits.cycle_id')
          .select('mandate_debits.order_id')
          .whereRef('mandate_debits.activation_id', '=', 'cycles.activation_id')
          .whereRef('next.from_date', '=', 'cycles.to_date')
          .where('mandate_debits.state', 'in', ['ASKED', 'SENT'])
          .where('mandate_debits.asked_at', '>', new Date(startOfDay(today) - debitAnsweredWithinMs))
          .where((debit) =>
            debit.or([
              debit('mandate_debits.sent_at', 'is not', null),
              debit('mandate_debits.asked_at', '>=', new Date(startOfDay(today))),
            ]),
          )
          .where('next.status', '=', 'PAYMENT_PENDING'),
      ),
    ),
  );
}

/**
 * A mandate that renews the plan, as far as is known: its customer was told so last, or will be. Not after a debit that failed, or was given up, and
 * not on the last day: what may still be debited then is known (`plansToRemind`).
 */
function renewing(of: ExpressionBuilder<Tables, 'cycles'>, today: Day) {
  return of
    .selectFrom('mandates')
    .select('mandates.id')
    .whereRef('mandates.activation_id', '=', 'cycles.activation_id')
    .where('mandates.state', '=', 'IN_FORCE')
    .where('mandates.skipped_for', 'is distinct from', (end) => end.ref('cycles.to_date'))
    .where((end) =>
      end.or([
        end('cycles.to_date', '>', addDays(today, announcedBefore)),
        end('mandates.announced_for', '=', end.ref('cycles.to_date')),
      ]),
    )
    .where((end) => end.not(end.exists(debitOf(end).where(isOver))))
    .where('cycles.to_date', '>', addDays(today, 1));
}

type Debit = ExpressionBuilder<Tables, 'mandate_debits' | 'cycles'>;

/** A debit for the period after the plan. */
function debitOf(of: ExpressionBuilder<Tables, 'mandates' | 'cycles'>) {
  return of
    .selectFrom('mandate_debits')
    .select('mandate_debits.order_id')
    .whereRef('mandate_debits.mandate_id', '=', 'mandates.id')
    .whereRef('mandate_debits.first_day', '=', 'cycles.to_date');
}

function isOver(debit: Debit) {
  const next = debit
    .selectFrom('cycles as next')
    .select('next.id')
    .whereRef('next.id', '=', 'mandate_debits.cycle_id')
    .where('next.status', 'not in', ['PAYMENT_PENDING', ...accessStatuses]);
  return debit.or([debit('mandate_debits.state', 'in', ['FAILED', 'DROPPED']), debit.exists(next)]);
}

function selectEnding(portal: Portal, today: Day, scope: RoundScope, after: { to_date: Day; id: string }) {
  const ending = portal.settings.renewals ? unrenewedPlans(portal.db, today) : plansToRemind(portal.db, today);
  let query = ending
    .selectAll('cycles')
    .where((cycle) => cycle(cycle.refTuple('cycles.to_date', 'cycles.id'), '>', cycle.tuple(after.to_date, after.id)));
  const { customers } = scope;
  if (customers !== 'all')
    query = query.where((cycle) => cycle('cycles.customer_id', '=', cycle.fn.any(cycle.val(customers))));
  return query.orderBy('cycles.to_date').orderBy('cycles.id').limit(batchSize).execute();
}

async function publishEndings(
  portal: Portal,
  today: Day,
  ending: Awaited<ReturnType<typeof selectEnding>>,
  items: Items,
): Promise<void> {
  const due = ending.flatMap((cycle) => {
    const since = laterDay(cycle.from_date, dayOf((cycle.paid_at ?? cycle.created_at).getTime()));
    const notice = endingNoticeDue({ since, toDate: cycle.to_date }, today);
    return notice === undefined ? [] : [{ cycle, notice, dedupeKey: endingDedupeKey(cycle.id, notice) }];
  });
  const published = await selectHappened(
    portal.db,
    due.map((each) => each.dedupeKey),
  );
  for (const { cycle, notice, dedupeKey } of due) {
    if (published.has(dedupeKey)) continue;
    const daysLeft = daysBetween(today, cycle.to_date);
    const event = { type: 'cycle.ending', cycleId: cycle.id, notice, daysLeft, toDate: cycle.to_date } as const;
    const { customer_id: customerId } = cycle;
    await items.each(customerId, () => transaction(portal.db, (tx) => happened(portal, { customerId }, tx, event)));
  }
}
