import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unprintableFault } from '#shared/domain/printable.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import { type Catalog, CatalogFaults, isProductFile, noProductFile, readCatalog, readingCatalog } from './catalog.ts';

/** The files of a catalogue, by their path in its folder. */
type CatalogFiles = ReadonlyMap<string, Buffer>;

/** What a catalogue may consist of: products, OpenAPI documents, texts, pictures. */
const kept = /\.(?:ya?ml|json|md|txt|svg|png|jpe?g|webp|gif|ico|pem)$/i;
/** The same as in the table `catalog_version_files`. */
const allowedPath = /^[A-Za-z0-9_][A-Za-z0-9_ .-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_ .-]*)*$/;
const maxBytes = 64 * 1024 * 1024;

/** All files of a catalogue's folder, those below it too, without hidden ones and those that no catalogue has. Throws CatalogFaults. */
export function readCatalogFiles(folder: string): Map<string, Buffer> {
  const entries = readingCatalog(folder, () => readdirSync(folder, { recursive: true, withFileTypes: true }));
  const found = entries.map((entry) => ({
    isFolder: entry.isDirectory(),
    path: join(entry.parentPath, entry.name).slice(join(folder, '/').length),
  }));
  if (!found.some(({ path }) => isProductFile(path))) throw new CatalogFaults([noProductFile(folder)]);
  const paths = found
    .filter(({ path, isFolder }) => kept.test(path) && (!isFolder || isProductFile(path)))
    .map(({ path }) => path)
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .toSorted();
  return new Map(paths.map((path) => [path, readingCatalog(path, () => readFileSync(join(folder, path)))]));
}

/** Throws CatalogFaults for names and sizes that no version can have, wherever the files come from. */
function requireStorable(files: CatalogFiles): void {
  const faults = [...files.keys()].flatMap((path) => {
    if (!allowedPath.test(path) || path.length > 200)
      return [`${path}: the name may have letters, digits, spaces and _ . - only, at most 200 of them`];
    return kept.test(path) ? [] : [`${path}: no catalogue has such a file`];
  });
  if (![...files.keys()].some(isProductFile)) faults.push('There is no product file (*.yaml)');
  if (faults.length > 0) throw new CatalogFaults(faults);
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  if (bytes > maxBytes) throw new CatalogFaults([`The files have ${bytes} bytes; the limit is ${maxBytes}`]);
}

/** Files that the rules of this version accept. The database stores nothing else as a version. */
export class SoundFiles extends Map<string, Buffer> {
  readonly isSound = true;

  private constructor(files: CatalogFiles) {
    super(files);
  }

  /** Throws CatalogFaults. */
  static of(files: CatalogFiles): SoundFiles {
    requireStorable(files);
    const { catalog, remove } = unpackCatalog(files);
    remove();
    const faults = catalog.products.flatMap(({ id, name, plans }) =>
      [name, ...plans.map((plan) => plan.name)].flatMap((text) => {
        const fault = unprintableFault(text);
        return fault === undefined ? [] : [`${id}: the name ${text} is on invoices. ${fault}`];
      }),
    );
    if (faults.length > 0) throw new CatalogFaults(faults);
    return new SoundFiles(files);
  }

  /** The files of a folder. Throws CatalogFaults. */
  static in(folder: string): SoundFiles {
    return SoundFiles.of(readCatalogFiles(folder));
  }
}

/** A catalogue that was read from stored files. */
export interface UnpackedCatalog {
  catalog: Catalog;
  /** Removes its folder, when nothing reads its documents any more. */
  remove: () => void;
}

/** Folders are named after their machine, or container, and process. */
const prefixOf = (pid: number | string): string =>
  `octroi-catalog-${hostname().replaceAll(/[^A-Za-z0-9]/g, '')}-${pid}-`;
let hasRemovedAbandoned = false;

/** Once in a process: removes the folders of processes that were killed before they could. */
function removeAbandoned(): void {
  if (hasRemovedAbandoned) return;
  hasRemovedAbandoned = true;
  const form = new RegExp(`^${prefixOf('(\\d+)')}`);
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(form.exec(name)?.[1] ?? 0);
    if (pid > 0 && hasEnded(pid, join(tmpdir(), name))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Of our own number there was an earlier process: in a container it is always the same. */
function hasEnded(pid: number, folder: string): boolean {
  if (pid === process.pid) return statSync(folder).birthtimeMs < performance.timeOrigin;
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM');
  }
}

/**
 * The same for the version that is on sale. Rules may have become stricter since it was stored; CatalogFaults then say how to put another
 * one in its place.
 */
export function unpackVersion(version: number, files: CatalogFiles): UnpackedCatalog {
  try {
    return unpackCatalog(files);
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    throw new CatalogFaults(
      error.faults,
      `Version ${version} of the catalogue, which is on sale, can't be read by this version of Octroi. Write its files into a folder with ` +
        `\`octroi catalog show ${version} --to FOLDER\`, correct them, and put them on sale with \`octroi catalog apply --folder FOLDER --reason …\`:`,
    );
  }
}

/** Writes the files of a catalogue into a new folder and reads it. Throws CatalogFaults. */
export function unpackCatalog(files: CatalogFiles): UnpackedCatalog {
  removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), prefixOf(process.pid)));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    for (const [path, content] of files) {
      if (!allowedPath.test(path)) throw new CatalogFaults([`${path}: is not a name of a catalogue's file`]);
      makeFolder(dirname(join(folder, path)));
      writeFileSync(join(folder, path), content);
    }
    return { catalog: readCatalog(folder), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
