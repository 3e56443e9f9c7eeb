import type { Db } from '#shared/database/connect.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { addDays, type Day } from '#shared/domain/day.ts';

/**
 * Plans that end in seven days or less without one that follows: their customers are reminded, and operators see them. Also one that has not begun: a day
 * that was added is over before what follows it could be announced.
 */
export function endingPlans(db: Db, today: Day) {
  return db
    .selectFrom('cycles')
    .where('cycles.status', 'in', accessStatuses)
    .where('cycles.adds_to', 'is', null)
    .where('cycles.to_date', '>', today)
    .where('cycles.to_date', '<=', addDays(today, 7))
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('cycles as later')
            .select('later.id')
            .whereRef('later.activation_id', '=', 'cycles.activation_id')
            .whereRef('later.from_date', '>=', 'cycles.to_date')
            .where('later.status', 'in', accessStatuses)
            .where('later.adds_to', 'is', null),
        ),
      ),
    );
}
