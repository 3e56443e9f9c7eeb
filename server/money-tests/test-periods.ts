import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import type { Money } from './test-money.ts';

/** An activation without a cycle, and three unpaid periods of a plan from today, or from a later day. */
export async function threeUnpaidPeriods(money: Money, inDays = 0) {
  const customer = await money.newCustomer();
  const first = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await money.ask(activatePlan, first, customer.token);
  const end = (cycleId: string) =>
    money.ask(endCycle, { params: { activationId, billingCycleId: cycleId } }, customer.token);
  await end(billingCycleId);
  const params = { activationId, planId: 'growth' };
  const body = { startDate: addDays(dayOf(money.portal.clock()), inDays), periods: 3 };
  const { billingCycleIds: cycleIds = [] } = await money.ask(addCycle, { params, body }, customer.token);
  const order = () =>
    money.ask(createOrderOfPeriods, { params: { activationId }, body: { billingCycleIds: cycleIds } }, customer.token);
  return { ...customer, activationId, cycleIds, order, end: (index: number) => end(cycleIds[index] ?? '') };
}
