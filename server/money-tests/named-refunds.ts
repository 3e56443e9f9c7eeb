import type { Db } from '#shared/database/connect.ts';
import { groupBy } from '#shared/domain/group-by.ts';

/** The ids of the provider's own refunds of a plan's payment over an amount: a reason that names them allows to refund as much again. */
export async function namesOfRefunds(db: Db, cycleId: string, paise: number): Promise<string> {
  const rows = await db
    .selectFrom('refunds')
    .select(['foreign_id', 'amount_paise', 'loss_paise', 'covers_paise'])
    .where('payment_id', 'in', (of) =>
      of.selectFrom('cycle_payments').select('provider_payment_id').where('cycle_id', '=', cycleId),
    )
    .where('origin', '=', 'PROVIDER')
    .execute();
  return [...groupBy(rows, (row) => row.foreign_id)]
    .filter(([, parts]) => {
      const whole = parts.reduce((sum, part) => sum + part.amount_paise + part.loss_paise, 0);
      return [whole, parts.reduce((left, part) => left - part.covers_paise, whole)].includes(paise);
    })
    .map(([id]) => ` ${id}`)
    .join('');
}
