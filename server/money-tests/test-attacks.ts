/** The ids of the rows to attack; filled by the test. */
export const ids = {
  customer: '',
  activation: '',
  paid: '',
  upcoming: '',
  removed: '',
  pending: '',
  payment: '',
  refunded: '',
  trial: '',
};

export const captureEntry = (id: string): string =>
  `insert into ledger_entries (id, kind, payment_id, cycle_id, customer_id, currency, posted_at)
   select '${id}', kind, payment_id, cycle_id, customer_id, currency, posted_at from ledger_entries where payment_id = '${ids.payment}' limit 1`;

export const refundDueEntry = (paymentId: string, cycleId: string, paise: number): string[] => [
  `insert into ledger_entries (id, kind, payment_id, refund_id, cycle_id, customer_id, currency, posted_at)
   values ('due:RFD-X', 'REFUND_DUE', '${paymentId}', 'RFD-X', '${cycleId}', '${ids.customer}', 'INR', now())`,
  `insert into ledger_lines values ('due:RFD-X', 'cycles', ${paise}), ('due:RFD-X', 'refunds', -${paise})`,
];

export const insertRefund = (paymentId: string, cycleId: string, paise: number): string =>
  `insert into refunds (id, payment_id, cycle_id, customer_id, amount_paise, reason, status, created_at)
   values ('RFD-X', '${paymentId}', '${cycleId}', '${ids.customer}', ${paise}, 'none', 'STARTED', now())`;

export const insertPayment = (status: string, use: string | null, paise = 49_900): string =>
  `insert into payments (provider_payment_id, order_id, cycle_id, customer_id, amount_paise, currency, status, method, created_at, captured_at, use)
   select 'pay_X', id, cycle_id, customer_id, ${paise}, 'INR', '${status}', 'card', now(), now(), ${use === null ? 'null' : `'${use}'`}
   from payment_orders where cycle_id = '${ids.pending}' limit 1`;

export const insertOrder = (id: string, paise: number): string =>
  `insert into payment_orders (id, cycle_id, activation_id, customer_id, amount_paise, currency, status, created_at)
   values ('${id}', '${ids.pending}', '${ids.activation}', '${ids.customer}', ${paise}, 'INR', 'CREATING', now())`;

export const copyCycle = (id: string, change: Record<string, string | number>, of: string): string =>
  `insert into cycles select (jsonb_populate_record(c, '${JSON.stringify({ id, ...change })}')).* from cycles c where c.id = '${of}'`;
