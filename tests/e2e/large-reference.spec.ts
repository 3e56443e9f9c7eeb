import { openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

/** An API of `count` operations under `tags` tags; with a hundred fields each it has more than 5 MB. */
function largeDocument(count: number, tags: number): string {
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, field) => [
      `field${field}`,
      {
        type: 'string',
        description: `The ${field + 1}th field of a wide record, which an old system exports as it is.`,
      },
    ]),
  );
  const operation = (index: number) => ({
    operationId: `read${index}`,
    summary: `Read record ${index}`,
    tags: [`Tag ${index % tags}`],
    description: 'One of many operations that differ only by the record that they read. '.repeat(20),
    parameters: Array.from({ length: 8 }, (_, each) => ({
      name: `filter${each}`,
      in: 'query',
      schema: { type: 'string' },
    })),
    responses: {
      200: {
        description: 'The record.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Record' } } },
      },
    },
  });
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Records', version: '1' },
    paths: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`/v1/records${index}`, { get: operation(index) }]),
    ),
    components: { schemas: { Record: { type: 'object', properties } } },
  });
}

const countNodes = () => document.querySelectorAll('*').length;

test.describe('the reference of a document of 5 MB renders only what is looked at', () => {
  for (const tags of [1, 40]) {
    test(`with ${tags} tags`, async ({ page, visitor, product, isMobile }) => {
      const text = largeDocument(2600, tags);
      expect(text.length).toBeGreaterThan(5_000_000);
      await page.route(`${product.gatewayUrl}/gst-invoicing/openapi.json`, (route) =>
        route.fulfill({
          body: text,
          contentType: 'application/json',
          headers: { 'access-control-allow-origin': '*' },
        }),
      );
      const loading = page.waitForResponse('**/gst-invoicing/openapi.json');
      await openAs(page, visitor.customer, '/reference/invoicing-system');
      // To hand over 5 MB may take longer than to render them.
      await (await loading).finished();
      const nav = page.getByRole('navigation', { name: 'Endpoints' });
      const main = page.getByRole('main');
      await expect(main.getByRole('heading', { name: 'Endpoints' })).toBeVisible();
      expect(await page.evaluate(countNodes)).toBeLessThan(2000);

      // A tag opens with its first rows, and the next ones on demand.
      await main.locator('h3 button').first().click();
      const rows = main.getByRole('link', { name: /^Read record/ });
      const ofTag = 2600 / tags;
      await expect(rows).toHaveCount(Math.min(100, ofTag));
      if (ofTag > 100) {
        await main.getByRole('button', { name: 'Show 100 more of 2,500' }).click();
        await expect(rows).toHaveCount(200);
      }

      // A search that finds everything renders no more than that.
      if (isMobile) await nav.getByRole('button', { name: 'All endpoints' }).click();
      await nav.getByRole('searchbox').fill('record');
      await expect(nav.getByRole('link', { name: 'Read record 0' })).toBeVisible();
      expect(await nav.getByRole('link').count()).toBeLessThanOrEqual(1 + 100 + 65);
      await nav.getByRole('searchbox').fill('records2599');
      await nav.getByRole('link', { name: 'Read record 2599' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Read record 2599' })).toBeVisible();
      const fields = page.getByRole('list', { name: 'Response fields' }).getByRole('listitem');
      await expect(fields).toHaveCount(100);

      // Its own place in the list stays in sight without a search.
      if (isMobile) await nav.getByRole('button', { name: 'All endpoints' }).click();
      await nav.getByRole('searchbox').fill('');
      await expect(nav.getByRole('link', { name: 'Read record 2599' })).toHaveAttribute('aria-current', 'page');
      expect(await nav.getByRole('link').count()).toBeLessThanOrEqual(1 + 101);
    });
  }
});
