import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unprintableFault } from '#shared/domain/printable.ts';
import { readRegularFile } from '#shared/platform/read-regular-file.ts';
import { type Catalog, CatalogFaults, type CatalogFiles, catalogOf, isProductFile } from './catalog.ts';
import { readSomewhere } from './read-version.ts';
import { cannotBeRead } from './yaml-file.ts';

/** What a catalogue may consist of: products, OpenAPI documents, texts, pictures. */
const kept = /\.(?:ya?ml|json|md|txt|svg|png|jpe?g|webp|gif|ico|pem)$/i;
/** The same as in the table `catalog_version_files`. */
const allowedPath = /^[A-Za-z0-9_][A-Za-z0-9_ .-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_ .-]*)*$/;
const maxBytes = 64 * 1024 * 1024;

/** The names of the product files of a folder. Throws CatalogFaults when it can't be read. */
export function productFilesIn(folder: string): string[] {
  return readingCatalog(folder, () => readdirSync(folder))
    .filter(isProductFile)
    .toSorted();
}

/** Turns the error of a folder, or a file in it, that can't be read into CatalogFaults. */
export function readingCatalog<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new CatalogFaults([`${path}: ${cannotBeRead(error)}`]);
  }
}

/** All files of a catalogue's folder, those below it too, without hidden ones and those that no catalogue has. Throws CatalogFaults. */
export function readCatalogFiles(folder: string): Map<string, Buffer> {
  const entries = readingCatalog(folder, () => readdirSync(folder, { recursive: true, withFileTypes: true }));
  const found = entries.map((entry) => ({
    isFolder: entry.isDirectory(),
    path: join(entry.parentPath, entry.name).slice(join(folder, '/').length),
  }));
  if (!found.some(({ path }) => isProductFile(path)))
    throw new CatalogFaults([`${folder}: there is no product file (*.yaml)`]);
  const paths = found
    .filter(({ path, isFolder }) => kept.test(path) && (!isFolder || isProductFile(path)))
    .map(({ path }) => path)
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .toSorted();
  return new Map(
    paths.map((path) => [path, readingCatalog(path, () => readRegularFile(join(folder, path), maxBytes))]),
  );
}

/** Reads and checks every product file of a folder. Throws CatalogFaults listing each error with its file and line. */
export const readCatalog = (folder: string): Catalog => catalogOf(readCatalogFiles(folder));

/** Throws CatalogFaults for names and sizes that no version can have, wherever the files come from. */
function requireStorable(files: CatalogFiles): void {
  const faults = [...files.keys()].flatMap((path) => {
    if (!allowedPath.test(path) || path.length > 200)
      return [`${path}: the name may have letters, digits, spaces and _ . - only, at most 200 of them`];
    const above = foldersOf(path).find((folder) => files.has(folder));
    if (above !== undefined) return [`${path}: ${above} is a file, so nothing can lie below it`];
    return kept.test(path) ? [] : [`${path}: no catalogue has such a file`];
  });
  if (faults.length > 0) throw new CatalogFaults(faults);
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  if (bytes > maxBytes) throw new CatalogFaults([`The files have ${bytes} bytes; the limit is ${maxBytes}`]);
}

/** `a/b/c.json` → `a`, `a/b` */
function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** Files that the rules of this version accept. The database stores nothing else as a version. */
export class SoundFiles extends Map<string, Buffer> {
  readonly isSound = true;
  readonly catalog: Catalog;

  private constructor(files: CatalogFiles, catalog: Catalog) {
    super(files);
    this.catalog = catalog;
  }

  /** Throws CatalogFaults. */
  static async of(files: CatalogFiles): Promise<SoundFiles> {
    requireStorable(files);
    const catalog = await readSomewhere(files);
    const faults = catalog.products.flatMap(({ id, name, plans }) =>
      [name, ...plans.map((plan) => plan.name)].flatMap((text) => {
        const fault = unprintableFault(text);
        return fault === undefined ? [] : [`${id}: the name ${text} is on invoices. ${fault}`];
      }),
    );
    if (faults.length > 0) throw new CatalogFaults(faults);
    return new SoundFiles(files, catalog);
  }

  /** The files of a folder. Throws CatalogFaults. */
  static async in(folder: string): Promise<SoundFiles> {
    return SoundFiles.of(readCatalogFiles(folder));
  }
}
