import type { Command } from 'commander';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { allowNewAccount, forgetMember, readMembers } from '#shared/contract/operator/members.ts';
import { istTime } from '#shared/domain/day.ts';

/** `octroi customers members`, `forget-member` and `release`. */
export function addMemberCommands(customers: Command): void {
  commandFor(readMembers, customers.command('members <customer>'))
    .description('The members of a customer with their roles, those who were removed too, and open invitations.')
    .addHelpText('after', '\nExample:\n  octroi customers members CUS-7K2M9QX4TB01')
    .action(async (customerId: string, options: { json?: boolean }) => {
      await show(readMembers, { customerId }, options, linesOf);
    });
  commandFor(forgetMember, customers.command('forget-member <member>'))
    .description(
      'Take name and address from what is kept of a removed member, who asks for it (DPDP Act). What the member did stays in the customer’s log, without a name.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi customers forget-member MEM-7K2M9QX4TB01 --reason "Asked by mail of 3 March, from the address itself"',
    )
    .action((memberId: string, options: ActionOptions) =>
      act(forgetMember, { memberId }, options, {
        did: 'forgotten',
        effect: ({ customerId, removedAt }) => [
          `${memberId}, removed from ${customerId} on ${istTime(new Date(removedAt))}: name and address go for good.`,
        ],
        question: 'Forget this member?',
        done: () => [`${memberId} has no name any more.`],
      }),
    );
  commandFor(allowNewAccount, customers.command('release <customer>'))
    .description(
      'Let whoever founded a customer and passed it on begin with an account of the own again. Trials and the free quota are there again too.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi customers release CUS-7K2M9QX4TB01 --reason "Sold the company in March, starts another one"',
    )
    .action((customerId: string, options: ActionOptions) =>
      act(allowNewAccount, { customerId }, options, {
        did: 'released',
        effect: ({ name, email }) => [
          `${customerId}  ${name} <${email}>: whoever founded it may begin with an account of the own again.`,
        ],
        question: 'Allow that?',
        done: () => [`The next sign-in of the founder of ${customerId} makes an account.`],
      }),
    );
}

const linesOf = ({ members, invitations }: OperatorReply<'readMembers'>): string[] => [
  'Members:',
  ...members.map(
    ({ id, name, email, role, joinedAt, removedAt }) =>
      `  ${id}  ${name} <${email}>  ${role}  since ${istTime(new Date(joinedAt))}${removedAt === null ? '' : `, removed ${istTime(new Date(removedAt))}`}`,
  ),
  'Invitations:',
  ...(invitations.length === 0 ? ['  none'] : []),
  ...invitations.map(({ id, email, role, state, endsAt }) => {
    const until = endsAt === null ? '' : ` until ${istTime(new Date(endsAt))}`;
    return `  ${id}  ${email}  ${state === 'ASKED' ? 'asks to join' : role}  ${state}${until}`;
  }),
];
