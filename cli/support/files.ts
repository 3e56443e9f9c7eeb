import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { ask } from '#cli/operator.ts';
import { writeWholeFile } from '#cli/whole-file.ts';
import { readThreadFile } from '#shared/contract/operator/support.ts';

/** The files of a reply, as its call takes them. */
export async function filesAt(paths: readonly string[]): Promise<{ name: string; content: string }[]> {
  return Promise.all(
    paths.map(async (path) => {
      try {
        return { name: basename(path), content: (await readFile(path)).toString('base64') };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new CommandFailed(`${path} could not be read: ${reason}. Nothing was sent.`, exitCodes.usage);
      }
    }),
  );
}

export async function saveFile(
  threadId: string,
  fileId: string,
  path: string | undefined,
  { json }: { json?: boolean },
): Promise<void> {
  const { name, content } = await ask(readThreadFile, { threadId, fileId });
  // The customer chose the name: it must not be that of a file here.
  const target = path ?? `${fileId}-${name}`;
  const bytes = Buffer.from(content, 'base64');
  await writeWholeFile(target, (write) => write(Readable.from([bytes])));
  printResult(json, { file: target, bytes: bytes.length }, [`Written to ${target}`]);
}
