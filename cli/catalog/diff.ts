import { compareCatalogs } from '#catalog/compare-catalogs.ts';
import { printResult } from '#cli/command-result.ts';
import { asReader } from '#server/operator-context.ts';
import { proposeFolder } from '#server/operator/catalog.ts';
import { readSoundCatalog } from './check.ts';
import { describeChanges } from './versions.ts';

interface DiffOptions {
  from: string;
  running?: boolean;
  json?: boolean;
}

/** `octroi catalog diff`: what a changed catalogue changes, and for whom. */
export async function diffCatalogs(folder: string, { from, running, json }: DiffOptions): Promise<void> {
  const catalog = readSoundCatalog(folder, json);
  const changes =
    running === true
      ? (await asReader((db) => proposeFolder(db, folder))).changes
      : compareCatalogs(readSoundCatalog(from, json), catalog);
  printResult(json, { changes }, changes.length === 0 ? ['No changes.'] : describeChanges(changes));
}
