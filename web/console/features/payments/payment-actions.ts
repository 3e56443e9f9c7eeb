import { type Action, actionOf } from '#web/console/ui/action.ts';

/** `of`: a payment, an order or a plan. `plans`: how many of them it pays for; an amount must be of one. */
export const refund = (of: string, plans = 1): Action =>
  actionOf({
    call: 'refundPayment',
    title: plans === 1 ? 'Refund' : `Refund all ${plans} plans`,
    verb: 'Refund',
    letter: 'r',
    isDangerous: true,
    ...(plans === 1
      ? {
          fields: [
            {
              name: 'amount',
              label: 'Amount in rupees',
              kind: 'number',
              isOptional: true,
              hint: 'Leave it empty to refund all that is left',
            },
          ],
        }
      : { about: 'Each plan below has its own refund, of all or an amount.' }),
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
