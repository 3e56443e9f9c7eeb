import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { startEmbedded } from '#shared/database/embedded.ts';
import { fillDemo } from '#ship/demo/fill.ts';
import { signInCustomer } from '#ship/demo/portal-customer.ts';
import type { Outlines } from './outline.ts';
import { pictureInvoice } from './picture-of-paper.ts';
import { consoleScreens, takeConsole } from './pictures-of-console.ts';
import type { ProductPlace } from './product.ts';
import { screens } from './screens.ts';
import { looks, takeScreens } from './take-screens.ts';

export const documentationPictures = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
/** The outlines of the pages as they were when the pictures were taken. */
export const outlinesFile = join(documentationPictures, 'outlines.txt');

/** Gives a running product the demo's customers with their history. */
export async function fillWithDemo(product: ProductPlace): Promise<void> {
  const { dataDir } = product;
  // It is already running: this attaches to it.
  const database = await startEmbedded({ dataDir, logFile: join(dataDir, 'logs', 'postgres.log') });
  await fillDemo(product, database.databaseUrl);
}

/** Takes the documentation's pictures of a product with the demo's history into a folder, and returns their outlines as one text. */
export async function takeDocumentation(product: ProductPlace, browser: Browser, folder: string): Promise<string> {
  const inLooks = looks.slice(0, 1);
  const outlines: Outlines = {};
  for (const look of inLooks) {
    const of = screens.filter(({ inDocs }) => inDocs);
    Object.assign(outlines, await takeScreens(product, browser, { look, folder, of, isWhole: false }));
  }
  const of = consoleScreens.slice(0, 1);
  Object.assign(outlines, await takeConsole(product, browser, { of, inLooks, folderOf: () => folder }));
  const asha = await signInCustomer(product, { account: 'asha' });
  await pictureInvoice(product, browser, asha, join(folder, 'invoice.png'));
  return Object.entries(outlines)
    .map(([name, outline]) => `# ${name}\n${outline}\n`)
    .join('\n');
}
