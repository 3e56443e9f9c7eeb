import { mkdirSync } from 'node:fs';
import { FolderLocked, lockFolder } from '#platform/folder-lock.ts';

/** Makes this process the only one that writes a journal folder. Throws when another process does. */
export async function lockJournal(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true });
  return lockFolder(folder, 'journal', `gateway process ${process.pid}`).catch((error: unknown) => {
    if (!(error instanceof FolderLocked)) throw error;
    throw new Error(
      `Another gateway writes the journal in ${folder}. Stop it first, or give this one a JOURNAL_DIR of its own.`,
    );
  });
}
