import { areSendable, maxBytesOfMessage } from '#shared/domain/support-file.ts';
import { base64Of, bytesOf } from '#web/forms/base64.ts';

/** A chosen file as calls take it. */
export interface ChosenFile {
  /** In this page. */
  id: string;
  name: string;
  content: string;
}

/** Reads chosen files, after the checks that the server makes too; `before`: those chosen earlier. Undefined: not all can be sent. */
export async function readFiles(
  before: readonly ChosenFile[],
  chosen: readonly File[],
): Promise<ChosenFile[] | undefined> {
  // Larger ones are not even read.
  if (chosen.some(({ size }) => size > maxBytesOfMessage)) return undefined;
  const contents = await Promise.all(chosen.map(async (file) => new Uint8Array(await file.arrayBuffer())));
  const earlier = before.map(({ content }) => bytesOf(content));
  if (!areSendable([...earlier, ...contents])) return undefined;
  const read = chosen.map((file, index) => {
    const content = contents[index] ?? new Uint8Array();
    // The end of a long name tells its type.
    return { id: crypto.randomUUID(), name: file.name.slice(-120), content: base64Of(content) };
  });
  return [...before, ...read];
}

/** What a call takes of them. */
export const filesOf = (files: readonly ChosenFile[]): { name: string; content: string }[] =>
  files.map(({ name, content }) => ({ name, content }));
