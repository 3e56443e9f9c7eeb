import { Argument, Command, Option } from 'commander';
import { printResult } from '#cli/command-result.ts';
import {
  act,
  type ActionOptions,
  causeOf,
  commandFor,
  confirm,
  show,
  showEffect,
  withActionOptions,
} from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import {
  addOperator,
  addOperatorDomain,
  changeOperator,
  listOperators,
  removeOperator,
  removeOperatorDomain,
} from '#shared/contract/operator/operators.ts';
import { listApprovals } from '#shared/contract/operator/approvals.ts';
import { listTokens, revokeToken } from '#shared/contract/operator/tokens.ts';
import { type OperatorRole, operatorRoles } from '#shared/contract/operator/roles.ts';
import { istTime } from '#shared/domain/day.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import { previewPasskeys, removePasskeys } from '#server/features/operators/team.ts';
import { withSource } from '#server/operator-context.ts';

type DomainRole = Exclude<OperatorRole, 'owner'>;
const domainRoles = operatorRoles.filter((role) => role !== 'owner');

/** `octroi operators …`: who may sign in to the console. */
export function operatorsCommands(): Command {
  const operators = new Command('operators').description('Who may sign in to the console, and with which role.');
  commandFor(listOperators, operators.command('list'))
    .description('List the operators, and the Google Workspace domains whose people may sign in.')
    .addHelpText('after', '\nExample:\n  octroi operators list')
    .action(list);
  commandFor(addOperator, operators.command('add <email>'))
    .description(
      'Let a person sign in with this Google address. The first owner is added here; owners add others in the console too.',
    )
    .addOption(new Option('--role <role>', 'what the person may do').choices(operatorRoles).makeOptionMandatory())
    .addHelpText(
      'after',
      '\nExample:\n  octroi operators add asha@kaveri.example --role owner --reason "First owner" --yes',
    )
    .action(add);
  commandFor(changeOperator, operators.command('role <email>'))
    .addArgument(new Argument('<role>').choices(operatorRoles))
    .description('Give an operator another role. It counts from the next action on.')
    .addHelpText(
      'after',
      '\nExample:\n  octroi operators role asha@kaveri.example finance --reason "Keeps the books now"',
    )
    .action(changeRole);
  commandFor(removeOperator, operators.command('remove <email>'))
    .description(
      'Remove an operator: sessions, passkeys and tokens have ended when it returns. Adding the person again needs new passkeys.',
    )
    .addHelpText('after', '\nExample:\n  octroi operators remove asha@kaveri.example --reason "Left the company"')
    .action(remove);
  withActionOptions(operators.command('remove-passkeys <email>'))
    .description(
      'Remove the passkeys of an operator who lost them, and end the sessions. The person signs in again and adds a new one within 15 minutes.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi operators remove-passkeys asha@kaveri.example --reason "The laptop was lost"',
    )
    .action(forgetPasskeys);
  commandFor(addOperatorDomain, operators.command('add-domain <domain>'))
    .description('Let everybody with an account of this Google Workspace sign in, with this role at first.')
    .addOption(new Option('--role <role>', 'the role at first').choices(domainRoles).makeOptionMandatory())
    .addHelpText(
      'after',
      '\nExample:\n  octroi operators add-domain kaveri.example --role support --reason "The support team"',
    )
    .action(addDomain);
  commandFor(removeOperatorDomain, operators.command('remove-domain <domain>'))
    .description('Let nobody new of a domain sign in. Those who did stay operators.')
    .addHelpText('after', '\nExample:\n  octroi operators remove-domain kaveri.example --reason "Everybody is in"')
    .action(removeDomain);
  commandFor(listTokens, operators.command('tokens'))
    .description('List the tokens of programs that act for operators, without their secrets.')
    .addHelpText('after', '\nExample:\n  octroi operators tokens')
    .action(tokens);
  commandFor(revokeToken, operators.command('revoke-token <token>'))
    .description('Revoke a token (OTK-…). It is refused at once.')
    .addHelpText(
      'after',
      '\nExample:\n  octroi operators revoke-token OTK-7K2M9QX4TB01 --reason "Its machine was lost"',
    )
    .action(revoke);
  commandFor(listApprovals, operators.command('approvals'))
    .description('List actions that wait for a second operator, or were decided. They are decided in the console.')
    .addHelpText('after', '\nExample:\n  octroi operators approvals')
    .action(approvals);
  return operators;
}

