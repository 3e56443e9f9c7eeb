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
  choices: ImportChoices,
  onSale: Readonly<Record<string, string>>,
): DraftedProduct {
  const document = readOpenApi(text);
  const id = idOf(document, choices);
  const [path = `${id}.yaml`, sold] = Object.entries(onSale).find(([, file]) => idIn(file) === id) ?? [];
  if (sold === undefined && path in onSale)
    throw new ImportFault(`${path} is the file of another product. Choose another id (--id).`);
  const imported = importOpenApi(document, sold === undefined ? choices : chosenOver(choicesOf(sold), choices));
  const made = sold === undefined ? imported : { ...imported, ...withDocument(sold, imported, document) };
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

function idIn(productFile: string): unknown {
  const { contents } = parseDocument(productFile);
  return isMap(contents) ? contents.get('id') : undefined;
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
