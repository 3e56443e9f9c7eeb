import type { refundCalls } from '#shared/contract/operator/refunds.ts';
import { rupees } from '#shared/domain/money.ts';
import { requireUtr } from '#server/features/bank-transfers/bank-transfers.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { listRefunds } from './list-refunds.ts';
import { openOfRow, previewTransfer, previewTurn, recordTransfer, turnRefund } from './operator-transfers.ts';
import { listUnpaidRefunds } from './refunds.ts';

export const refundHandlers: Handlers<typeof refundCalls> = {
  listUnpaidRefunds: {
    read: async ({ db, clock }) =>
      (await listUnpaidRefunds(db, clock())).map(({ amountPaise, withheldPaise, startedAt, ...refund }) => ({
        ...refund,
        amount: rupees(amountPaise),
        withheld: rupees(withheldPaise),
        startedAt: startedAt.toISOString(),
      })),
  },
  listRefunds: {
    read: async ({ db }, { customerId, ...page }) => {
      await requireCustomer(db, customerId);
      return listRefunds(db, customerId, page);
    },
  },
  recordTransfer: {
    preview: async (operator, { refundId, utr, on }) => {
      const transfer = { utr: requireUtr(utr), on };
      return { ...refundOf(await previewTransfer(operator, refundId, transfer)), ...transfer };
    },
    perform: async (operator, { refundId, utr, on }, cause) => {
      const transfer = { utr: requireUtr(utr), on };
      return { ...refundOf(await recordTransfer(operator, refundId, transfer, cause)), ...transfer };
    },
  },
  turnRefund: {
    preview: async (operator, { refundId }) => refundOf(await previewTurn(operator, refundId)),
    perform: async (operator, { refundId }, cause) => refundOf(await turnRefund(operator, refundId, cause)),
  },
};

const refundOf = (refund: Parameters<typeof openOfRow>[0]) => ({
  id: refund.id,
  customerId: refund.customer_id,
  paymentId: refund.payment_id,
  reason: refund.reason,
  amount: rupees(openOfRow(refund)),
});