async function list(options: { json?: boolean }): Promise<void> {
  await show(listOperators, {}, options, ({ operators, domains }) => [
    ...(operators.length === 0 ? ['No operators yet. Add the first owner with: octroi operators add'] : []),
    ...operators.map(
      ({ email, role, passkeys, signedInAt }) =>
        `${email}  ${role}  passkeys: ${passkeys}  ${signedInAt === null ? 'never signed in' : `signed in ${istTime(new Date(signedInAt))}`}`,
    ),
    ...domains.map(({ domain, role }) => `everybody of ${domain}  ${role}`),
  ]);
}

type WithRole<Role> = ActionOptions & { role: Role };

const add = (email: string, options: WithRole<OperatorRole>) =>
  act(addOperator, { email, role: options.role }, options, {
    did: 'added',
    effect: (preview) => [`${preview.email} may sign in to the console with the role ${preview.role}.`],
    question: 'Add this operator?',
    done: (reply) => [`${reply.email} is an operator with the role ${reply.role}.`],
  });

const changeRole = (email: string, role: OperatorRole, options: ActionOptions) =>
  act(changeOperator, { email, role }, options, {
    did: 'changed',
    effect: (preview) => [`${preview.email}: ${preview.before} → ${preview.role}`],
    question: 'Change this role?',
    done: (reply) => [`${reply.email} has the role ${reply.role}.`],
  });

const ended = ({ sessions, tokens }: OperatorReply<'removeOperator'>) => `sessions: ${sessions}, tokens: ${tokens}`;

const remove = (email: string, options: ActionOptions) =>
  act(removeOperator, { email }, options, {
    did: 'removed',
    effect: (preview) => [`${preview.email} (${preview.before}) is removed. What ends: ${ended(preview)}.`],
    question: 'Remove this operator?',
    done: (reply) => [`${reply.email} is removed. Ended: ${ended(reply)}.`],
  });

async function forgetPasskeys(email: string, options: ActionOptions): Promise<void> {
  await withSource(async (source) => {
    const preview = await previewPasskeys(source.db, email);
    const facts = (done: boolean, { passkeys, sessions }: typeof preview) => ({
      removed: done,
      email,
      passkeys,
      sessions,
    });
    const names = preview.passkeys.map(({ name }) => name).join(', ');
    const effect = [`${email} loses these passkeys: ${names}. What ends: sessions: ${preview.sessions}.`];
    if (options.dryRun === true)
      return printResult(options.json, facts(false, preview), [...effect, 'Nothing was changed.']);
    showEffect(effect, options);
    await confirm('Remove these passkeys?', options);
    const reply = await removePasskeys(source, email, causeOf(options));
    return printResult(options.json, facts(true, reply), [
      `${email} has no passkey any more. Ended: sessions: ${reply.sessions}.`,
    ]);
  });
}

const addDomain = (domain: string, options: WithRole<DomainRole>) =>
  act(addOperatorDomain, { domain, role: options.role }, options, {
    did: 'added',
    effect: (preview) => [
      `Everybody of ${preview.domain} may sign in to the console, with the role ${preview.role} at first.`,
    ],
    question: 'Add this domain?',
    done: (reply) => [`Everybody of ${reply.domain} may sign in, with the role ${reply.role} at first.`],
  });

const removeDomain = (domain: string, options: ActionOptions) =>
  act(removeOperatorDomain, { domain }, options, {
    did: 'removed',
    effect: (preview) => [`Nobody new of ${preview.domain} may sign in. Operators stay.`],
    question: 'Remove this domain?',
    done: (reply) => [`Nobody new of ${reply.domain} may sign in.`],
  });

async function tokens(options: { json?: boolean }): Promise<void> {
  await show(listTokens, {}, options, (reply) =>
    reply.tokens.map(
      ({ id, name, operator, hint, expiresAt, revokedAt }) =>
        `${id}  …${hint}  ${operator}  ${name}  ${revokedAt === null ? `until ${istTime(new Date(expiresAt))}` : 'revoked'}`,
    ),
  );
}

const revoke = (tokenId: string, options: ActionOptions) =>
  act(revokeToken, { tokenId }, options, {
    did: 'revoked',
    effect: (preview) => [`${preview.name} of ${preview.operator} ends: what uses it is refused.`],
    question: 'Revoke this token?',
    done: (reply) => [`${reply.name} of ${reply.operator} is revoked.`],
  });

async function approvals(options: { json?: boolean }): Promise<void> {
  await show(listApprovals, {}, options, (reply) =>
    reply.approvals.map(
      ({ id, state, call, customerId, amount, requestedBy, reason }) =>
        `${id}  ${state}  ${call}  ${customerId}  ${formatRupees(toPaise(amount))}  ${requestedBy}  ${reason}`,
    ),
  );
}
