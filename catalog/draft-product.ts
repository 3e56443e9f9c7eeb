import { parseDocument, isMap } from 'yaml';
import { idOf, importOpenApi, type ImportChoices, type ImportedProduct } from './import-openapi.ts';
import { listOperations, type OpenApiDocument } from './openapi-document.ts';
import { ImportFault, readOpenApi } from './read-openapi.ts';
import { choicesOf, withDocument } from './sold-product.ts';

/** A product made from an OpenAPI document, with its files. */
export interface DraftedProduct extends Omit<ImportedProduct, 'yaml' | 'openApiFile' | 'documentNotes'> {
  /** Whether it is a product on sale with a new document. */
  isReplacement: boolean;
  /** What it sells. */
  operations: { method: string; path: string; summary: string | null }[];
  /** The product file, and the document beside it; in base64. */
  files: { path: string; content: string }[];
}

const contentOf = (content: string): string => Buffer.from(content).toString('base64');

/** A new product stands behind all others. */
export type DraftChoices = Omit<ImportChoices, 'position'>;

/** What a document sells. */
export const operationsOf = (document: OpenApiDocument): DraftedProduct['operations'] =>
  listOperations(document).sold.map(({ method, path, operation }) => ({
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? null,
  }));

/**
 * Throws ImportFault when the document, a text in JSON or YAML, can't become a product. `onSale`: product files by their path; the one with the
 * draft's id, whatever the file's name, gets the document, and stays as it is otherwise.
 */
export function draftProduct(
  text: string,
  given: DraftChoices,
  onSale: Readonly<Record<string, string>>,
): DraftedProduct {
  const document = readOpenApi(text);
  const id = idOf(document, given);
  const heads = Object.entries(onSale).map(([path, sold]) => ({ path, sold, ...headOf(sold) }));
  // One whose place can't be read has room for one more behind it, too.
  const places = heads.map(({ position }) => (typeof position === 'number' ? position : heads.length));
  const choices = { ...given, position: Math.max(0, ...places) + 1 };
  const { path = `${id}.yaml`, sold } = heads.find((each) => each.id === id) ?? {};
  if (sold === undefined && path in onSale)
    throw new ImportFault(`${path} is the file of another product. Choose another id (--id).`);
  const imported = importOpenApi(document, sold === undefined ? choices : chosenOver(choicesOf(sold), choices));
  const made = sold === undefined ? imported : { ...imported, ...withDocument(sold, imported, document) };
  const other = heads.find((each) => each.path !== path && each.document === made.openApiFile);
  if (other !== undefined)
    throw new ImportFault(`${made.openApiFile} is the document of ${other.path}. Choose another id (--id).`);
  const { yaml, openApiFile, documentNotes: _, ...draft } = made;
  return {
    ...draft,
    isReplacement: sold !== undefined,
    operations: operationsOf(document),
    files: [
      { path, content: contentOf(yaml) },
      { path: openApiFile, content: contentOf(`${JSON.stringify(document, null, 1)}\n`) },
    ],
  };
}

function headOf(productFile: string): { id: unknown; position: unknown; document: unknown } {
  const { contents } = parseDocument(productFile);
  const field = (...path: string[]): unknown => (isMap(contents) ? contents.getIn(path) : undefined);
  return { id: field('id'), position: field('position'), document: field('openapi', 'file') };
}

const chosenOver = (
  decided: Partial<ImportChoices>,
  { name, gatewayPath, upstreamUrl, plans, ...choices }: ImportChoices,
) => ({
  ...choices,
  name: name ?? decided.name,
  gatewayPath: gatewayPath ?? decided.gatewayPath,
  upstreamUrl: upstreamUrl ?? decided.upstreamUrl,
  plans: plans ?? decided.plans,
});
