import type { Command } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import { asOperator } from '#server/operator-context.ts';
import { changeGstin, type GstinFacts, previewGstin } from '#server/operator/corrections.ts';

/** `octroi customers gstin`. */
export function addGstinCommand(customers: Command): void {
  withActionOptions(customers.command('gstin <customer> <gstin>'))
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
}

async function correct(id: string, text: string, options: ActionOptions): Promise<void> {
  const gstin = text.toLowerCase() === 'none' ? null : text.trim().toUpperCase();
  await asOperator(async (operator) => {
    const facts = await previewGstin(operator, id, gstin);
    const lines = [
      `${facts.customerId}  ${facts.legalName}: ${nameOf(facts.gstin)} becomes ${nameOf(gstin)}.`,
      ...describeInvoices(facts),
    ];
    if (options.dryRun === true) return printResult(options.json, { changed: false, ...facts }, lines);
    showEffect(lines, options);
    await confirm('Correct it?', options);
    const done = await changeGstin(operator, id, gstin, causeOf(options));
    return printResult(options.json, { changed: true, ...done }, [
      `${done.customerId} has ${nameOf(gstin)} from the next document on.`,
      ...describeInvoices(done),
    ]);
  });
}

const nameOf = (gstin: string | null): string => (gstin === null ? 'no GSTIN' : `GSTIN ${gstin}`);

function describeInvoices({ invoices }: GstinFacts): string[] {
  if (invoices.length === 0) return ['No invoice that could be corrected names another GSTIN.'];
  return [
    'These invoices name another one and stay as they are until each is corrected:',
    ...invoices.map(
      ({ number, issuedOn, gstin }) => `  octroi documents correct ${number}  (of ${issuedOn}, ${nameOf(gstin)})`,
    ),
  ];
}
