export { orderDebit, requireBuyer } from './debit-order.ts';
