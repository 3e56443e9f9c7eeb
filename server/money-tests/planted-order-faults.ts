import { copy, fault, ofCycle, planted, type PlantedFault } from './planted-faults.ts';

/** Faults of orders, and of the cycles that they cover. */
export const plantedOrderFaults: readonly PlantedFault[] = [
  fault(
    'a cycle has two live orders',
    () => [
      'drop index order_cycles_one_live',
      copy('payment_orders', ofCycle(planted.pending), { id: 'ORD-X', provider_order_id: 'order_X' }),
      copy('order_cycles', ofCycle(planted.pending), { order_id: 'ORD-X' }),
    ],
    /has 2 live orders/,
  ),
  fault(
    'an order is over another price than its cycle',
    () => [`update payment_orders set amount_paise = 100 where ${ofCycle(planted.pending)}`],
    /order \S+ differs from its cycle/,
  ),
  fault(
    'the order of a removed cycle is open again',
    () => [`update payment_orders set status = 'OPEN' where ${ofCycle(planted.removed)}`],
    /order \S+ differs from its cycle/,
  ),
  fault(
    'an order covers a cycle for less than its price',
    () => [`update order_cycles set amount_paise = 100 where ${ofCycle(planted.pending)}`],
    /order \S+ differs from its cycle/,
  ),
  fault(
    'an order covers no cycle',
    () => [`delete from order_cycles where ${ofCycle(planted.pending)}`],
    /order \S+ differs from its cycle/,
  ),
  fault(
    'an order is marked as paid without a payment',
    () => [`update payment_orders set status = 'PAID' where ${ofCycle(planted.pending)}`],
    /is marked as paid without a payment/,
  ),
];
