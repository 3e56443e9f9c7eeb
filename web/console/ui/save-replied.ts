import { blobOf } from '#web/forms/base64.ts';
import { notifyFailure } from '#web/ui/notify.tsx';
import { saveBlob } from '#web/ui/save-file.ts';

/** A file as a call replies it. */
export interface RepliedFile {
  name: string;
  type: string;
  base64: string;
}

/** Saves the file of a reply. `what` could not be read, where it fails. */
export async function saveReplied(what: string, read: () => Promise<RepliedFile>): Promise<void> {
  try {
    const { name, type, base64 } = await read();
    saveBlob(blobOf(base64, type), name);
  } catch (error) {
    notifyFailure(`${what} could not be read`, error instanceof Error ? error.message : String(error));
  }
}
