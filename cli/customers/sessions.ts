import type { Command } from 'commander';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import { endSessions } from '#shared/contract/operator/customers.ts';

/** `octroi customers sign-out`. */
export function addSessionsCommand(customers: Command): void {
  commandFor(endSessions, customers.command('sign-out <customer>'))
    .description(
      'End every session of a customer: pages and their live streams end within seconds, and the customer signs in again. Keys go on; `block` stops those.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi customers sign-out CUS-7K2M9QX4TB01 --reason "A laptop was stolen, says ticket 118"',
    )
    .action((customerId: string, options: ActionOptions) =>
      act(endSessions, { customerId }, options, {
        did: 'ended',
        effect: ({ name, email, sessions }) => [
          `${customerId}  ${name} <${email}>: ${sessions} ${sessions === 1 ? 'session ends' : 'sessions end'}. Calls with keys go on.`,
        ],
        question: 'Sign this customer out?',
        done: ({ sessions }) => [
          `${customerId} is signed out: ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`,
        ],
      }),
    );
}
