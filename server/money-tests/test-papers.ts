import { activatePlan } from '#shared/contract/marketplace.ts';
import { finishDocument } from '#server/features/documents/finish.ts';
import { createOrder } from '#server/features/payments/create-order.ts';
import { settlePayment } from '#server/features/payments/settle.ts';
import type { Money } from './test-money.ts';

/** So many new customers each pay for a plan, and every document has its PDF. */
export async function printPapers(money: Money, customers: number): Promise<void> {
  const { portal } = money;
  for (let count = 0; count < customers; count += 1) {
    const customer = await money.newCustomer();
    const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
    const { billingCycleId = '' } = await money.ask(activatePlan, plan, customer.token);
    const { orderId } = await createOrder(portal, customer, billingCycleId);
    await settlePayment(portal, (await money.checkOut(orderId)).paymentId);
  }
  for (const { id } of await portal.db.selectFrom('documents').select('id').execute()) await finishDocument(portal, id);
}
