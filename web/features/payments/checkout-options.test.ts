import { expect, test } from 'vitest';
import { checkoutOptions } from '#web/features/payments/checkout-options.ts';

const order = {
  orderId: 'order_RB58MiP5SPFYyM',
  amount: 1178.82,
  currency: 'INR' as const,
  customer: { name: 'Ananya Iyer', email: 'ananya@kaveritraders.in', contact: '+919876543210' },
  billingCycleId: 'cycle',
  planName: 'Growth',
};
const provider = {
  checkoutKeyId: 'rzp_test_LOCAL000000001',
  providerName: 'Octroi',
  brand: {
    showsName: false,
    logo: null,
    accent: '#106641',
    login: { heading: null, lead: null, features: null, claims: null, product: null },
    links: { terms: null, privacy: null, refunds: null, contact: null },
    hindi: {},
  },
};

test('the checkout is opened for the order, in paise, with the fixed description and green', () => {
  const options = checkoutOptions(order, provider, { paid: () => {}, dismissed: () => {} });
  expect(options).toMatchObject({
    key: 'rzp_test_LOCAL000000001',
    amount: 117_882,
    currency: 'INR',
    name: 'Octroi',
    description: 'API Service Payment',
    order_id: 'order_RB58MiP5SPFYyM',
    prefill: { name: 'Ananya Iyer', email: 'ananya@kaveritraders.in', contact: '+919876543210' },
    theme: { color: '#106641' },
    retry: { enabled: true },
  });
});

test('the checkout hides the way to enter a UPI ID, as Razorpay documents it', () => {
  const { config } = checkoutOptions(order, provider, { paid: () => {}, dismissed: () => {} });
  expect(config).toEqual({ display: { hide: [{ method: 'upi', flows: ['collect'] }] } });
});

test('the checkout reports a payment, and that it was closed', () => {
  const told: unknown[] = [];
  const options = checkoutOptions(order, provider, {
    paid: (reply) => told.push(reply),
    dismissed: () => told.push('dismissed'),
  });
  options.handler({ razorpay_payment_id: 'pay_1' });
  options.modal.ondismiss();
  expect(told).toEqual([{ razorpay_payment_id: 'pay_1' }, 'dismissed']);
});
