import { Command } from 'commander';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { endMandate, listMandates } from '#shared/contract/operator/mandates.ts';
import { formatMoney, toPaise } from '#shared/domain/money.ts';

const money = (amount: number): string => formatMoney(toPaise(amount), 'INR');

/** `octroi mandates …`: what customers agreed to have debited. */
export function mandatesCommands(): Command {
  const mandates = new Command('mandates').description('What customers agreed to have debited when a plan renews.');
  commandFor(listMandates, mandates.command('list <customer>'))
    .description('List the mandates of a customer with their debits, newest first.')
    .addHelpText('after', '\nExample:\n  octroi mandates list CUS-7K2M9QX4TB01')
    .action((customerId: string, options: { json?: boolean }) =>
      show(listMandates, { customerId }, options, linesOf).then(() => undefined),
    );
  commandFor(endMandate, mandates.command('end <mandate>'))
    .description('End a mandate: nothing more is debited, and it is cancelled at Razorpay. The customer gets a mail.')
    .addHelpText(
      'after',
      `
Exit codes: 0 ended; 1 not ended, the message says why; 2 wrong command line.

Example:
  octroi mandates end MAN-7K2M9QX4TB01 --reason "The customer asked by telephone" --yes`,
    )
    .action((mandateId: string, options: ActionOptions) =>
      act(endMandate, { mandateId }, options, {
        did: 'ended',
        effect: describe,
        question: 'End this mandate?',
        done: ({ id }) => [`${id} is ended: nothing more is debited.`],
      }),
    );
  return mandates;
}

function linesOf(mandates: OperatorReply<'listMandates'>): string[] {
  if (mandates.length === 0) return ['No mandates.'];
  return mandates.flatMap(({ id, planName, state, ceiling, agreedOn, lastDay, recharge, debits }) => [
    `${id}  ${planName}  ${state}  at most ${money(ceiling)}  ${agreedOn} to ${lastDay}`,
    ...(recharge === null
      ? []
      : [`  recharges by ${recharge.packId}, at most ${money(recharge.monthlyCeiling)} in a calendar month`]),
    ...debits.map((debit) =>
      [
        `  ${debit.orderId}`,
        debit.askedOn,
        money(debit.amount),
        debit.pays === 'PACK' ? `pack on ${debit.firstDay}` : `from ${debit.firstDay}`,
        debit.state,
        debit.paymentId,
        debit.reason,
      ]
        .filter((part) => part !== null)
        .join('  '),
    ),
  ]);
}

function describe({ id, customerId, planName, debitUnderWay }: OperatorReply<'endMandate'>): string[] {
  return [
    `${id} of ${customerId}: ${planName} no longer renews automatically.`,
    ...(debitUnderWay === null
      ? []
      : [
          `  A debit of ${money(debitUnderWay)} was asked for and may still be made; its period can be cancelled then.`,
        ]),
    'The customer gets a mail, and reads the reason. What is paid stays.',
  ];
}
