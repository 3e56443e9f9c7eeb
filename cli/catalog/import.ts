import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { productFilesIn, readCatalog } from '#catalog/catalog-files.ts';
import { draftProduct, type DraftedProduct } from '#catalog/draft-product.ts';
import { nextPosition, productsIfSound } from '#catalog/next-position.ts';
import { ImportFault } from '#catalog/read-openapi.ts';
import { CommandFailed, printResult } from '#cli/command-result.ts';
import { fileReason } from '#shared/platform/file-reason.ts';
import { makeWritableFolder } from '#shared/platform/make-folder.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { readText, ResponseTooLong } from '#shared/platform/read-response.ts';
import { refuseReleaseFolder } from '#shared/platform/release-folder.ts';

export interface ImportOptions {
  folder: string;
  id?: string;
  upstream?: string;
  replace?: boolean;
  json?: boolean;
}

const maxBytes = 32 * 1024 * 1024;
const timeoutMs = 30_000;

/** `octroi catalog import`: writes the product file and its OpenAPI document, and says what is left to fill in. */
export async function importProduct(source: string, options: ImportOptions): Promise<void> {
  refuseReleaseFolder(options.folder, process.env);
  makeWritableFolder(options.folder);
  const { id, files, remaining, isReplacement } = draft(await readSource(source), source, options);
  const [productFile = '', documentFile = ''] = files.map(({ path }) => join(options.folder, path));
  if (isReplacement && options.replace !== true)
    throw new CommandFailed(`${productFile} exists. Choose another id with --id, or replace it with --replace.`);
  // The product last: without its document it would have a fault.
  for (const { path, content } of files.toReversed())
    writeFileSync(join(options.folder, path), Buffer.from(content, 'base64'));
  printResult(options.json, { id, files: [productFile, documentFile], remaining }, [
    `Written: ${productFile}`,
    `         ${documentFile}`,
    '',
    'Left to do:',
    ...remaining.map((each) => `  - ${each}`),
    '',
    'Then run: octroi catalog check',
  ]);
}

function draft(text: string, source: string, { folder, id, upstream }: ImportOptions): DraftedProduct {
  try {
    const choices = {
      position: nextPosition(
        productsIfSound(() => readCatalog(folder)),
        existsSync(folder) ? productFilesIn(folder).length : 0,
      ),
      source: isAddress(source) ? source : undefined,
      id,
      upstreamUrl: upstream?.replace(/\/+$/, ''),
    };
    return draftProduct(text, choices, productsIn(folder));
  } catch (error) {
    if (error instanceof ImportFault) throw new CommandFailed(error.message);
    throw error;
  }
}

/** The product files of a folder by their name. */
const productsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(productFilesIn(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));

const isAddress = (source: string): boolean => /^https?:\/\//.test(source);

async function readSource(source: string): Promise<string> {
  if (!isAddress(source)) {
    try {
      return readFileSync(source, 'utf8');
    } catch (error) {
      throw new CommandFailed(`${source} can't be read: ${fileReason(error)}.`);
    }
  }
  const cannotBeRead = (error: unknown): never => {
    if (error instanceof ResponseTooLong) throw new CommandFailed(`${source} is larger than 32 MB.`);
    throw new CommandFailed(`${source} cannot be read: ${reasonOf(error)}.`);
  };
  const response = await fetch(source, { signal: AbortSignal.timeout(timeoutMs) }).catch(cannotBeRead);
  if (!response.ok) throw new CommandFailed(`${source} responds with status ${response.status}.`);
  return readText(response, maxBytes).catch(cannotBeRead);
}
