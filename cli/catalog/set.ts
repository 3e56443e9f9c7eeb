import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { CatalogFaults, type Catalog } from '#catalog/catalog.ts';
import { productFilesIn, readCatalog, readingCatalog } from '#catalog/catalog-files.ts';
import { compareCatalogs } from '#catalog/compare-catalogs.ts';
import { EditFault, editProduct, readAssignment } from '#catalog/edit-product.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { refuseReleaseFolder } from '#shared/platform/release-folder.ts';
import { describeChanges } from './versions.ts';

/** `octroi catalog set`: changes fields of a product file. A change that brings a fault is not kept. */
export function setFields(
  productId: string,
  assignments: readonly string[],
  { folder, json }: { folder: string; json?: boolean },
): void {
  refuseReleaseFolder(folder, process.env);
  const file = fileOf(productId, folder);
  const before = readFileSync(file, 'utf8');
  const known = catalogOrFaults(folder);
  writeFileSync(file, edited(before, assignments));
  const now = catalogOrFaults(folder);
  if ('faults' in now && (!('faults' in known) || now.faults.length > known.faults.length)) {
    writeFileSync(file, before);
    printResult(json, { faults: now.faults }, now.faults);
    throw new CommandFailed('Nothing was changed: the catalogue would have faults.', exitCodes.faults);
  }
  if ('faults' in now) {
    printResult(json, { file, faults: now.faults }, [`Written: ${file}`, '', 'Faults that are left:', ...now.faults]);
    return;
  }
  const changes = 'faults' in known ? [] : compareCatalogs(known, now);
  printResult(json, { file, changes }, [`Written: ${file}`, ...(changes.length > 0 ? describeChanges(changes) : [])]);
}

function edited(yaml: string, assignments: readonly string[]): string {
  try {
    return editProduct(yaml, assignments.map(readAssignment));
  } catch (error) {
    throw error instanceof EditFault ? new CommandFailed(error.message, exitCodes.usage) : error;
  }
}

function catalogOrFaults(folder: string): Catalog | { faults: readonly string[] } {
  try {
    return readCatalog(folder);
  } catch (error) {
    if (error instanceof CatalogFaults) return { faults: error.faults };
    throw error;
  }
}

const named = z.looseObject({ id: z.string(), aliases: z.array(z.string()).default([]) });

/** The file of a product, by its id or an alias. */
function fileOf(productId: string, folder: string): string {
  const products = productFilesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const text = readingCatalog(name, () => readFileSync(path, 'utf8'));
    const read = named.safeParse(parse(text, { logLevel: 'silent' }));
    return read.success ? [{ path, names: [read.data.id, ...read.data.aliases] }] : [];
  });
  const found = products.find(({ names }) => names.includes(productId));
  if (found !== undefined) return found.path;
  const ids = products.map(({ names }) => names[0]).join(', ');
  throw new CommandFailed(`There is no product "${productId}" in ${folder}: ${ids === '' ? 'it has none' : ids}.`);
}
