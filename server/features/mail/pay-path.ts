import type { Tx } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';
import { payLinkPathOf } from '#server/features/pay-links/pay-links.ts';
import type { Owner } from '#server/portal.ts';

/** What a mail asks to be paid: a cycle, the cycles of a payment, or the period of an activation whose debit was not answered. */
export type ToPay = { cycleId: string } | { paymentId: string } | { activationId: string; debitedFrom: Day };

/** The path of a pay link for that; undefined where nothing of it is to be paid any more. */
export async function payPathOf(owner: Owner, tx: Tx, toPay: ToPay): Promise<string | undefined> {
  const unpaid = tx
    .selectFrom('cycles')
    .innerJoin('activations', 'activations.id', 'cycles.activation_id')
    .leftJoin('credit_bills', 'credit_bills.cycle_id', 'cycles.id')
    .select(['cycles.id', 'cycles.activation_id', 'cycles.status', 'credit_bills.owed_paise'])
    .where('cycles.customer_id', '=', owner.customerId)
    // What is owed of a bill is owed also when its plan is deleted.
    .where((of) =>
      of.or([of('activations.deleted_at', 'is', null), of('credit_bills.owed_paise', '>=', leastDuePaise)]),
    )
    .orderBy('cycles.from_date');
  const cycles = await (
    'paymentId' in toPay
      ? unpaid.where('cycles.id', 'in', (of) =>
          of
            .selectFrom('order_cycles')
            .innerJoin('payments', 'payments.order_id', 'order_cycles.order_id')
            .select('order_cycles.cycle_id')
            .where('payments.provider_payment_id', '=', toPay.paymentId),
        )
      : 'cycleId' in toPay
        ? unpaid.where('cycles.id', '=', toPay.cycleId)
        : unpaid.where('cycles.id', 'in', (of) =>
            of
              .selectFrom('mandate_debits')
              .select('cycle_id')
              .where('activation_id', '=', toPay.activationId)
              .where('first_day', '=', toPay.debitedFrom)
              .where('state', 'in', ['ASKED', 'SENT']),
          )
  ).execute();
  const [first] = cycles;
  const isBill = cycles.length === 1 && (first?.owed_paise ?? 0) >= leastDuePaise;
  if (!first || (!isBill && cycles.some(({ status }) => status !== 'PAYMENT_PENDING'))) return undefined;
  return payLinkPathOf(
    tx,
    first.activation_id,
    cycles.map(({ id }) => id),
  );
}
