import type { ExpressionBuilder } from 'kysely';
import { sumOf } from './expressions.ts';
import type { Tables } from './tables.ts';
import { excessOrigins } from '#shared/domain/advance.ts';

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

/** What of that was tax that the customer deducted at source. */
function deducted(cycle: ExpressionBuilder<Tables, 'cycles'>) {
  const refunded = cycle
    .selectFrom('refunds')
    .select((refund) => sumOf(refund.ref('refunds.amount_paise')).as('paise'))
    .whereRef('refunds.cycle_id', '=', 'cycles.id')
    .where('refunds.origin', '=', 'TDS');
  return cycle.fn.coalesce(refunded, cycle.lit(0)).as('deducted_paise');
}

/** What of that was tax that never came, and is reversed: it was not paid out. */
function reversed(cycle: ExpressionBuilder<Tables, 'cycles'>) {
  const withheld = cycle
    .selectFrom('refunds')
    .select((refund) => sumOf(refund.ref('refunds.withheld_paise')).as('paise'))
    .whereRef('refunds.cycle_id', '=', 'cycles.id');
  return cycle.fn.coalesce(withheld, cycle.lit(0)).as('reversed_paise');
}

function excessTax(cycle: ExpressionBuilder<Tables, 'cycles'>) {
  const refunded = cycle
    .selectFrom('refunds')
    .select((refund) => sumOf(refund.ref('refunds.amount_paise')).as('paise'))
    .whereRef('refunds.cycle_id', '=', 'cycles.id')
    .where('refunds.origin', 'in', excessOrigins);
  return cycle.fn.coalesce(refunded, cycle.lit(0)).as('excess_tax_paise');
}

/** When the payment for a cycle was captured. */
function capturedAt(cycle: ExpressionBuilder<Tables, 'cycles'>) {
  return cycle
    .selectFrom('cycle_payments')
    .innerJoin('payments', 'payments.provider_payment_id', 'cycle_payments.provider_payment_id')
    .select('payments.captured_at')
    .whereRef('cycle_payments.cycle_id', '=', 'cycles.id')
    .as('captured_at');
}

/** Was it paid to the provider's own bank account, or sold on credit terms? The payment provider can't send it back under this payment. */
function isOwnTransfer(cycle: ExpressionBuilder<Tables, 'cycles'>) {
  const received = cycle
    .selectFrom('cycle_payments')
    .leftJoin('bank_transfers', 'bank_transfers.payment_id', 'cycle_payments.provider_payment_id')
    .leftJoin('credit_bills', 'credit_bills.payment_id', 'cycle_payments.provider_payment_id')
    .select('cycle_payments.cycle_id')
    .whereRef('cycle_payments.cycle_id', '=', 'cycles.id')
    .where((paid) =>
      paid.or([paid('bank_transfers.received_on', 'is not', null), paid('credit_bills.cycle_id', 'is not', null)]),
    );
  return cycle.exists(received).as('is_own_transfer');
}

/** What is still due or owed of it, where it was sold on credit terms. */
function ofBill(cycle: ExpressionBuilder<Tables, 'cycles'>, what: 'due_paise' | 'owed_paise') {
  const bill = cycle
    .selectFrom('credit_bills')
    .select(`credit_bills.${what}`)
    .whereRef('credit_bills.cycle_id', '=', 'cycles.id');
  return cycle.fn.coalesce(bill, cycle.lit(0)).as(what);
}

/** Units that calls took through a cycle, counted or held by gateways. */
export function unitsTaken(cycle: ExpressionBuilder<Tables, 'cycles'>) {
  const taken = cycle
    .selectFrom('quota_counters')
    .select('quota_counters.taken')
    .where('quota_counters.kind', '=', 'cycle')
    .whereRef('quota_counters.scope_id', '=', 'cycles.id');
  return cycle.fn.coalesce(taken, cycle.lit(0)).as('units_taken');
}

/** What is known of a cycle from its payment, its refunds, the raises of operators and its calls: columns to select. */
export const sumsOf = (cycle: ExpressionBuilder<Tables, 'cycles'>) =>
  [
    capturedAt(cycle),
    isOwnTransfer(cycle),
    ofBill(cycle, 'due_paise'),
    ofBill(cycle, 'owed_paise'),
    givenBack(cycle),
    deducted(cycle),
    excessTax(cycle),
    reversed(cycle),
    cycle.fn<number>('unproved_tax', ['cycles.id']).as('unproved_paise'),
    cycle.fn<number>('raised_units', ['cycles.id']).as('raised_units'),
    unitsTaken(cycle),
  ] as const;
