import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { begunKey, type BegunSeries, furthestOf } from '#shared/database/begun-series.ts';
import { rememberedSeries } from '#shared/database/database-memory.ts';
import type { DocumentKind } from '#shared/domain/document.ts';
import { seriesOfKind } from '#shared/domain/document-series.ts';
import { withCleanUp } from '#shared/platform/clean-up.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { BackupFault } from './manifest.ts';
import type { BackupPlace } from './stored-backup.ts';

/** In the order of their places in a name. */
const kinds = ['INVOICE', 'RECEIPT_VOUCHER', 'REFUND_VOUCHER', 'CREDIT_NOTE'] as const satisfies DocumentKind[];

const pattern = /^series-([0-9a-f]{8})-(\d{4}-\d{2})-(\d+)\.(\d+)\.(\d+)\.(\d+)-[0-9a-f]{8}\.txt$/;

const startOf = (origin: string): string => origin.slice(0, 8);

/** Where a restore learns which series were begun by others of the same origin, and leaves word of those that it begins. */
export interface SeriesOutside {
  /** Folders of processes that remember. */
  memories: readonly string[];
  /** Of backups. */
  places: readonly BackupPlace[];
  /** What the operator says: the furthest by kind, as places in `seriesOfKind`. */
  after?: ReadonlyMap<DocumentKind, number> | undefined;
}

/** Nobody else is asked, and nothing is left: of a copy that is only tried. */
export const nothingOutside: SeriesOutside = { memories: [], places: [] };

/** What the operator hears of a place where no word could be left. */
export const unnotedText = (place: string): string =>
  `✗ These series could not be noted in ${place}. The next backup notes them in its place; restore nothing from the same before.`;

export interface KnownOutside {
  begun: BegunSeries;
  /** Who knew of series. */
  knownBy: string[];
  /** Where a restore leaves word, and none had. */
  silent: string[];
  /** Where no word could be left. */
  unnoted: string[];
}

/** Throws if a place of backups can't be read, unless the operator says how far the series came: numbers would be used twice. */
export async function readOutside(
  { memories, places, after }: SeriesOutside,
  origin: string,
  financialYear: string,
): Promise<KnownOutside> {
  const known: KnownOutside = { begun: {}, knownBy: [], silent: [], unnoted: [] };
  const hear = (begun: BegunSeries = {}, from = ''): boolean => {
    if (Object.keys(begun).length === 0) return false;
    known.begun = furthestOf(known.begun, begun);
    known.knownBy.push(from);
    return true;
  };
  for (const folder of memories) hear(rememberedSeries(folder, origin), folder);
  for (const place of places) {
    const at = place.describe('');
    try {
      if (!hear(await readNotes(place, origin), at)) known.silent.push(at);
    } catch (cause) {
      if (after === undefined)
        throw new BackupFault(
          `Which series of documents other restores began can't be read from ${at}: ${reasonOf(cause)}. Nothing starts on this database until it is finished: octroi restore --finish, once that can be read, or with --series-after LETTERS, the furthest series on papers.`,
          { cause },
        );
    }
  }
  const said = [...(after ?? [])].map(([kind, begun]) => [begunKey(financialYear, kind), begun] as const);
  hear(Object.fromEntries(said), '--series-after');
  return known;
}

/** Before they are used: a restore of the same backup begins after them. */
export async function noteOutside(
  { places }: SeriesOutside,
  origin: string,
  begun: BegunSeries,
  known: KnownOutside,
): Promise<void> {
  for (const place of places)
    try {
      await noteSeries(place, origin, begun);
    } catch (error) {
      known.unnoted.push(`${place.describe('')}: ${reasonOf(error)}`);
    }
}

async function readNotes(place: BackupPlace, origin: string): Promise<BegunSeries> {
  const notes = (await place.list()).flatMap(({ name }) => {
    const [, of, financialYear = '', ...begun] = pattern.exec(name) ?? [];
    if (of !== startOf(origin)) return [];
    return [Object.fromEntries(kinds.map((kind, index) => [begunKey(financialYear, kind), Number(begun[index])]))];
  });
  return furthestOf(...notes);
}

/**
 * Leaves a file beside the backups for each financial year in which another series than the first has begun. Its name says all, and it is written once: a
 * store may allow nothing else.
 */
export async function noteSeries(place: BackupPlace, origin: string, begun: BegunSeries): Promise<void> {
  const noted = await readNotes(place, origin);
  const years = new Set(Object.keys(begun).map((key) => key.split(' ', 1).join()));
  for (const year of years) {
    const furthest = kinds.map((kind) => begun[begunKey(year, kind)] ?? 0);
    if (kinds.every((kind, index) => (furthest[index] ?? 0) <= (noted[begunKey(year, kind)] ?? 0))) continue;
    const name = `series-${startOf(origin)}-${year}-${furthest.join('.')}-${randomBytes(4).toString('hex')}.txt`;
    const work = mkdtempSync(join(tmpdir(), 'octroi-series-'));
    const path = join(work, name);
    writeFileSync(path, `Series of documents that were begun. A restore reads the name of this file: keep it.\n`);
    await withCleanUp(
      () => place.put(name, path),
      () => rmSync(work, { recursive: true, force: true }),
    );
  }
}

/**
 * What `--series-after` says: letters of the furthest series that stand on papers, such as `B` or `B,U`. Kinds that are not named went as far, because each
 * restore takes all of them one further. Throws for what is no letter of a series.
 */
export function readSeriesAfter(letters: string): ReadonlyMap<DocumentKind, number> {
  const said = new Map<DocumentKind, number>();
  for (const letter of letters.split(',').map((part) => part.trim().toUpperCase())) {
    const placeIn = (kind: DocumentKind): number => seriesOfKind[kind].findIndex((series) => series.letter === letter);
    const kind = letter === '' ? undefined : kinds.find((each) => placeIn(each) >= 0);
    if (kind === undefined)
      throw new BackupFault(
        `There is no series “${letter}”. Name the letters after the year in the last numbers, such as B for OCT/26-27/B00017.`,
      );
    said.set(kind, placeIn(kind));
  }
  const furthest = Math.max(...said.values());
  return new Map(kinds.map((kind) => [kind, said.get(kind) ?? furthest]));
}
