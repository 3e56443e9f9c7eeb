import { Command } from 'commander';
import { describeAction } from '#cli/actions/actions.ts';
import { CommandFailed, printResult } from '#cli/command-result.ts';
import { formatRupees } from '#domain/money.ts';
import { asReader } from '#server/operator-context.ts';
import { type CustomerFile, findCustomers, type FoundCustomer, readCustomer } from '#server/operator/customers.ts';
import { addBlockCommands } from './block.ts';
import { addEraseCommands } from './erase.ts';
import { addExportCommand } from './export.ts';

/** `octroi customers …`. */
export function customersCommands(): Command {
  const customers = new Command('customers').description(
    'Customers: find one, see their plans, keys and payments, block and unblock, export, erase.',
  );
  customers
    .command('find <text>')
    .description(
      'Find customers by the id of a customer, activation, plan, key or payment, a document number, or a part of an e-mail address, name, GSTIN or phone number.',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  octroi customers find kaveri\n  octroi customers find pay_N8FUmetkCE2hZP')
    .action(find);
  customers
    .command('show <customer>')
    .description(
      'Show a customer: activations with their running plans, keys in use, payments, and what operators did.',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  octroi customers show CUS-7K2M9QX4TB01')
    .action(show);
  addBlockCommands(customers);
  addExportCommand(customers);
  addEraseCommands(customers);
  return customers;
}

async function find(text: string, { json }: { json?: boolean }): Promise<void> {
  const customers = await asReader((db) => findCustomers(db, text));
  printResult(json, { customers }, customers.map(describe));
  if (customers.length === 0 && json !== true) throw new CommandFailed('No customer found.');
}

async function show(id: string, { json }: { json?: boolean }): Promise<void> {
  const customer = await asReader((db) => readCustomer(db, id));
  printResult(json, customer, linesOf(customer));
}

const describe = ({ id, name, email, legalName, gstin }: FoundCustomer): string =>
  [id, legalName ?? name, `<${email}>`, gstin ?? ''].join('  ').trimEnd();

function linesOf(customer: CustomerFile): string[] {
  const activations = customer.activations.map(({ id, productId, deletedAt, keysInUse, plan }) => {
    const state =
      plan === null
        ? 'no plan runs'
        : `${plan.name} until ${plan.toDate} (${plan.granted ? 'GRANTED' : plan.status}, ${plan.id})`;
    return `  ${id}  ${productId}  ${deletedAt === null ? state : 'deleted'}  ${keysInUse} keys in use`;
  });
  const payments = customer.payments.map(
    ({ id, amountPaise, status, use, createdAt, cycleId }) =>
      `  ${id}  ${createdAt.toISOString()}  ${formatRupees(amountPaise)}  ${status}${use === null ? '' : `, for ${use}`}  ${cycleId}`,
  );
  return [
    describe(customer),
    `Since ${customer.createdAt.toISOString()}, phone ${customer.phone ?? 'not given'}`,
    ...(customer.blockedAt === null
      ? []
      : [`Blocked since ${customer.blockedAt.toISOString()}: ${customer.blockedReason}`]),
    ...(customer.erasedAt === null ? [] : [`Erased on ${customer.erasedAt.toISOString()}`]),
    'Activations:',
    ...(activations.length > 0 ? activations : ['  none']),
    'Payments:',
    ...(payments.length > 0 ? payments : ['  none']),
    'Actions of operators:',
    ...(customer.actions.length > 0 ? customer.actions.map(describeAction) : ['  none']),
  ];
}
