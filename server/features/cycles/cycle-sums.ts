import type { ExpressionBuilder } from 'kysely';
import { sumOf } from '#database/expressions.ts';
import type { Tables } from '#database/tables.ts';

/** What of the payment for a cycle was refunded, or is going to be. */
function givenBack(cycle: ExpressionBuilder<Tables, 'cycles'>) {
  const refunded = cycle
    .selectFrom('payments')
    .innerJoin('refunds', 'refunds.payment_id', 'payments.provider_payment_id')
    .select((refund) => sumOf(refund('refunds.amount_paise', '-', refund.ref('refunds.covers_paise'))).as('paise'))
    .whereRef('refunds.cycle_id', '=', 'cycles.id')
    .where('payments.use', '=', 'CYCLE');
  return cycle.fn.coalesce(refunded, cycle.lit(0)).as('given_back_paise');
}

function excessTax(cycle: ExpressionBuilder<Tables, 'cycles'>) {
  const refunded = cycle
    .selectFrom('refunds')
    .select((refund) => sumOf(refund.ref('refunds.amount_paise')).as('paise'))
    .whereRef('refunds.cycle_id', '=', 'cycles.id')
    .where('refunds.origin', '=', 'EXCESS_TAX');
  return cycle.fn.coalesce(refunded, cycle.lit(0)).as('excess_tax_paise');
}

/** What of a cycle was given back or added, beside its own columns. */
export const sumsOf = (cycle: ExpressionBuilder<Tables, 'cycles'>) =>
  [givenBack(cycle), excessTax(cycle), cycle.fn<number>('raised_units', ['cycles.id']).as('raised_units')] as const;
