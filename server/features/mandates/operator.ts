import type { ListedMandate, mandateCalls } from '#shared/contract/operator/mandates.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { isLiveDebit, renewsStill } from '#shared/domain/mandate.ts';
import { rupees } from '#shared/domain/money.ts';
import { recordAction } from '#server/audit-log/audit-log.ts';
import { lockActivation, requireCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { type DebitRow, endGiven, type MandateRow, selectMandate } from './mandates.ts';

export const mandateHandlers: Handlers<typeof mandateCalls> = {
  listMandates: {
    read: async ({ db }, { customerId }) => {
      await requireCustomer(db, customerId);
      return listMandates(db, customerId);
    },
  },
  endMandate: {
    preview: async ({ db }, { mandateId }) => describeEnd(db, await requireGiven(db, mandateId)),
    perform: async (operator, { mandateId }, cause) =>
      transaction(operator.db, async (tx) => {
        const { customer_id: customerId, activation_id: activationId } = await requireGiven(tx, mandateId);
        await lockActivation({ customerId }, tx, activationId);
        const mandate = await requireGiven(tx, mandateId);
        await endGiven(operator, tx, mandate, 'OPERATOR');
        const effect = { activationId, planName: mandate.plan_name };
        await recordAction(tx, { ...cause, action: 'mandates.end', target: mandate.id, customerId, effect });
        const ended = await selectMandate(tx, { id: mandate.id });
        return describeEnd(tx, ended ?? mandate);
      }),
  },
};

async function listMandates(db: Db, customerId: string) {
  const mandates = await db
    .selectFrom('mandates')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('token_id', 'is not', null)
    .orderBy('asked_at', 'desc')
    .orderBy('id')
    .execute();
  const debits = await db
    .selectFrom('mandate_debits')
    .innerJoin('cycles', 'cycles.id', 'mandate_debits.cycle_id')
    .selectAll('mandate_debits')
    .select('cycles.from_date')
    .where('mandate_debits.customer_id', '=', customerId)
    .orderBy('asked_at', 'desc')
    .orderBy('attempt', 'desc')
    .execute();
  const debitsOf = groupBy(debits, ({ mandate_id: id }) => id);
  return mandates.map((mandate) => ({
    ...describe(mandate),
    debits: (debitsOf.get(mandate.id) ?? []).map(describeDebit),
  }));
}

/** One that the customer gave and that has not ended; throws OperatorRefusal. */
async function requireGiven(db: Db | Tx, mandateId: string): Promise<MandateRow> {
  const mandate = await selectMandate(db, { id: mandateId.trim() });
  if (!mandate)
    throw new OperatorRefusal(
      `There is no mandate ${mandateId}. Find it with: octroi mandates list <customer>`,
      'not_found',
    );
  if (!renewsStill(mandate.state))
    throw new OperatorRefusal(`${mandate.id} is not in force: nothing is debited by it.`, 'nothing_to_change');
  return mandate;
}

async function describeEnd(db: Db | Tx, mandate: MandateRow) {
  const debits = await db.selectFrom('mandate_debits').selectAll().where('mandate_id', '=', mandate.id).execute();
  // That of a pack is refunded when it is taken after all.
  const waiting = debits.find(({ state, first_day: of }) => isLiveDebit(state) && of !== null);
  return { ...describe(mandate), debitUnderWay: waiting ? rupees(waiting.amount_paise) : null };
}

function describe(row: MandateRow): ListedMandate {
  const { announced_for: firstDay, announced_paise: paise } = row;
  return {
    id: row.id,
    customerId: row.customer_id,
    activationId: row.activation_id,
    planName: row.plan_name,
    ceiling: rupees(row.ceiling_paise),
    state: row.state,
    endedBy: row.ended_by,
    isCancelled: row.token_over_at !== null,
    agreedOn: dayOf(row.asked_at.getTime()),
    lastDay: addDays(row.expires_on, -1),
    announced: firstDay === null || paise === null ? null : { firstDay, amount: rupees(paise) },
    skipped: row.skipped_for,
    recharge:
      row.recharge_pack_id === null || row.recharge_monthly_paise === null
        ? null
        : { packId: row.recharge_pack_id, monthlyCeiling: rupees(row.recharge_monthly_paise) },
  };
}

function describeDebit(row: DebitRow & { from_date: Day }) {
  return {
    orderId: row.order_id,
    cycleId: row.cycle_id,
    paymentId: row.payment_id,
    pays: row.first_day === null ? ('PACK' as const) : ('PERIOD' as const),
    firstDay: row.first_day === null || isLiveDebit(row.state) || row.state === 'PAID' ? row.from_date : row.first_day,
    amount: rupees(row.amount_paise),
    askedOn: dayOf(row.asked_at.getTime()),
    state: row.state,
    reason: row.reason,
  };
}
