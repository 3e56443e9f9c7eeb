import { Command } from 'commander';
import { describeAction } from '#cli/actions/actions.ts';
import { CommandFailed } from '#cli/command-result.ts';
import { commandFor, show } from '#cli/operator.ts';
import { linesOfPage, type PageOptions, withPageOptions } from '#cli/pages.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { findCustomers, type FoundCustomer, readCustomer } from '#shared/contract/operator/customers.ts';
import { istTime } from '#shared/domain/day.ts';
import { problemName, readProblem } from '#shared/domain/call-problem.ts';
import { callOutcomes } from '#shared/domain/metering.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import { addBlockCommands } from './block.ts';
import { addEraseCommands } from './erase.ts';
import { addExportCommand } from './export.ts';
import { addGstinCommand } from './gstin.ts';
import { addRecordCommands } from './records.ts';
import { addTermsCommands } from './terms.ts';
import { addTaxClaimCommands } from './tax-claims.ts';
import { addSessionsCommand } from './sessions.ts';
import { addMemberCommands } from '#cli/customers/members.ts';
import { addTransferCommand } from './transfer.ts';

/** `octroi customers …`. */
export function customersCommands(): Command {
  const customers = new Command('customers').description(
    'Customers: find one, see their plans, keys and payments, block and unblock, sign out, correct a GSTIN, export, erase.',
  );
  withPageOptions(commandFor(findCustomers, customers.command('find <text>')))
    .description(
      'Find customers by whatever they send: the id of anything of theirs (also Razorpay’s), a key or its beginning, a document number, a UTR, a GSTIN on an invoice, a request id, which shows the call too, or a part of an e-mail address, name, GSTIN or phone number.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  octroi customers find kaveri\n  octroi customers find pay_N8FUmetkCE2hZP\n  octroi customers find req_6bMNIaJ8Xw-0cQ1kPz3VY',
    )
    .action(find);
  commandFor(readCustomer, customers.command('show <customer>'))
    .description(
      'Show a customer: activations with their running plans, keys in use, payments, and what operators did.',
    )
    .addHelpText('after', '\nExample:\n  octroi customers show CUS-7K2M9QX4TB01')
    .action(showOne);
  addRecordCommands(customers);
  addTaxClaimCommands(customers);
  addBlockCommands(customers);
  addTermsCommands(customers);
  addSessionsCommand(customers);
  addTransferCommand(customers);
  addMemberCommands(customers);
  addExportCommand(customers);
  addGstinCommand(customers);
  addEraseCommands(customers);
  return customers;
}

async function find(text: string, { limit, after, ...options }: PageOptions): Promise<void> {
  const { customers } = await show(findCustomers, { text, limit, after }, options, ({ call, next, ...found }) =>
    found.customers.length === 0
      ? []
      : linesOfPage([...found.customers.map(describe), ...(call === undefined ? [] : describeCall(call))], next, ''),
  );
  if (customers.length === 0 && options.json !== true) throw new CommandFailed('No customer found.');
}

async function showOne(customerId: string, options: { json?: boolean }): Promise<void> {
  await show(readCustomer, { customerId }, options, linesOf);
}

const describeCall = ({
  at,
  method,
  path,
  status,
  units,
  reason,
  problem,
  activationId,
  keyId,
}: NonNullable<OperatorReply<'findCustomers'>['call']>): string[] => [
  `${istTime(new Date(at))}  ${method} ${path}  ${status}, ${units > 0 ? `${units} units` : `not counted: ${callOutcomes[reason]}`}`,
  ...(problem === undefined ? [] : [`  ${problemName(readProblem(problem))}`]),
  `  ${activationId}, key ${keyId}`,
];

const describe = ({ id, name, email, legalName, gstin }: FoundCustomer): string =>
  [id, legalName ?? name, `<${email}>`, gstin ?? ''].join('  ').trimEnd();

function linesOf(customer: OperatorReply<'readCustomer'>): string[] {
  const activations = customer.activations.map(({ id, productId, deletedAt, keysInUse, mandate, plan }) => {
    const state =
      plan === null
        ? 'no plan runs'
        : `${plan.name} until ${plan.toDate} (${plan.granted ? 'GRANTED' : plan.status}, ${plan.id})`;
    const renewal = mandate === null ? '' : `  renews by ${mandate.id} (${mandate.state})`;
    return `  ${id}  ${productId}  ${deletedAt === null ? state : 'deleted'}  ${keysInUse} keys in use${renewal}`;
  });
  const payments = customer.payments.map(
    ({ id, amount, status, use, createdAt, cycleId }) =>
      `  ${id}  ${istTime(new Date(createdAt))}  ${formatRupees(toPaise(amount))}  ${status}${use === null ? '' : `, for ${use}`}  ${cycleId}`,
  );
  return [
    describe(customer),
    `Since ${istTime(new Date(customer.createdAt))}, phone ${customer.phone ?? 'not given'}`,
    ...(customer.blockedAt === null
      ? []
      : [`Blocked since ${istTime(new Date(customer.blockedAt))}: ${customer.blockedReason}`]),
    ...(customer.erasedAt === null ? [] : [`Erased on ${istTime(new Date(customer.erasedAt))}`]),
    'Activations:',
    ...(activations.length > 0 ? activations : ['  none']),
    'Payments:',
    ...(payments.length > 0 ? payments : ['  none']),
    'Actions of operators:',
    ...(customer.actions.length > 0 ? customer.actions.map(describeAction) : ['  none']),
  ];
}
