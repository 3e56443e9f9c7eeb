import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { paymentCalls } from '#shared/contract/operator/payments.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { listPayments } from './list-payments.ts';
import { makeRefund, previewRefund } from './operator-refund.ts';
import type { RefundPlan, RefundResult } from './operator-refund-plan.ts';
import { readAskable, readPaymentFile, recheckPayment } from './payment-file.ts';

export const paymentHandlers: Handlers<typeof paymentCalls> = {
  readPayment: { read: ({ db }, { of }) => readPaymentFile(db, of) },
  listPayments: {
    read: async ({ db }, sought) => {
      if (sought.customerId !== undefined) await requireCustomer(db, sought.customerId);
      return listPayments(db, sought);
    },
  },
  recheckPayment: {
    needs: 'database',
    preview: ({ db }, { of }) => readAskable(db, of),
    perform: ({ db }, { of }, cause) => recheckPayment(db, of, cause),
  },
  refundPayment: {
    preview: async (operator, order, { reason }) => refundOf(await previewRefund(operator, orderOf(order, reason))),
    perform: async (operator, order, { actor, reason }) =>
      refundOf(await makeRefund(operator, orderOf(order, reason), actor)),
  },
};

const orderOf = ({ of, amount }: { of: string; amount?: number | undefined }, reason: string) => ({
  of,
  reason,
  amountPaise: amount === undefined ? undefined : toPaise(amount),
});

function refundOf(plan: RefundPlan | RefundResult): OperatorReply<'refundPayment'> {
  const { totalPaise, cycles, ...facts } = plan;
  return {
    already: false,
    refundIds: [],
    effectiveBy: null,
    ...facts,
    amount: rupees(totalPaise),
    cycles: cycles.map(({ amountPaise, withheldPaise, offsetPaise, leftPaise, packs, endsCycle: _ends, ...cycle }) => ({
      ...cycle,
      amount: rupees(amountPaise),
      withheld: rupees(withheldPaise),
      offset: rupees(offsetPaise),
      left: rupees(leftPaise),
      packs: packs.map(({ amountPaise: backPaise, lostPaise, ...pack }) => ({
        ...pack,
        amount: rupees(backPaise),
        lost: rupees(lostPaise),
      })),
    })),
  };
}
