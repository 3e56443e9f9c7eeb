import { createHash } from 'node:crypto';

/** The hash of what an export says: the same books give the same. Stored files, such as PDFs, are in it by what the reply says of them. */
export function contentHashOf({
  reply,
  texts,
}: {
  reply: unknown;
  texts: readonly { name: string; content: string }[];
}): string {
  const hash = createHash('sha256').update(JSON.stringify(reply));
  for (const { name, content } of texts) hash.update(JSON.stringify([name, content]));
  return hash.digest('hex');
}
