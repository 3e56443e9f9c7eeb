import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file of a ZIP: its content, or how to read it when its turn comes. */
export interface ZipEntry {
  name: string;
  content: string | (() => Promise<Buffer> | AsyncIterable<Buffer>);
}

async function* partsOf(content: () => Promise<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const read = content();
  if (Symbol.asyncIterator in read) yield* read;
  else yield await read;
}

/**
 * A ZIP as a stream, in the order of its entries; only one of them, or a part of it, is in memory at a time. The same entries give the same
 * bytes: every file bears the given time. An entry that fails destroys the stream.
 */
export function zipOf(entries: readonly ZipEntry[], mtime: Date): Readable {
  const zip = new ZipFile();
  const output = new PassThrough();
  let current: Readable | undefined;
  output.once('close', () => current?.destroy());
  for (const { name, content } of entries) {
    const options = { mtime, mode: 0o100644 };
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), name, options);
    else
      zip.addReadStreamLazy(name, options, (done) => {
        current = Readable.from(partsOf(content));
        // yazl listens to no errors of a stream.
        current.on('error', (error: Error) => output.destroy(error));
        done(null, current);
      });
  }
  zip.end();
  zip.outputStream.pipe(output);
  zip.on('error', (error: Error) => output.destroy(error));
  return output;
}
