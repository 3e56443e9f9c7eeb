import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import type { Day } from '#shared/domain/day.ts';
import { recordsBytes, recordsVersion } from '#shared/domain/logged-call.ts';
import type { ColdStore } from './cold-store.ts';
import type { PageBatch } from './postgres-pages.ts';

/** What days that went cold look like in their store: a file for each activation and day, and a sheet for each day. */

/** A batch with what pages sum up. */
export interface WholeBatch extends PageBatch {
  test: boolean;
  fromMs: number;
  calls: number;
  counted: number;
  unlisted: number;
  problems: Record<string, number>;
}

/** Newest first, as PostgreSQL orders them. */
export function newerBatch(a: Pick<PageBatch, 'toMs' | 'id'>, b: Pick<PageBatch, 'toMs' | 'id'>): number {
  return b.toMs - a.toMs || (a.id === b.id ? 0 : a.id > b.id ? -1 : 1);
}

/** No name has anything in it but ids and days that this product made. */
export function folderOf(activationId: string): string {
  if (!/^[\w-]+$/.test(activationId)) throw new Error('this is not the id of an activation');
  return `calls/${activationId}/`;
}
export const sheetsFolder = 'days/';
/** The last test call of each key, in the days that are cold. */
export const testsName = 'tests';

const line = z.tuple([
  z.string(),
  z.string(),
  z.boolean(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.string(),
  z.record(z.string(), z.number()),
]);
const lines = z.array(line);
const heading = z.array(z.object({ fromMs: z.number(), name: z.string() }));

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
/** More takes ten times as long and saves nothing. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const recordBytes = recordsBytes(1) - recordsBytes(0);

/** Records of equal length, byte by byte: what is random in them then leaves alone what is not. */
function turned(bytes: Buffer, width: number, height: number): Buffer {
  const columns = Buffer.allocUnsafe(bytes.length);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) columns[column * height + row] = bytes[row * width + column] ?? 0;
  return columns;
}

function withLength(head: string, ...rest: Buffer[]): Buffer {
  const text = Buffer.from(head);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, ...rest]);
}

function cut(bytes: Buffer): { head: string; rest: Buffer } {
  const end = 4 + bytes.readUInt32BE();
  return { head: bytes.toString('utf8', 4, end), rest: bytes.subarray(end) };
}

/** Some batches of a day as bytes. */
async function writePart(batches: readonly WholeBatch[]): Promise<Buffer> {
  const head = batches.map((of): z.output<typeof line> => {
    const { id, keyId, test, fromMs, toMs, calls, counted, unlisted, dictionary, problems } = of;
    return [id, keyId, test, fromMs, toMs, calls, counted, unlisted, dictionary, problems];
  });
  const records = Buffer.concat(batches.map((batch) => batch.records.subarray(recordsBytes(0))));
  const columns = turned(records, recordBytes, records.length / recordBytes);
  return compress(withLength(JSON.stringify(head), columns), quality);
}

async function readPart(bytes: Buffer, day: Day): Promise<WholeBatch[]> {
  const { head, rest } = cut(await decompress(bytes));
  const records = turned(rest, rest.length / recordBytes, recordBytes);
  let at = 0;
  return lines.parse(JSON.parse(head)).map((of) => {
    const [id, keyId, test, fromMs, toMs, calls, counted, unlisted, dictionary, problems] = of;
    const own = records.subarray(at, (at += calls * recordBytes));
    // Before the records stands the version of their format.
    const packed = Buffer.concat([Buffer.of(recordsVersion), own]);
    return { id, keyId, day, test, fromMs, toMs, calls, counted, unlisted, dictionary, problems, records: packed };
  });
}

/**
 * Writes the calls of an activation and a day, newest first, in place of those that were there. Parts beside the first are files of their own, which
 * the first one names: until it is written, the day reads as before.
 */
export async function writeFile(
  store: ColdStore,
  activationId: string,
  day: Day,
  chunks: AsyncIterable<readonly WholeBatch[]>,
): Promise<void> {
  const name = folderOf(activationId) + day;
  const parts: z.output<typeof heading> = [];
  let first: Buffer = Buffer.alloc(0);
  for await (const batches of chunks) {
    const bytes = await writePart(batches);
    const fromMs = Math.min(...batches.map((batch) => batch.fromMs));
    const part = { fromMs, name: `${name}.${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}` };
    if (parts.length === 0) first = bytes;
    else await store.put(part.name, bytes);
    parts.push(parts.length === 0 ? { fromMs, name: '' } : part);
  }
  await store.put(name, withLength(JSON.stringify(parts), first));
  // Those of an earlier writing.
  for (const other of await store.list(`${name}.`))
    if (!parts.some((part) => part.name === other)) await store.remove(other);
}

/** The first file last: until then the day reads as before. */
export async function removeFile(store: ColdStore, activationId: string, day: Day): Promise<void> {
  const name = folderOf(activationId) + day;
  for (const part of await store.list(`${name}.`)) await store.remove(part);
  await store.remove(name);
}

/** The batches of an activation and a day, newest first, with those that have calls until then. */
export async function* readFile(
  store: ColdStore,
  activationId: string,
  day: Day,
  untilMs = Infinity,
): AsyncGenerator<WholeBatch> {
  const name = folderOf(activationId) + day;
  const file = await store.get(name);
  if (file === undefined) return;
  const { head, rest } = cut(file);
  for (const part of heading.parse(JSON.parse(head))) {
    if (part.fromMs > untilMs) continue;
    const bytes = part.name === '' ? rest : await store.get(part.name);
    if (bytes === undefined) throw new Error(`${part.name} is missing`);
    yield* (await readPart(bytes, day)).filter(({ fromMs }) => fromMs <= untilMs);
  }
}

const sheet = z.record(z.string(), z.record(z.string(), z.number()));
/** The problems of a day by name, of each activation that has a file of it. */
export type Sheet = z.output<typeof sheet>;

export const readSheet = async (store: ColdStore, day: Day): Promise<Sheet | undefined> =>
  readJson(store, sheetsFolder + day, sheet);

export const testKeys = z.record(z.string(), z.object({ activationId: z.string(), atMs: z.number() }));

export async function readJson<Schema extends z.ZodType>(store: ColdStore, name: string, schema: Schema) {
  const bytes = await store.get(name);
  return bytes && schema.parse(JSON.parse((await decompress(bytes)).toString()));
}

export async function writeJson(store: ColdStore, name: string, content: object): Promise<void> {
  await store.put(name, await compress(Buffer.from(JSON.stringify(content)), quality));
}
