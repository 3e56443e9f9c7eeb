import type { Command } from 'commander';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { countElsewhere, type Moved, movePdfs, type PdfCount } from '#server/document-files/move.ts';
import { inDatabase } from '#server/document-files/settings.ts';
import { asReaderOfPdfs } from '#server/operator-context.ts';

/** `octroi documents move`. */
export function addMoveCommand(documents: Command): void {
  documents
    .command('move')
    .description(
      'Move the PDFs of all documents to where DOCUMENTS_PLACE says: into the database, a folder or a store. Portals may run. It can be interrupted and run again; nothing is deleted outside the database.',
    )
    .option('--dry-run', 'show how many would move, and change nothing')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Set DOCUMENTS_PLACE and restart every portal first. Without it, PDFs move to the place of the portal; another one than the portal's is refused.

Exit codes: 0 all PDFs are in that place; 1 the place can't be read or written, the message says why; 3 some PDFs stay as they are, because they are missing, altered or unreadable, or another file has their name there.

Examples:
  octroi documents move --dry-run
  DOCUMENTS_PLACE=/srv/octroi/documents octroi documents move`,
    )
    .action(move);
}

async function move({ dryRun, json }: { dryRun?: true; json?: true }): Promise<void> {
  const { place, elsewhere, moved } = await asReaderOfPdfs(
    async ({ db, documentFiles }) => {
      const { place } = documentFiles;
      const elsewhere = await countElsewhere(db, place);
      const total = elsewhere.reduce((sum, { documents }) => sum + documents, 0);
      if (dryRun === true) return { place, elsewhere, moved: undefined };
      return { place, elsewhere, moved: await movePdfs(db, documentFiles, reportEvery(2000, total)) };
    },
    { moves: true },
  );
  const lines = elsewhere.map((from) => `${describe(from)} → ${place}`);
  if (moved === undefined) {
    const none = `Every PDF is in its place: ${place}.`;
    return printResult(json, { place, moved: 0, elsewhere }, lines.length === 0 ? [none] : ['Would move:', ...lines]);
  }
  printResult(json, { place, ...moved, elsewhere }, [
    `${formatNumber(moved.moved)} PDFs (${megabytes(moved.bytes)}) moved to ${place}.`,
    ...moved.failed.map(({ number, reason }) => `  ✗ ${number}: ${reason}`),
    ...(moved.moved === 0 ? [] : elsewhere.map(leftBehind)),
  ]);
  if (moved.failed.length > 0)
    throw new CommandFailed(`${moved.failed.length} PDFs could not be moved.`, exitCodes.faults);
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const describe = ({ place, documents, bytes }: PdfCount): string =>
  `${formatNumber(documents)} PDFs (${megabytes(bytes)}) in ${place}`;

function leftBehind({ place }: PdfCount): string {
  if (place === inDatabase)
    return 'PostgreSQL uses the room again for new rows. To give it back to the disk: vacuum full document_files; it locks the table meanwhile.';
  return `The copies in ${place} are not needed any more, except by backups from before: delete them when those are gone.`;
}

function reportEvery(ms: number, total: number): (soFar: Moved) => void {
  let next = Date.now() + ms;
  return ({ moved }) => {
    if (Date.now() < next) return;
    next = Date.now() + ms;
    process.stderr.write(`${formatNumber(moved)} of ${formatNumber(total)} PDFs\n`);
  };
}
