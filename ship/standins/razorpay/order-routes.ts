import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { collection } from '#ship/standins/razorpay/entities.ts';
import { readFields, readNotes } from '#ship/standins/razorpay/input.ts';
import { findOrder, paymentsOf } from '#ship/standins/razorpay/lookup.ts';
import { readNewOrder } from '#ship/standins/razorpay/order-input.ts';
import { expansions, page } from '#ship/standins/razorpay/paging.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { perform } from '#ship/standins/razorpay/perform.ts';

type ById = { Params: { id: string } };

const listQuery = z.object({ receipt: z.string().optional(), authorized: z.enum(['0', '1']).optional() });

/** `/v1/orders`. */
export function addOrderRoutes(api: FastifyInstance, parts: RazorpayParts): void {
  const { ledger } = parts;
  const paymentCollection = (orderId: string) => collection(paymentsOf(parts, orderId).map(({ payment }) => payment));

  api.post('/orders', (request) =>
    perform(request, parts.closing, ledger.state.behaviour.ordersCreate, () => {
      const record = readNewOrder(parts, request.body);
      ledger.save({ kind: 'order', value: record });
      return record.order;
    }),
  );

  api.get('/orders', (request) => {
    const { receipt, authorized } = listQuery.parse(request.query);
    const isWanted = ({ id, receipt: own }: { id: string; receipt: string | null }) => {
      const hasAuthorized = paymentsOf(parts, id).some(({ payment }) => payment.status === 'authorized');
      return (
        (receipt === undefined || own === receipt) &&
        (authorized === undefined || hasAuthorized === (authorized === '1'))
      );
    };
    const orders = page([...ledger.state.orders.values()].map(({ order }) => order).filter(isWanted), request.query);
    if (!expansions(request.query).includes('payments')) return collection(orders);
    return collection(orders.map((order) => Object.assign({}, order, { payments: paymentCollection(order.id) })));
  });

  api.get<ById>('/orders/:id', (request) => findOrder(parts, request.params.id).order);

  api.patch<ById>('/orders/:id', (request) => {
    const record = findOrder(parts, request.params.id);
    const order = { ...record.order, notes: readNotes(readFields(request.body, ['notes'])['notes']) };
    ledger.save({ kind: 'order', value: { ...record, order } });
    return order;
  });

  api.get<ById>('/orders/:id/payments', (request) => paymentCollection(findOrder(parts, request.params.id).order.id));
}
