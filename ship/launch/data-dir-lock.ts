import { FolderLocked, lockFolder } from '#shared/platform/folder-lock.ts';

export class DataDirHeld extends Error {
  override readonly name = 'DataDirHeld';
}

/**
 * Takes a data folder for this process alone, or throws DataDirHeld.
 * @param holder who holds it, for a person: `process 123, portal http://localhost:4000`
 * @returns frees the folder
 */
export async function holdDataDir(dataDir: string, holder: string): Promise<() => Promise<void>> {
  return lockFolder(dataDir, 'data', holder).catch((error: unknown) => {
    if (!(error instanceof FolderLocked)) throw error;
    throw new DataDirHeld(
      `Another Octroi already runs on ${dataDir} (${error.holder}). Stop it first, or start this one with another folder.`,
    );
  });
}
