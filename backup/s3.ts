import { open } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openBucket, readXml, type S3Account, StoreFault, tagIn } from '#shared/platform/s3-bucket.ts';
import { BackupFault } from './manifest.ts';
import type { BackupPlace } from './stored-backup.ts';

/** How long a store may take to say whether it is there. */
const checkTimeoutMs = 20_000;

/** Larger files are sent in parts, of which S3 takes 10,000: up to 312 GB. */
const defaultPartBytes = 32 * 1024 * 1024;

/** Backups in an S3-compatible store. */
export function createS3Place(account: S3Account, partBytes = defaultPartBytes): BackupPlace {
  const { url: bucketUrl, prefix, addressOf, ask, list } = openBucket(account);

  const sendParts = async (address: string, path: string, size: number): Promise<void> => {
    const uploadId = tagIn(await readXml(await ask('POST', `${address}?uploads=`)), 'UploadId');
    const upload = `uploadId=${encodeURIComponent(uploadId)}`;
    const file = await open(path);
    try {
      const tags: string[] = [];
      for (let at = 0; at < size; at += partBytes) {
        const part = Buffer.alloc(Math.min(partBytes, size - at));
        await file.read(part, 0, part.length, at);
        const response = await ask('PUT', `${address}?partNumber=${tags.length + 1}&${upload}`, part);
        tags.push(response.headers.get('etag') ?? '');
      }
      const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const done = await ask(
        'POST',
        `${address}?${upload}`,
        Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`),
      );
      // S3 may report a failure after it has begun to respond with 200.
      const text = await readXml(done);
      if (tagIn(text, 'ETag') === '')
        throw new BackupFault(`The store did not put ${path} together: ${tagIn(text, 'Message')}`);
    } catch (error) {
      await ask('DELETE', `${address}?${upload}`).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
  };

  const sizeOf = async (name: string): Promise<number | undefined> => {
    try {
      return Number((await ask('HEAD', addressOf(name))).headers.get('content-length'));
    } catch (error) {
      if (error instanceof StoreFault && error.status === 404) return undefined;
      throw error;
    }
  };

  const listQuery = `list-type=2&prefix=${encodeURIComponent(prefix)}`;
  return {
    check: async () =>
      void (await ask('GET', `${bucketUrl}?${listQuery}&max-keys=1`, undefined, AbortSignal.timeout(checkTimeoutMs))),
    probe: async () => {
      const text = Buffer.from('Octroi can write here.\n');
      await ask('PUT', addressOf('octroi-probe.txt'), text, AbortSignal.timeout(checkTimeoutMs));
    },
    describe: (name) => addressOf(name),
    sizeOf,
    list: async () => (await list('')).filter(({ name }) => !name.includes('/')),
    put: async (name, path) => {
      if ((await sizeOf(name)) !== undefined) throw new BackupFault(`${addressOf(name)} exists already.`);
      const file = await open(path);
      const { size } = await file.stat();
      const body = size <= partBytes ? await file.readFile() : undefined;
      await file.close();
      await (body === undefined ? sendParts(addressOf(name), path, size) : ask('PUT', addressOf(name), body));
      const stored = await sizeOf(name);
      if (stored !== size)
        throw new BackupFault(`The store has ${stored ?? 0} bytes of ${addressOf(name)} instead of ${size}.`);
    },
    get: async (name, path) => {
      const { body } = await ask('GET', addressOf(name));
      if (body === null) throw new BackupFault(`${addressOf(name)} is empty.`);
      await pipeline(Readable.from(body), createWriteStream(path, { mode: 0o600 }));
    },
    remove: async (name) => void (await ask('DELETE', addressOf(name))),
  };
}
