import { type Action, actionOf } from '#web/console/ui/action.ts';

/** `of`: a payment, an order or a plan. */
export const refund = (of: string): Action =>
  actionOf({
    call: 'refundPayment',
    title: 'Refund',
    verb: 'Refund',
    letter: 'r',
    isDangerous: true,
    fields: [
      {
        name: 'amount',
        label: 'Amount in rupees',
        kind: 'number',
        isOptional: true,
        hint: 'Leave it empty to refund all that is left',
      },
    ],
    input: (value) => ({ of, ...(value('amount') !== '' && { amount: Number(value('amount')) }) }),
  });

export const recheck = (of: string): Action =>
  actionOf({
    call: 'recheckPayment',
    title: 'Ask Razorpay again',
    verb: 'Ask',
    letter: 'a',
    input: () => ({ of }),
  });
