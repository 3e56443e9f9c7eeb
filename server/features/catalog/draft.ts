import { z } from 'zod';
import { catalogOf, isProductFile, type Product } from '#catalog/catalog.ts';
import type { ImportChoices } from '#catalog/import-openapi.ts';
import { nextPosition, productsIfSound } from '#catalog/next-position.ts';
import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import { draftProduct } from '#shared/contract/operator/catalog.ts';
import { newestCatalogVersion, readCatalogVersion } from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { askProcess } from '#shared/platform/ask-process.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { ProcessFault } from '#shared/platform/worker-program.ts';
import { createTurns } from '#server/http/turns.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { tooLarge } from './too-large.ts';

type Input = OperatorInput<'draftProduct'>;

/** A product made from an OpenAPI document, behind those that are on sale; or one of those, sold by this document. */
export async function draftFor(
  db: Db,
  { document, replaces, ...given }: Input,
): Promise<OperatorReply<'draftProduct'>> {
  const version = await newestCatalogVersion(db);
  const files = version === undefined ? new Map<string, Buffer>() : await readCatalogVersion(db, version);
  const products = productsIfSound(() => catalogOf(files));
  const position = nextPosition(products, [...files.keys()].filter(isProductFile).length);
  const answer = await draftElsewhere({
    document,
    choices: { ...given, position },
    onSale: textsOf(files),
    documents: replaces ? documentsOf(products ?? []) : {},
  });
  if ('fault' in answer) throw new OperatorRefusal(answer.fault, 'invalid_request');
  const { draft, compared } = answer;
  const taken = draft.files.find(({ path }) => files.has(path));
  if (taken !== undefined && !(replaces && draft.isReplacement))
    throw new OperatorRefusal(
      `${taken.path} is in the catalogue already. Choose another id, or replace the product that it belongs to.`,
    );
  return { ...draft, compared };
}

/** The product files of a catalogue. */
const textsOf = (files: ReadonlyMap<string, Buffer>) =>
  Object.fromEntries(
    [...files].filter(([path]) => isProductFile(path)).map(([path, content]) => [path, content.toString()]),
  );

/** The OpenAPI documents that lie in the catalogue, by the ids of their products. */
const documentsOf = (products: readonly Product[]): Record<string, string> =>
  Object.fromEntries(
    products.flatMap(({ id, openapi }) => ('content' in openapi ? [[id, openapi.content.toString()]] : [])),
  );

const answerSchema = z.union([
  z.object({
    draft: draftProduct.reply.omit({ compared: true }),
    compared: draftProduct.reply.shape.compared,
  }),
  z.object({ fault: z.string() }),
]);
const worker = {
  program: builtProgram('draft-worker'),
  answer: answerSchema,
  timeoutMs: 25_000,
  maxMemoryMb: 512,
};

/** One process at a time, beside a portal that may have little memory. */
const takeTurn = createTurns({ atOnce: 1, ofOwner: 1, waiting: 2 });

interface DraftTask {
  document: string;
  choices: ImportChoices;
  /** Product files that it may replace, by their path. */
  onSale: Readonly<Record<string, string>>;
  /** Their OpenAPI documents, by id. */
  documents: Readonly<Record<string, string>>;
}

/** In a process of its own: a large document takes seconds, in which the portal would serve nobody. */
async function draftElsewhere(task: DraftTask): Promise<z.output<typeof answerSchema>> {
  try {
    return await takeTurn('', () => askProcess(worker, task));
  } catch (error) {
    if (error instanceof ProcessFault && error.reason === 'too_much')
      throw new OperatorRefusal(tooLarge, 'invalid_request');
    throw error;
  }
}
