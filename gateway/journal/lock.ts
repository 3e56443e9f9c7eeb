import { FolderLocked, lockFolder } from '#shared/platform/folder-lock.ts';
import { makePrivateFolder } from '#shared/platform/make-folder.ts';

/** Another gateway has the journal; the message is for the operator. */
export class JournalInUse extends Error {
  constructor(journal: string) {
    super(
      `Another gateway is using the journal ${journal}. Stop it first, or set a different JOURNAL_DIR for this one.`,
    );
  }
}

/** Locks a journal folder for this process. Throws JournalInUse if another process has locked it. */
export async function lockJournal(folder: string): Promise<() => Promise<void>> {
  makePrivateFolder(folder);
  return lockFolder(folder, 'journal', `gateway process ${process.pid}`).catch((error: unknown) => {
    if (!(error instanceof FolderLocked)) throw error;
    throw new JournalInUse(`in ${folder}`);
  });
}
