import type { OperatorReply } from '#shared/contract/operator/calls.ts';
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

/** The two answers about a bank transfer that is held. */
export const answersAbout = (paymentId: string): Action[] => [
  actionOf({
    call: 'settleTransfer',
    title: 'Let it pay',
    verb: 'Let it pay',
    about: 'It pays what is due. What is missing is tax (TDS), receivable from the Government.',
    input: () => ({ paymentId }),
  }),
  actionOf({
    call: 'refundTransfer',
    title: 'Give it back',
    verb: 'Give back',
    about: 'All of it goes back, and what is due stays unpaid.',
    isDangerous: true,
    input: () => ({ paymentId }),
  }),
];

/** What can be done with a payment: of what paid a bill, the plan is refunded. */
export const actionsOfPayment = ({
  id,
  use,
  cycleId,
  amount,
  refunded,
}: Pick<
  OperatorReply<'listPayments'>['payments'][number],
  'id' | 'use' | 'cycleId' | 'amount' | 'refunded'
>): Action[] => {
  if (use === 'HELD') return answersAbout(id);
  if (refunded >= amount) return [];
  return use === 'CYCLE' ? [refund(id)] : use === 'DUE' ? [refund(cycleId)] : [];
};

/** Of a transfer to the provider's own account. `of`: an unpaid order or plan, or a plan with a bill. */
export const recordTransfer = (of: string, due: number): Action =>
  actionOf({
    call: 'recordReceivedTransfer',
    title: 'Record a bank transfer',
    verb: 'Record transfer',
    about: 'Only what is on the statement of your own bank account: it can’t be taken back.',
    fields: [
      {
        name: 'amount',
        label: 'Amount in rupees',
        kind: 'number',
        initial: String(due),
        hint: 'Exactly what is due, or that less TDS',
      },
      { name: 'utr', label: 'UTR', hint: 'The number of the transfer' },
      { name: 'on', label: 'Day on the statement', kind: 'day' },
    ],
    input: (value) => ({ of, amount: Number(value('amount')), utr: value('utr').trim(), on: value('on') }),
  });

export const recheck = (of: string): Action =>
  actionOf({
    call: 'recheckPayment',
    title: 'Ask Razorpay again',
    verb: 'Ask',
    letter: 'a',
    input: () => ({ of }),
  });
