import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The text of a PDF file, all pages in order. */
export async function textOfPdf(file: string): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(readFileSync(file)), verbosity: 0 }).promise;
  const texts: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    texts.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  return texts.join('\n');
}

/** The text of the invoice that the first button for one downloads. */
export async function textOfInvoice(page: Page): Promise<string> {
  const downloads = page.waitForEvent('download');
  await page
    .getByRole('main')
    .getByRole('button', { name: /invoice/i })
    .first()
    .click();
  return textOfPdf(await (await downloads).path());
}
