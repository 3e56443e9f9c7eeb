import { Command, Option } from 'commander';
import { tdsStatuses } from '#shared/domain/tds.ts';
import { commandFor } from '#cli/operator.ts';
import { acceptTds, listTdsClaims, readCertificate, refuseTds } from '#shared/contract/operator/tds.ts';
import { acceptClaim, refuseClaim } from './decide.ts';
import { printClaims, tdsReceivable } from './list.ts';
import { saveCertificate } from './certificate.ts';

const asJson = ['--json', 'print the result as JSON'] as const;

/** `octroi tds …`: tax that customers deducted at source. */
export function tdsCommands(): Command {
  const tds = new Command('tds').description(
    'Tax that customers deducted at source: their claims, and what is receivable.',
  );
  commandFor(listTdsClaims, tds.command('list'))
    .description('List the claims with their certificates, oldest first.')
    .addOption(new Option('--status <status>', 'only those').choices([...tdsStatuses, 'ALL']).default('WAITING'))
    .addHelpText('after', '\nExamples:\n  octroi tds list\n  octroi tds list --status ALL --json')
    .action(printClaims);
  commandFor(readCertificate, tds.command('certificate <claim> [file]'))
    .description('Save the certificate of a claim as a file; by default in the present folder, under its own name.')
    .addHelpText('after', '\nExample:\n  octroi tds certificate TDS-7K2M9QX4TB01')
    .action(saveCertificate);
  commandFor(acceptTds, tds.command('accept <claim>'))
    .description('Accept a claim: its amount is refunded to the customer and booked as receivable from the Government.')
    .addHelpText('after', '\nExample:\n  octroi tds accept TDS-7K2M9QX4TB01 --reason "In Form 26AS"')
    .action(acceptClaim);
  commandFor(refuseTds, tds.command('refuse <claim>'))
    .description('Refuse a claim. The customer gets the reason by mail and can declare again.')
    .addHelpText(
      'after',
      '\nExample:\n  octroi tds refuse TDS-7K2M9QX4TB01 --reason "The certificate names another deductee."',
    )
    .action(refuseClaim);
  tds
    .command('receivable')
    .description('Print what is receivable by quarter, customer and TAN, as CSV, to compare with Form 26AS.')
    .option(...asJson)
    .addHelpText('after', '\nExample:\n  octroi tds receivable > tds.csv')
    .action(tdsReceivable);
  return tds;
}
