import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import tar from 'tar-stream';
import { fileReason } from '#shared/platform/file-reason.ts';
import { BackupFault, type Manifest, manifestName, manifestSchema } from './manifest.ts';

/**
 * A backup is a tar file, compressed by gzip and encrypted by age (https://age-encryption.org/v1), so that it can be opened without Octroi:
 * `age -d -i key.txt FILE | tar xz`. Each file in it is a folder of numbered parts, because tar wants to know a size before its bytes.
 */
const partBytes = 1024 * 1024;

/** The first bytes of every file that age has encrypted. */
const ageMagic = 'age-encryption.org/';

/** SHA-256 and size of one file of a backup. */
class Tally {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  add(bytes: Buffer): void {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  result(): Manifest['files'][string] {
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes };
  }
}

export interface ArchiveWriter {
  /** Adds one file. */
  add: (name: string, content: AsyncIterable<Buffer>) => Promise<void>;
  /** The files added so far, for the manifest. */
  files: () => Manifest['files'];
  /** Adds the manifest and puts the backup, synced to the disk, in its place. */
  finish: (manifest: Manifest) => Promise<void>;
  /** Removes what was written. */
  abandon: () => Promise<void>;
}

/** Begins a backup in `path.part`. `recipients`: public keys of age; none: it is not encrypted. */
export async function createArchive(path: string, recipients: readonly string[]): Promise<ArchiveWriter> {
  const temporary = `${path}.part`;
  const pack = tar.pack();
  const files: Manifest['files'] = {};
  const stopped = new AbortController();
  const compressed = Readable.from(pack).pipe(createGzip());
  pack.on('error', (error) => compressed.destroy(error));
  const encrypted = recipients.length === 0 ? compressed : await encrypt(compressed, recipients);
  const written = pipeline(encrypted, createWriteStream(temporary, { mode: 0o600 }), { signal: stopped.signal });
  // A full disk ends the writing below, and not the process.
  written.catch(() => {});

  const addPart = (name: string, data: Buffer): Promise<void> =>
    new Promise((resolve, reject) => {
      written.catch(reject);
      const entry = pack.entry({ name, size: data.length }, (error) => (error ? reject(error) : resolve()));
      entry.end(data);
    });

  const add = async (name: string, content: AsyncIterable<Buffer>): Promise<void> => {
    const tally = new Tally();
    let part = 0;
    for await (const data of partsOf(content)) {
      tally.add(data);
      part += 1;
      await addPart(`${name}/${String(part).padStart(6, '0')}`, data);
    }
    // An empty file has one empty part, so that it is there.
    if (part === 0) await addPart(`${name}/000001`, Buffer.alloc(0));
    files[name] = tally.result();
  };

  return {
    add,
    files: () => files,
    finish: async (manifest) => {
      await addPart(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
      pack.finalize();
      await written;
      const handle = await open(temporary, 'r+');
      await handle.sync();
      await handle.close();
      await rename(temporary, path);
    },
    abandon: async () => {
      stopped.abort();
      await written.catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** Writes a copy of a file, encrypted by age. */
export async function encryptFile(from: string, to: string, recipients: readonly string[]): Promise<void> {
  await pipeline(await encrypt(createReadStream(from), recipients), createWriteStream(to, { mode: 0o600 }));
}

/** Writes a copy of a file that age has encrypted, readable. */
export async function decryptFile(from: string, to: string, identities: readonly string[]): Promise<void> {
  await pipeline(await decrypt(from, identities), createWriteStream(to, { mode: 0o600 }));
}

async function encrypt(source: Readable, recipients: readonly string[]): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return fromWeb(await encrypter.encrypt(toWeb(source)));
}

/** The types of Node and of the web disagree about the same streams. */
function toWeb(source: Readable): ReadableStream<Uint8Array> {
  return ReadableStream.from<Uint8Array>(source);
}

function fromWeb(source: ReadableStream<Uint8Array>): Readable {
  return Readable.from(source);
}

/** The same bytes in parts of at most `partBytes`. */
async function* partsOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const data of content) {
    for (let at = 0; at < data.length;) {
      const taken = data.subarray(at, at + partBytes - size);
      waiting.push(taken);
      size += taken.length;
      at += taken.length;
      if (size < partBytes) continue;
      yield Buffer.concat(waiting);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/** One part of a file in a backup; the parts of a file follow each other. */
export interface ArchivePart {
  file: string;
  data: Buffer;
}

/**
 * Reads a backup from its beginning to its end and returns its manifest. Throws a BackupFault when it is damaged, cut off, or encrypted for
 * another key, so nothing of it should be relied on before this has returned.
 */
export async function readArchive(
  path: string,
  identities: readonly string[],
  onPart: (part: ArchivePart) => Promise<void> = async () => {},
): Promise<Manifest> {
  const tallies = new Map<string, Tally>();
  let manifest: Manifest | undefined;
  try {
    const extract = tar.extract();
    const decrypted = (await isEncrypted(path)) ? await decrypt(path, identities) : createReadStream(path);
    const read = pipeline(decrypted, createGunzip(), extract);
    read.catch(() => {});
    for await (const entry of extract) {
      const data = await contentOf(entry);
      if (entry.header.name === manifestName) manifest = readManifest(path, data);
      else {
        const file = entry.header.name.replace(/\/\d{6,}$/, '');
        const tally = tallies.get(file) ?? new Tally();
        tallies.set(file, tally);
        tally.add(data);
        await onPart({ file, data });
      }
    }
    await read;
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw new BackupFault(`${path} is not a whole backup: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (manifest === undefined) throw new BackupFault(`${path} has no ${manifestName}: it is cut off, or not a backup.`);
  const found = new Map([...tallies].map(([file, tally]) => [file, tally.result()]));
  for (const [file, wanted] of Object.entries(manifest.files)) {
    const has = found.get(file);
    if (has?.sha256 !== wanted.sha256 || has.bytes !== wanted.bytes)
      throw new BackupFault(`${path} is damaged: ${file} is not as it was written.`);
    found.delete(file);
  }
  const [extra] = found.keys();
  if (extra !== undefined) throw new BackupFault(`${path} has the file ${extra}, which its manifest does not name.`);
  return manifest;
}

function readManifest(path: string, data: Buffer): Manifest {
  const read = manifestSchema.safeParse(JSON.parse(data.toString()));
  if (read.success) return read.data;
  const places = read.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new BackupFault(
    `${path} was made by another version of Octroi, and this one can't read its ${manifestName} (${places}). Restore it with the version that made it.`,
  );
}

async function contentOf(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Throws a BackupFault unless the file is there and readable with these keys. Its contents are checked by `readArchive`. */
export async function checkArchive(path: string, identities: readonly string[]): Promise<void> {
  try {
    if (await isEncrypted(path)) (await decrypt(path, identities)).destroy();
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw new BackupFault(`${path} can't be read: ${fileReason(error)}.`, { cause: error });
  }
}

async function isEncrypted(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ageMagic.length), 0, ageMagic.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === ageMagic;
  } finally {
    await handle.close();
  }
}

async function decrypt(path: string, identities: readonly string[]): Promise<Readable> {
  if (identities.length === 0)
    throw new BackupFault(`${path} is encrypted. Name the file with the secret key: --identity FILE`);
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return fromWeb(await decrypter.decrypt(toWeb(createReadStream(path))));
  } catch {
    throw new BackupFault(`${path} is encrypted for another key.`);
  }
}
