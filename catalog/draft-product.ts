import { importOpenApi, type ImportChoices, type ImportedProduct } from './import-openapi.ts';
import { listOperations } from './openapi-document.ts';
import { readOpenApi } from './read-openapi.ts';

/** A product made from an OpenAPI document, with its files. */
export interface DraftedProduct extends Omit<ImportedProduct, 'yaml' | 'openApiFile'> {
  /** What it sells. */
  operations: { method: string; path: string; summary: string | null }[];
  /** The product file, and the document beside it; in base64. */
  files: { path: string; content: string }[];
}

const contentOf = (content: string): string => Buffer.from(content).toString('base64');

/** Throws ImportFault when the document, a text in JSON or YAML, can't become a product. */
export function draftProduct(text: string, choices: ImportChoices): DraftedProduct {
  const document = readOpenApi(text);
  const { yaml, openApiFile, ...imported } = importOpenApi(document, choices);
  return {
    ...imported,
    operations: listOperations(document).sold.map(({ method, path, operation }) => ({
      method: method.toUpperCase(),
      path,
      summary: operation.summary ?? null,
    })),
    files: [
      { path: `${imported.id}.yaml`, content: contentOf(yaml) },
      { path: openApiFile, content: contentOf(`${JSON.stringify(document, null, 1)}\n`) },
    ],
  };
}
