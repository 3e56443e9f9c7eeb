import { startForTest, startReceiver } from '#ship/standins/testing.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const customer = { name: 'Asha Rao', email: 'asha@kaveri.example', contact: '+919845012345' };
const isoOf = (body: Record<string, unknown>) => Date.parse(String(body['now']));

/** A portal's side of the wire, with a customer, and the clock at 08:00 in India of a day far from a month's end. */
export async function startMandates() {
  const { received, url } = await startReceiver();
  const started = await startForTest({ webhookUrl: url });
  const { api, control } = started;
  const { body } = await api('POST', '/customers', customer);
  const customerId = String(body['id']);

  const advance = async (advanceMs: number) => isoOf((await control('POST', '/clock', { advanceMs })).body);
  const now = isoOf((await control('GET', '/clock')).body);
  const eight = Date.UTC(2027, 2, 10, 2, 30);
  await advance(eight - now);

  const register = async (token: object = {}, pay: object = {}) => {
    const mandate = {
      max_amount: 1_500_000,
      expire_at: Math.floor((eight + 400 * dayMs) / 1000),
      frequency: 'as_presented',
    };
    const order = await started.createOrder(149_900, {
      customer_id: customerId,
      method: 'upi',
      token: { ...mandate, ...token },
    });
    const paid = await control('POST', '/pay', { order_id: order.id, customer_id: customerId, method: 'upi', ...pay });
    const { items } = (await api('GET', `/orders/${order.id}/payments`)).body;
    return { paid, payment: items[0], tokenId: String(items[0].token_id) };
  };
  const askDebit = async (tokenId: string, amount = 176_882, more: object = {}, order: object = {}) => {
    const { id } = await started.createOrder(amount, {
      receipt: `renewal-${amount}`,
      customer_id: customerId,
      ...order,
    });
    const { email, contact } = customer;
    const fields = { email, contact, amount, currency: 'INR', order_id: id, customer_id: customerId };
    return api('POST', '/payments/create/recurring', { ...fields, token: tokenId, recurring: '1', ...more });
  };
  const debit = async (tokenId: string, amount?: number) =>
    String((await askDebit(tokenId, amount)).body['razorpay_payment_id']);
  const read = async (paymentId: string) => (await api('GET', `/payments/${paymentId}`)).body;
  const statusOf = async (tokenId: string) =>
    (await api('GET', `/customers/${customerId}/tokens/${tokenId}`)).body['recurring_details'];
  const mandates = (settings: object) => control('PUT', '/behaviour', { mandates: settings });
  const events = () => received.map(({ event }) => event);
  return { ...started, customerId, advance, register, askDebit, debit, read, statusOf, mandates, events };
}
