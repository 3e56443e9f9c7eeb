import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { safeFileName } from '#shared/domain/file-name.ts';
import { uniqueNames } from '#shared/domain/unique-names.ts';

/** A file of a ZIP: its content, or how to read it when its turn comes. The parts of `name` between slashes are folders. */
export interface ZipEntry {
  name: string;
  content: string | (() => Promise<Buffer> | AsyncIterable<Buffer>);
}

async function* partsOf(content: () => Promise<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const read = content();
  if (Symbol.asyncIterator in read) yield* read;
  else yield await read;
}

/** Safe names, each only once: many systems take a capital for the same letter. */
function namesIn(entries: readonly ZipEntry[]): string[] {
  const free = uniqueNames({
    numbered: (name, copy) => name.replace(/(\.[\w-]{1,10})?$/, (extension) => ` (${copy})${extension}`),
    keyOf: (name) => name.toLowerCase(),
  });
  return entries.map(({ name }) => free(name.split('/').map(safeFileName).join('/')));
}

/**
 * A ZIP as a stream, in the order of its entries; only one of them, or a part of it, is in memory at a time. The same entries give the same
 * bytes: every file bears the given time, or the nearest that a ZIP can bear. Nothing is read before the stream is, and an entry that fails destroys the stream.
 */
export function zipOf(entries: readonly ZipEntry[], mtime: Date): Readable {
  return Readable.from(zipParts(entries, mtime), { objectMode: false });
}

/** The times that a ZIP can bear; yazl throws at any other one while it writes, where nothing catches it. */
const bearableTime = (time: Date): Date =>
  new Date(Math.min(Math.max(time.getTime(), Date.UTC(1980, 0, 2)), Date.UTC(2099, 11, 31)));

async function* zipParts(entries: readonly ZipEntry[], given: Date): AsyncGenerator<Buffer> {
  const mtime = bearableTime(given);
  const zip = new ZipFile();
  const output = new PassThrough();
  const fail = (error: Error) => output.destroy(error);
  const names = namesIn(entries);
  let current: Readable | undefined;
  for (const [index, { content }] of entries.entries()) {
    const [name = '', options] = [names[index], { mtime, mode: 0o100644 }];
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), name, options);
    else
      zip.addReadStreamLazy(name, options, (done) => {
        // yazl listens to no errors of a stream.
        current = Readable.from(partsOf(content)).on('error', fail);
        done(null, current);
      });
  }
  zip.on('error', fail);
  zip.end();
  zip.outputStream.pipe(output);
  try {
    yield* output;
  } finally {
    current?.destroy();
  }
}
