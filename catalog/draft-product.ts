import { idOf, importOpenApi, type ImportChoices, type ImportedProduct } from './import-openapi.ts';
import { listOperations, type OpenApiDocument } from './openapi-document.ts';
import { readOpenApi } from './read-openapi.ts';
import { choicesOf, withDocument } from './sold-product.ts';

/** A product made from an OpenAPI document, with its files. */
export interface DraftedProduct extends Omit<ImportedProduct, 'yaml' | 'openApiFile'> {
  /** What it sells. */
  operations: { method: string; path: string; summary: string | null }[];
  /** The product file, and the document beside it; in base64. */
  files: { path: string; content: string }[];
}

const contentOf = (content: string): string => Buffer.from(content).toString('base64');

/** What a document sells. */
export const operationsOf = (document: OpenApiDocument): DraftedProduct['operations'] =>
  listOperations(document).sold.map(({ method, path, operation }) => ({
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? null,
  }));

/**
 * Throws ImportFault when the document, a text in JSON or YAML, can't become a product. `onSale`: product files by their path; the one that has
 * the draft's id gets the document, and stays as it is otherwise.
 */
export function draftProduct(
  text: string,
  choices: ImportChoices,
  onSale: Readonly<Record<string, string>> = {},
): DraftedProduct {
  const document = readOpenApi(text);
  const path = `${idOf(document, choices)}.yaml`;
  const sold = onSale[path];
  const imported = importOpenApi(document, sold === undefined ? choices : chosenOver(choicesOf(sold), choices));
  const { yaml, openApiFile, ...draft } =
    sold === undefined ? imported : { ...imported, ...withDocument(sold, imported) };
  return {
    ...draft,
    operations: operationsOf(document),
    files: [
      { path, content: contentOf(yaml) },
      { path: openApiFile, content: contentOf(`${JSON.stringify(document, null, 1)}\n`) },
    ],
  };
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
