import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandFailed, exitCodes } from '#cli/command-result.ts';
import { ask } from '#cli/operator.ts';
import { saveFile } from '#cli/whole-file.ts';
import { readThreadFile } from '#shared/contract/operator/support.ts';
import { fileReason } from '#shared/platform/file-reason.ts';

/** The files of a reply, as its call takes them. */
export async function filesAt(paths: readonly string[]): Promise<{ name: string; content: string }[]> {
  return Promise.all(
    paths.map(async (path) => {
      try {
        return { name: basename(path), content: (await readFile(path)).toString('base64') };
      } catch (error) {
        throw new CommandFailed(`${path} could not be read: ${fileReason(error)}. Nothing was sent.`, exitCodes.usage);
      }
    }),
  );
}

export async function saveThreadFile(
  threadId: string,
  fileId: string,
  path: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const { name, content } = await ask(readThreadFile, { threadId, fileId });
  // The customer chose the name: it must not be that of a file here.
  await saveFile(path ?? `${fileId}-${name}`, content, json);
}
