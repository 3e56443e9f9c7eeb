import type { Command } from 'commander';
import { act, type ActionOptions, ask, commandFor, show } from '#cli/operator.ts';
import { linesOfPage, type PageOptions, withPageOptions } from '#cli/pages.ts';
import { saveFile } from '#cli/whole-file.ts';
import { checkSez, listTaxClaims, readClaimLetter } from '#shared/contract/operator/tax-claims.ts';
import { istTime } from '#shared/domain/day.ts';

/** `octroi customers tax-claims`, `letter` and `check-sez`. */
export function addTaxClaimCommands(customers: Command): void {
  withPageOptions(commandFor(listTaxClaims, customers.command('tax-claims [customer]')))
    .description('List customers who claim to be an SEZ or abroad, and what proves it.')
    .action(async (customerId: string | undefined, { limit, after, ...options }: PageOptions) => {
      await show(listTaxClaims, { customerId, limit, after }, options, ({ claims, next }) =>
        linesOfPage(
          claims.map(({ customerId: id, customer, kind, about, declared, checked, isProven }) =>
            [
              `${id}  ${customer}  ${kind} ${about}: ${isProven ? 'proven' : 'NOT PROVEN'}`,
              ...(declared === null ? [] : [`${declared.claimId} declared on ${declared.on}: ${declared.letterName}`]),
              ...(checked === null
                ? []
                : [`the GST portal, ${istTime(new Date(checked.at))}: ${checked.outcome} ${checked.type}`]),
            ].join('  '),
          ),
          next,
          'Nobody claims to be an SEZ or abroad.',
        ),
      );
    });
  commandFor(readClaimLetter, customers.command('letter <claim> [file]'))
    .description('Save the letter of a declaration as a file; by default in the present folder, under its own name.')
    .addHelpText('after', '\nExample:\n  octroi customers letter CLM-7K2M9QX4TB01')
    .action(saveLetter);
  commandFor(checkSez, customers.command('check-sez <customer>'))
    .description(
      'Ask the GST portal again whether a customer is an SEZ. Its answer decides the tax of the next payment.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi customers check-sez CUS-7K2M9QX4TB01 --reason "The registration was restored"',
    )
    .action((customerId: string, options: ActionOptions) =>
      act(checkSez, { customerId }, options, {
        did: 'checked',
        effect: ({ gstin, before }) => [
          `The GST portal is asked about ${gstin}; it said before: ${before ?? 'nothing'}.`,
        ],
        question: 'Ask it?',
        done: ({ gstin, outcome, type }) => [`${gstin}: ${outcome ?? ''} ${type ?? ''}`],
      }),
    );
}

async function saveLetter(claimId: string, file: string | undefined, { json }: { json?: boolean }): Promise<void> {
  const { name, letter } = await ask(readClaimLetter, { claimId });
  await saveFile(file ?? name, letter, json);
}
