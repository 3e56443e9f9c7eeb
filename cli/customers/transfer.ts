import type { Command } from 'commander';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import { transferOwnership } from '#shared/contract/operator/customers.ts';
import { istTime } from '#shared/domain/day.ts';

/** `octroi customers transfer`. */
export function addTransferCommand(customers: Command): void {
  commandFor(transferOwnership, customers.command('transfer <customer> <email>'))
    .description(
      'Offer the ownership of a customer to an address, when nobody reaches the owner. All members are told; the Google account of the address can accept after 7 days, unless the owner objects. With the address of the owner, who has lost the passkeys: accepting removes them.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi customers transfer CUS-7K2M9QX4TB01 meera@kaveri.example --reason "The owner has left, says the letter of 3 March"',
    )
    .action((customerId: string, email: string, options: ActionOptions) =>
      act(transferOwnership, { customerId, email }, options, {
        did: 'offered',
        effect: ({ name, email: owner, to, startsAt, told, removesPasskeys }) => [
          `${customerId}  ${name} <${owner}>: ${to} can accept ${removesPasskeys ? 'that the own passkeys go' : 'the ownership'} from ${istTime(new Date(startsAt))} on, unless the owner objects.`,
          `Mails go to ${told.join(', ')}.`,
        ],
        question: 'Offer the ownership?',
        done: ({ to, endsAt }) => [`${to} is told, and can accept until ${istTime(new Date(endsAt))}.`],
      }),
    );
}
