import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { readRenewal } from '#shared/contract/renewals.ts';
import type { TestPortal } from '#server/test/portal.ts';

/** A new customer who ticks “Renew automatically” beside a plan of ₹1,499, and pays. */
export async function payTicked(portal: TestPortal) {
  const token = await portal.newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId } = await portal.ask(activatePlan, plan, token);
  const params = { activationId };
  const body = { billingCycleIds: [billingCycleId ?? ''], renewal: { pinEachTime: false } };
  const order = await portal.ask(createOrderOfPeriods, { params, body }, token);
  const { mandate } = order;
  const paid = await portal.pay(order.orderId, {
    method: 'upi',
    ...(mandate && { customer_id: mandate.customerId }),
  });
  const report = {
    orderId: order.orderId,
    paymentId: String(paid['razorpay_payment_id']),
    signature: String(paid['razorpay_signature']),
  };
  const { status } = await portal.ask(verifyPayment, { body: report }, token);
  const read = () => portal.ask(readRenewal, { params }, token);
  return { activationId, mandate, status, read, renewal: await read() };
}
