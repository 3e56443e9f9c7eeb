import { listHistory } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import type { Money } from './test-money.ts';
import { businessProfile } from './test-tds.ts';

/** A customer with an unpaid plan, who asked for an account number to pay it by bank transfer. */
export async function asking(at: Money, profile = businessProfile) {
  const customer = await at.newCustomer(profile);
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId: cycleId = '' } = await at.ask(activatePlan, plan, customer.token);
  const askFor = (...cycleIds: string[]) =>
    at.ask(payByTransfer, { params: { activationId }, body: { billingCycleIds: cycleIds } }, customer.token);
  const asked = await askFor(cycleId);
  const { id: accountId } = await at.portal.db
    .selectFrom('virtual_accounts')
    .select('id')
    .where('customer_id', '=', customer.customerId)
    .executeTakeFirstOrThrow();
  const credit = (amount: number, more: object = {}) =>
    at.standin('POST', `/standin/virtual_accounts/${accountId}/credit`, { amount, ...more });
  const cycles = () => at.ask(listHistory, { params: { id: activationId } }, customer.token);
  const refunds = () =>
    at.portal.db
      .selectFrom('refunds')
      .select(['reason', 'amount_paise', 'status', 'payout', 'withheld_paise'])
      .where('customer_id', '=', customer.customerId)
      .orderBy('created_at')
      .execute();
  return { ...customer, activationId, cycleId, askFor, asked, accountId, credit, cycles, refunds };
}

export type Asking = Awaited<ReturnType<typeof asking>>;
