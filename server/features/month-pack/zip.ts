import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file of a ZIP: its content, or how to read it when its turn comes. */
export interface ZipEntry {
  name: string;
  content: string | (() => Promise<Buffer>);
}

/** A stream fails when its content can't be read, and yazl passes that on. */
async function* once(content: () => Promise<Buffer>): AsyncGenerator<Buffer> {
  yield await content();
}

/**
 * A ZIP as a stream, in the order of its entries; only one of them is in memory at a time. The same entries give the same bytes: every file bears
 * the given time. An entry that fails destroys the stream.
 */
export function zipOf(entries: readonly ZipEntry[], mtime: Date): Readable {
  const zip = new ZipFile();
  for (const { name, content } of entries) {
    const options = { mtime, mode: 0o100644 };
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), name, options);
    else zip.addReadStreamLazy(name, options, (done) => done(null, Readable.from(once(content))));
  }
  zip.end();
  const output = new PassThrough();
  zip.outputStream.pipe(output);
  zip.on('error', (error: Error) => output.destroy(error));
  return output;
}
