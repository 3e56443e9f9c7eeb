import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser } from '@playwright/test';
import { listDocuments, readDocument } from '#shared/contract/documents.ts';
import type { PortalCustomer } from '#ship/demo/portal-customer.ts';
import type { ProductPlace } from './product.ts';

/** A page that draws the first page of a PDF file; only this browser knows its address. */
const origin = 'http://paper.invalid';
const page = `<!doctype html><style>body{margin:0}</style><canvas></canvas><script type="module">
import { getDocument, GlobalWorkerOptions } from '/pdf.mjs';
GlobalWorkerOptions.workerSrc = '/pdf.worker.mjs';
const file = await getDocument('/paper.pdf').promise;
const sheet = await file.getPage(1);
const viewport = sheet.getViewport({ scale: 1280 / sheet.getViewport({ scale: 1 }).width });
const canvas = document.querySelector('canvas');
canvas.width = viewport.width;
canvas.height = viewport.height;
await sheet.render({ canvas, viewport }).promise;
document.title = 'drawn';
</script>`;

/** Takes a picture of the latest invoice of a customer. */
export async function pictureInvoice(
  place: ProductPlace,
  browser: Browser,
  customer: PortalCustomer,
  file: string,
): Promise<void> {
  const { documents } = await customer.send(listDocuments, {});
  const invoice = documents.find(({ kind }) => kind === 'INVOICE');
  if (invoice === undefined) throw new Error(`${customer.name} has no invoice`);
  const { downloadUrl } = await customer.send(readDocument, {
    params: { documentId: invoice.id },
    query: { version: 'current' },
  });
  const pdf = Buffer.from(await (await fetch(new URL(downloadUrl, place.portalUrl))).arrayBuffer());

  const { resolve } = createRequire(import.meta.url);
  const script = (name: string) => readFileSync(resolve(`pdfjs-dist/legacy/build/${name}`));
  const javascript = 'text/javascript';
  const tab = await browser.newPage({ viewport: { width: 1280, height: 1200 } });
  await tab.route(`${origin}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/paper.pdf') return route.fulfill({ body: pdf, contentType: 'application/pdf' });
    if (pathname === '/') return route.fulfill({ body: page, contentType: 'text/html' });
    return route.fulfill({ body: script(pathname.slice(1)), contentType: javascript });
  });
  await tab.goto(`${origin}/`);
  await tab.waitForFunction(() => document.title === 'drawn');
  await tab.screenshot({ path: file });
  await tab.close();
}
