import { Command, InvalidArgumentError } from 'commander';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { withProgress } from '#cli/progress.ts';
import { compareLockedMonths, faultsOfLocks } from '#server/features/bookkeeping/bookkeeping.ts';
import { headText, type KnownEntry, verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { asReaderOfPdfs } from '#server/operator-context.ts';

interface Options {
  json?: boolean;
  knownEntry?: KnownEntry;
  knownSeal?: KnownEntry;
}

/** `octroi verify-ledger`: proves that all money in the database is where it belongs. */
export function verifyLedgerCommand(): Command {
  return new Command('verify-ledger')
    .description(
      "Prove that every captured rupee ended as a paid cycle or a refund, and that nobody changed the ledger, documents, plans, keys or the audit log, or what guards them. Exits with 3 if there is a fault. The running portal does this every night, and for new data every minute. The hashes of the last entry and the last seal, kept elsewhere, prove everything before them: the portal's log and the manifest of each backup have them.",
    )
    .option('--json', 'print the result as JSON')
    .option(
      '--known-entry <position:hash>',
      'an entry from an earlier result, log or backup, which must be unchanged',
      headOf,
    )
    .option('--known-seal <position:hash>', 'the same for a seal', headOf)
    .addHelpText('after', '\nExamples:\n  octroi verify-ledger\n  octroi verify-ledger --json')
    .action(verifyLedger);
}

function headOf(text: string): KnownEntry {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (position === undefined || hash === undefined)
    throw new InvalidArgumentError('Give a position and a hash as this command prints them, such as 12:9f86d0….');
  return { position: Number(position), hash: Buffer.from(hash, 'hex') };
}

async function verifyLedger({ json, knownEntry: known, knownSeal }: Options): Promise<void> {
  const report = await withProgress('The ledger', () =>
    asReaderOfPdfs(({ db, documentFiles: files }) => {
      const further = async () => faultsOfLocks(await compareLockedMonths(db));
      return verifyLedgerOf(db, { files, known, knownSeal, further });
    }),
  );
  const { position: entries, seals, newer = [] } = report;
  // Somebody may have named a version that doesn't exist, so that nothing is compared.
  const unknown = newer.map(
    (name) => `Not compared: ${name}, which this version doesn’t know. Verify with the version that put it in.`,
  );
  const faults = [...unknown, ...report.faults];
  const hash = report.hash.toString('hex');
  printResult(json, { entries, hash, seals: { position: seals.position, hash: seals.hash.toString('hex') }, faults }, [
    `${entries} entries, the last hash is ${hash}`,
    `${seals.position} seals, the last one is ${headText(seals)}`,
    ...(faults.length === 0 ? ['The ledger is correct.'] : faults.map((fault) => `  ✗ ${fault}`)),
  ]);
  if (faults.length > 0) throw new CommandFailed(`${faults.length} faults.`, exitCodes.faults);
}
