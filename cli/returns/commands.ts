import { Command } from 'commander';
import { monthArgument } from '#cli/arguments.ts';
import { commandFor } from '#cli/operator.ts';
import { exportGstr1, exportGstr3b } from '#shared/contract/operator/bookkeeping.ts';
import { exportMonthPack, readMonthEnd } from '#shared/contract/operator/month-end.ts';
import { writeGstr1 } from './gstr1.ts';
import { writeGstr3b } from './gstr3b.ts';
import { printMonthEnd } from './month-end.ts';
import { writeMonthPack } from './month-pack.ts';

const month = ['<month>', 'such as 2026-11', monthArgument] as const;

/** `octroi month-end`, `gstr1`, `gstr3b` and `month-pack`: what the accountant needs of a month. */
export function returnCommands(): Command[] {
  return [
    commandFor(readMonthEnd, new Command('month-end'))
      .description(
        'List what closes a month: settlements, documents without an IRN, claims, refunds, proofs, the books, the returns, the files and the lock. Exits with 3 if something is left to do.',
      )
      .argument('[month]', 'such as 2026-11; default: the last one that is over', monthArgument)
      .addHelpText('after', '\nExamples:\n  octroi month-end\n  octroi month-end 2026-11 --json')
      .action(printMonthEnd),
    commandFor(exportGstr1, new Command('gstr1'))
      .description(
        'Write GSTR-1 of a month for each GSTIN: gstr1.json for upload, without documents that have an IRN, as the GST portal fills those in; gstr1-all.json and CSV tables with all. Checks every column and total; exits with 3 if one is wrong.',
      )
      .argument(...month)
      .argument('[folder]', 'where to write; default: gstr1 in the data folder')
      .addHelpText('after', '\nExamples:\n  octroi gstr1 2026-11\n  octroi gstr1 2026-11 ./gstr1 --json')
      .action(writeGstr1),
    commandFor(exportGstr3b, new Command('gstr3b'))
      .description(
        'Write the figures of GSTR-3B of a month for each GSTIN, from the same documents as GSTR-1: the JSON file for upload, and CSV. Your accountant adds input tax, from GSTR-2B, and reverse charge.',
      )
      .argument(...month)
      .argument('[folder]', 'where to write; default: gstr3b in the data folder')
      .addHelpText('after', '\nExamples:\n  octroi gstr3b 2026-11\n  octroi gstr3b 2026-11 ./gstr3b --json')
      .action(writeGstr3b),
    commandFor(exportMonthPack, new Command('month-pack'))
      .description(
        'Write one ZIP of a month for the accountant: every stored PDF, accepted TDS certificates, GSTR-1 and GSTR-3B of each GSTIN, and the files of the books.',
      )
      .argument(...month)
      .argument('[file]', 'the ZIP; default: month-packs in the data folder')
      .addHelpText('after', '\nExamples:\n  octroi month-pack 2026-11\n  octroi month-pack 2026-11 november.zip --json')
      .action(writeMonthPack),
  ];
}
