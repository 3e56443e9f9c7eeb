import { Command } from 'commander';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { withProgress } from '#cli/progress.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { asReaderOfPdfs } from '#server/operator-context.ts';

/** `octroi verify-ledger`: proves that all money in the database is where it belongs. */
export function verifyLedgerCommand(): Command {
  return new Command('verify-ledger')
    .description(
      "Prove that every captured rupee ended as a paid cycle or a refund, and that nobody changed the ledger, documents or audit log. Exits with 3 if there is a fault. The running portal does this every night, and for new data every minute. The last entry's hash, kept elsewhere, proves all entries before it.",
    )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  octroi verify-ledger\n  octroi verify-ledger --json')
    .action(verifyLedger);
}

async function verifyLedger({ json }: { json?: boolean }): Promise<void> {
  const report = await withProgress('The ledger', () =>
    asReaderOfPdfs(({ db, documentFiles: files }) => verifyLedgerOf(db, { files })),
  );
  const { position: entries, faults } = report;
  const hash = report.hash.toString('hex');
  printResult(json, { entries, hash, faults }, [
    `${entries} entries, the last hash is ${hash}`,
    ...(faults.length === 0 ? ['The ledger is correct.'] : faults.map((fault) => `  ✗ ${fault}`)),
  ]);
  if (faults.length > 0) throw new CommandFailed(`${faults.length} faults.`, exitCodes.faults);
}
