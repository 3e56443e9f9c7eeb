import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { productFilesIn } from '#catalog/catalog-files.ts';
import { draftElsewhere } from '#catalog/draft-elsewhere.ts';
import type { DraftedProduct } from '#catalog/draft-product.ts';
import { CommandFailed, printResult } from '#cli/command-result.ts';
import { fileReason } from '#shared/platform/file-reason.ts';
import { makeWritableFolder } from '#shared/platform/make-folder.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { readText, ResponseTooLong } from '#shared/platform/read-response.ts';
import { refuseReleaseFolder } from '#shared/platform/release-folder.ts';
import { ProcessFault } from '#shared/platform/worker-program.ts';

export interface ImportOptions {
  folder: string;
  id?: string;
  upstream?: string;
  replace?: boolean;
  json?: boolean;
}

const maxBytes = 32 * 1024 * 1024;
const timeoutMs = 30_000;
/** Of drafting it. */
const limits = { timeoutMs: 120_000, maxMemoryMb: 2048 };

/** `octroi catalog import`: writes the product file and its OpenAPI document, and says what is left to fill in. */
export async function importProduct(source: string, options: ImportOptions): Promise<void> {
  refuseReleaseFolder(options.folder, process.env);
  makeWritableFolder(options.folder);
  const { id, files, remaining, isReplacement } = await draft(await readSource(source), source, options);
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

async function draft(text: string, source: string, { folder, id, upstream }: ImportOptions): Promise<DraftedProduct> {
  const choices = {
    source: isAddress(source) ? source : undefined,
    id,
    upstreamUrl: upstream?.replace(/\/+$/, ''),
  };
  const task = { document: text, choices, files: productsIn(folder), maxChars: Number.POSITIVE_INFINITY };
  const answer = await draftElsewhere(task, limits).catch((error: unknown) => {
    if (!(error instanceof ProcessFault)) throw error;
    const [reason = 'no reason was given'] = /^\w*Error: .*$/m.exec(error.message) ?? [];
    throw new CommandFailed(
      `${source} can't be read, which is a fault of Octroi (${reason}). Nothing was written; please report it with the document.`,
    );
  });
  if ('tooLarge' in answer)
    throw new CommandFailed(
      `${source} is too large, or nested too deeply, to be read within ${limits.timeoutMs / 1000} seconds and ${limits.maxMemoryMb} MB. ` +
        'Nothing was written.',
    );
  if ('fault' in answer) throw new CommandFailed(answer.fault);
  return answer.draft;
}

/** The product files of a folder by their name. */
const productsIn = (folder: string): Map<string, Buffer> =>
  new Map(productFilesIn(folder).map((file) => [file, readFileSync(join(folder, file))]));

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
