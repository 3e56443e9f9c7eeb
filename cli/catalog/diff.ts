import { compareCatalogs } from '#catalog/compare-catalogs.ts';
import { printResult } from '#cli/command-result.ts';
import { readSoundCatalog } from './check.ts';

/** `octroi catalog diff`: what a changed catalogue changes, and for whom. */
export function diffCatalogs(folder: string, { from, json }: { from: string; json?: boolean }): void {
  const changes = compareCatalogs(readSoundCatalog(from, json), readSoundCatalog(folder, json));
  const lines = changes.map(({ product, change, affects }) => `${product}: ${change}\n    ${affects}`);
  printResult(json, { changes }, lines.length === 0 ? ['No changes.'] : lines);
}
