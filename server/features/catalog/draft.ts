import { isProductFile } from '#catalog/catalog.ts';
import { draftElsewhere } from '#catalog/draft-elsewhere.ts';
import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import { applyCatalog } from '#shared/contract/operator/catalog.ts';
import { newestCatalogVersion, readCatalogVersion } from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { createTurns } from '#server/http/turns.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

const limits = { timeoutMs: 25_000, maxMemoryMb: 512 };
/** What applyCatalog would refuse is no use. */
const maxChars = applyCatalog.maxBytes - 100_000;

/** One process at a time, beside a portal that may have little memory. */
const takeTurn = createTurns({ atOnce: 1, ofOwner: 1, waiting: 2 });

/** A product made from an OpenAPI document, behind those that are on sale; or one of those, sold by this document. */
export async function draftFor(
  db: Db,
  { document, replaces, ...choices }: OperatorInput<'draftProduct'>,
): Promise<OperatorReply<'draftProduct'>> {
  const version = await newestCatalogVersion(db);
  const all = version === undefined ? new Map<string, Buffer>() : await readCatalogVersion(db, version);
  const files = new Map([...all].filter(([path]) => replaces || isProductFile(path)));
  const answer = await takeTurn('', () => draftElsewhere({ document, choices, files, maxChars }, limits));
  if ('tooLarge' in answer)
    throw new OperatorRefusal(
      'The document is too large to be read here. Import it with: octroi catalog import',
      'invalid_request',
    );
  if ('fault' in answer) throw new OperatorRefusal(answer.fault, 'invalid_request');
  const { draft, compared } = answer;
  const taken = draft.files.find(({ path }) => all.has(path));
  if (taken !== undefined && !(replaces && draft.isReplacement))
    throw new OperatorRefusal(
      `${taken.path} is in the catalogue already. Choose another id, or replace the product that it belongs to.`,
    );
  return { ...draft, compared };
}
