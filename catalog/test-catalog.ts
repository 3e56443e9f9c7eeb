import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { editProduct } from './edit-product.ts';

/** Fields to set in product files, by the product's id, named and written as for `octroi catalog set`. */
export type Changes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Folders to remove when the process ends. */
const made: string[] = [];
function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}

/** An empty folder for a catalogue, which is removed when the process ends. */
export function emptyCatalog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-catalog-'));
  if (made.push(folder) === 1) process.once('exit', removeAll);
  return folder;
}

/** A copy of the stand-ins' catalogue with changed fields. Its folder is removed when the process ends. */
export function changedCatalog(changes: Changes): string {
  const folder = emptyCatalog();
  cpSync(projectFolder('ship', 'standins', 'catalog'), folder, { recursive: true });
  for (const [product, fields] of Object.entries(changes)) {
    const file = join(folder, `${product}.yaml`);
    const assignments = Object.entries(fields).map(([field, value]) => ({ field, value }));
    writeFileSync(file, editProduct(readFileSync(file, 'utf8'), assignments));
  }
  return folder;
}
