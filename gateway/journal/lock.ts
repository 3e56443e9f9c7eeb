import { FolderLocked, lockFolder } from '#platform/folder-lock.ts';
import { makePrivateFolder } from '#platform/make-folder.ts';

/** Locks a journal folder for this process. Throws if another process has locked it. */
export async function lockJournal(folder: string): Promise<() => Promise<void>> {
  makePrivateFolder(folder);
  return lockFolder(folder, 'journal', `gateway process ${process.pid}`).catch((error: unknown) => {
    if (!(error instanceof FolderLocked)) throw error;
    throw new Error(
      `Another gateway is using the journal in ${folder}. Stop it first, or set a different JOURNAL_DIR for this one.`,
    );
  });
}
