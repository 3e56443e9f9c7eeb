import { z } from 'zod';
import { catalogOf, isProductFile } from '#catalog/catalog.ts';
import type { ImportChoices } from '#catalog/import-openapi.ts';
import { nextPosition } from '#catalog/next-position.ts';
import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import { draftProduct } from '#shared/contract/operator/catalog.ts';
import { newestCatalogVersion, readCatalogVersion } from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { askProcess, ProcessFault } from '#shared/platform/ask-process.ts';
import { createTurns } from '#server/http/turns.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { tooLarge } from './too-large.ts';

type Input = OperatorInput<'draftProduct'>;

/** A product made from an OpenAPI document, behind those that are on sale. */
export async function draftFor(db: Db, { document, ...given }: Input): Promise<OperatorReply<'draftProduct'>> {
  const version = await newestCatalogVersion(db);
  const files = version === undefined ? new Map<string, Buffer>() : await readCatalogVersion(db, version);
  const position = nextPosition(() => catalogOf(files), [...files.keys()].filter(isProductFile).length);
  const answer = await draftElsewhere(document, { ...given, position });
  if ('fault' in answer) throw new OperatorRefusal(answer.fault, 'invalid_request');
  const taken = answer.draft.files.find(({ path }) => files.has(path));
  if (taken !== undefined)
    throw new OperatorRefusal(`${taken.path} is in the catalogue already. Choose another id, or change that file.`);
  return answer.draft;
}

const answerSchema = z.union([z.object({ draft: draftProduct.reply }), z.object({ fault: z.string() })]);
const worker = {
  folder: import.meta.dirname,
  worker: 'draft-worker',
  answer: answerSchema,
  timeoutMs: 25_000,
  maxMemoryMb: 512,
};

/** One process at a time, beside a portal that may have little memory. */
const takeTurn = createTurns({ atOnce: 1, ofOwner: 1, waiting: 2 });

/** In a process of its own: a large document takes seconds, in which the portal would serve nobody. */
async function draftElsewhere(document: string, choices: ImportChoices): Promise<z.output<typeof answerSchema>> {
  try {
    return await takeTurn('', () => askProcess(worker, { document, choices }));
  } catch (error) {
    if (error instanceof ProcessFault && error.reason === 'too_much')
      throw new OperatorRefusal(tooLarge, 'invalid_request');
    throw error;
  }
}
