import type { Command } from 'commander';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { changeDetails, changeGstin } from '#shared/contract/operator/customers.ts';

/** `octroi customers gstin` and `details`. */
export function addGstinCommand(customers: Command): void {
  commandFor(changeGstin, customers.command('gstin <customer> <gstin>'))
    .description(
      'Correct the GSTIN in the business details of a customer; `none` takes it away. Documents from now on name it; octroi documents correct corrects those that were issued.',
    )
    .addHelpText(
      'after',
      `
A GSTIN of another State changes the tax: the customer changes it together with the address.

Exit codes: 0 corrected; 1 not corrected, the message says why; 2 wrong command line.

Examples:
  octroi customers gstin CUS-7K2M9QX4TB01 29AAGCB7383J1Z4 --reason "Mistyped, says ticket 118" --dry-run
  octroi customers gstin CUS-7K2M9QX4TB01 none --reason "The registration was cancelled" --yes`,
    )
    .action(correct);
  commandFor(changeDetails, customers.command('details <customer>'))
    .description(
      'Correct the name or address in the business details of a customer; what is not given stays, and so does the State. Documents from now on name it; octroi documents correct corrects those that were issued.',
    )
    .option('--name <text>', 'the legal name')
    .option('--address <text>', 'the address, without city and PIN code')
    .option('--city <text>', 'the city')
    .option('--pin <code>', 'the PIN code, of the same State')
    .addHelpText(
      'after',
      '\nExample:\n  octroi customers details CUS-7K2M9QX4TB01 --name "Kaveri Traders Pvt Ltd" --reason "Renamed, says ticket 118"',
    )
    .action(correctDetails);
}

type DetailsOptions = ActionOptions & { name?: string; address?: string; city?: string; pin?: string };

async function correctDetails(customerId: string, { name, address, city, pin, ...options }: DetailsOptions) {
  await act(changeDetails, { customerId, legalName: name, address, city, pin }, options, {
    did: 'changed',
    effect: ({ before, details, invoices }) => [
      `${customerId}: ${buyerText(before)} becomes ${buyerText(details)}.`,
      ...describeOthers(invoices),
    ],
    question: 'Correct it?',
    done: ({ details, invoices }) => [
      `${customerId} is ${buyerText(details)} from the next document on.`,
      ...describeOthers(invoices),
    ],
  });
}

const buyerText = ({ legalName, address, city, pin }: OperatorReply<'changeDetails'>['details']): string =>
  `${legalName}, ${address.replaceAll(/\s+/g, ' ')}, ${city} ${pin}`;

function describeOthers(invoices: OperatorReply<'changeDetails'>['invoices']): string[] {
  if (invoices.length === 0) return ['No invoice that could be corrected names others.'];
  return [
    'These invoices name others and stay as they are until each is corrected:',
    ...invoices.map(({ number, issuedOn, name }) => `  octroi documents correct ${number}  (of ${issuedOn}, ${name})`),
  ];
}

async function correct(customerId: string, text: string, options: ActionOptions): Promise<void> {
  const gstin = text.toLowerCase() === 'none' ? null : text.trim().toUpperCase();
  await act(changeGstin, { customerId, gstin }, options, {
    did: 'changed',
    effect: (change) => [
      `${change.customerId}  ${change.legalName}: ${nameOf(change.before)} becomes ${nameOf(change.gstin)}.`,
      ...describeInvoices(change),
    ],
    question: 'Correct it?',
    done: (change) => [
      `${change.customerId} has ${nameOf(change.gstin)} from the next document on.`,
      ...describeInvoices(change),
    ],
  });
}

const nameOf = (gstin: string | null): string => (gstin === null ? 'no GSTIN' : `GSTIN ${gstin}`);

function describeInvoices({ invoices }: OperatorReply<'changeGstin'>): string[] {
  if (invoices.length === 0) return ['No invoice that could be corrected names another GSTIN.'];
  return [
    'These invoices name another one and stay as they are until each is corrected:',
    ...invoices.map(
      ({ number, issuedOn, gstin }) => `  octroi documents correct ${number}  (of ${issuedOn}, ${nameOf(gstin)})`,
    ),
  ];
}
