import { compareCatalogs } from '#catalog/compare-catalogs.ts';
import { printResult } from '#cli/command-result.ts';
import { asReader } from '#server/operator-context.ts';
import { proposeFolder } from '#server/catalog-proposal.ts';
import { readSoundCatalog } from './check.ts';
import { describeChanges, describeProposal } from './versions.ts';

interface DiffOptions {
  from: string;
  running?: boolean;
  json?: boolean;
}

/** `octroi catalog diff`: what a changed catalogue changes, and for whom. Without a folder: what CATALOG_DIR changes of what is on sale. */
export async function diffCatalogs(folder: string | undefined, { from, running, json }: DiffOptions): Promise<void> {
  const compared = folder ?? from;
  const catalog = readSoundCatalog(compared, json);
  if (folder === undefined || running === true) {
    const proposal = await asReader((db) => proposeFolder(db, compared));
    const { changes, prices, unreadable } = proposal;
    printResult(json, { changes, prices, unreadable }, describeProposal(proposal));
    return;
  }
  const changes = compareCatalogs(readSoundCatalog(from, json), catalog);
  printResult(json, { changes }, changes.length === 0 ? ['No changes.'] : describeChanges(changes));
}
