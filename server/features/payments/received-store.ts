import type { Db, Tx } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';

/** The first day on which money for an order can have come. */
export async function selectFirstDayOfMoney(tx: Tx, orderId: string): Promise<Day> {
  const { first } = await tx
    .selectNoFrom((of) => of.fn<Day>('first_day_of_money', [of.val(orderId)]).as('first'))
    .executeTakeFirstOrThrow();
  return first;
}

/**
 * An unpaid cycle that no live order covers: its customer never pressed Pay, or what was asked for was closed. Or one that is paid later, and has a bill of
 * which something is owed.
 */
export function selectUnordered(db: Db, cycleId: string) {
  return db
    .selectFrom('cycles')
    .select(['id', 'activation_id', 'customer_id', 'status'])
    .where('id', '=', cycleId)
    .where((cycle) =>
      cycle.or([
        cycle.exists(
          cycle
            .selectFrom('credit_bills')
            .select('credit_bills.cycle_id')
            .whereRef('credit_bills.cycle_id', '=', 'cycles.id')
            .where('owed_paise', '>=', leastDuePaise),
        ),
        cycle.and([
          cycle('status', '=', 'PAYMENT_PENDING'),
          cycle('id', 'not in', (live) =>
            live.selectFrom('order_cycles').select('cycle_id').where('live', '=', true).where('cycle_id', '=', cycleId),
          ),
        ]),
      ]),
    )
    .executeTakeFirst();
}
