import { payLater, readCredit } from '#shared/contract/credit.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import type { Money } from './test-money.ts';
import { adding } from './test-transfers.ts';

/** What the tests of bills that are paid later do (decision 081). */

export const termsCause = { actor: 'asha', reason: 'Framework contract 7' };

export const setTerms = (
  at: Money,
  customerId: string,
  terms: Partial<{ limit: number; days: number; stopAfterDays: number }> = {},
) =>
  actAsOperator(
    at.portal,
    'finance',
    'setCreditTerms',
    { customerId, limit: 5000, days: 30, stopAfterDays: 15, ...terms },
    termsCause,
  );

/** A business with terms, and an unpaid plan. */
export async function allowed(at: Money, terms: Parameters<typeof setTerms>[2] = {}) {
  const added = await adding(at);
  const { customerId, token, activationId, cycleId } = added;
  await setTerms(at, customerId, terms);
  const later = (id = cycleId) => at.ask(payLater, { params: { activationId }, body: { billingCycleId: id } }, token);
  /** Another period, from a number of days after today. */
  const next = async (days: number) => {
    const params = { activationId, planId: 'growth' };
    const startDate = addDays(dayOf(at.portal.clock()), days);
    const { billingCycleId } = await at.ask(addCycle, { params, body: { startDate } }, token);
    return billingCycleId ?? '';
  };
  const credit = () => at.ask(readCredit, {}, token);
  const bill = () =>
    at.portal.db.selectFrom('credit_bills').selectAll().where('cycle_id', '=', cycleId).executeTakeFirstOrThrow();
  const order = () => at.ask(createOrder, { params: { id: cycleId } }, token);
  const documents = () =>
    at.portal.db
      .selectFrom('documents')
      .select(['kind', 'number', 'total_paise', 'content'])
      .where('cycle_id', '=', cycleId)
      .orderBy('issued_at')
      .orderBy('sequence')
      .execute();
  return { ...added, later, next, credit, bill, order, documents };
}

/** The same, sold already. */
export async function billed(at: Money, terms: Parameters<typeof setTerms>[2] = {}) {
  const one = await allowed(at, terms);
  await one.later();
  return one;
}
