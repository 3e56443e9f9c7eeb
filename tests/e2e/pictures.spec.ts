import { readFileSync } from 'node:fs';
import { fillWithDemo, outlinesFile, takeDocumentation } from './documentation-pictures.ts';
import { expect, startProduct, test } from './product.ts';

test('the demo fills a product, and the documentation’s pictures show its pages of today', async ({
  browser,
}, info) => {
  const product = await startProduct();
  try {
    await fillWithDemo(product);
    const outlines = await takeDocumentation(product, browser, info.outputPath());
    expect(outlines, 'A pictured page has changed: npm run pictures').toBe(readFileSync(outlinesFile, 'utf8'));
  } finally {
    await product.remove();
  }
});
