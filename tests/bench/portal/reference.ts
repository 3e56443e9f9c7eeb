import { createServer } from 'node:http';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { migrate } from '#shared/database/migrate.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { buildApp } from '#server/app.ts';
import { findRenderer } from '#server/public-pages/renderer.ts';
import { say, startServer, writeTable } from './fill.ts';
import { startPortal } from './portal.ts';
import { spread, spreadText } from './spread.ts';

/**
 * The public reference of a large OpenAPI document: how long its pages take, and how long the portal serves nobody meanwhile. Writes the table to
 * docs/performance.md. Needs a build (`npm run build`).
 */
const { values: options } = parseArgs({
  options: {
    operations: { type: 'string', default: '2600' },
    write: { type: 'boolean', default: false },
  },
});
const operations = Number(options.operations);
const tags = 60;

const schemaOf = (index: number) => ({
  'application/json': { schema: { $ref: `#/components/schemas/Record${index % 800}` } },
});

/** About 6 MB with 2,600 operations, whose schemas lead to each other. */
function largeDocument(): object {
  const text = 'What this part of a record says, and when it is left out. '.repeat(3);
  const field = (index: number) => ({ type: 'string', description: text, example: `value ${index}` });
  const schemas = Object.fromEntries(
    Array.from({ length: 800 }, (_, index) => [
      `Record${index}`,
      {
        type: 'object',
        properties: {
          ...Object.fromEntries(Array.from({ length: 14 }, (_field, at) => [`field${at}`, field(at)])),
          next: { $ref: `#/components/schemas/Record${(index + 1) % 800}` },
          others: { type: 'array', items: { $ref: `#/components/schemas/Record${(index * 7 + 3) % 800}` } },
        },
      },
    ]),
  );
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, index) => [
      `/resource${index % tags}/things${index}/{id}`,
      {
        post: {
          operationId: `changeThing${index}`,
          tags: [`Resource ${index % tags}`],
          summary: `Change thing ${index} of resource ${index % tags}`,
          description: text.repeat(3),
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: text }],
          requestBody: { content: schemaOf(index) },
          responses: { 200: { description: text, content: schemaOf(index + 1) } },
        },
      },
    ]),
  );
  return { openapi: '3.0.3', info: { title: 'Large', version: '1' }, paths, components: { schemas } };
}

async function serve(body: Buffer) {
  const http = createServer((request, response) => {
    if (request.headers['if-none-match'] === '"large"') response.statusCode = 304;
    response.setHeader('etag', '"large"');
    response.end(response.statusCode === 304 ? undefined : body);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { url: `http://127.0.0.1:${address.port}`, close: () => http.close() };
}

async function main(): Promise<void> {
  const body = Buffer.from(JSON.stringify(largeDocument()));
  const gateway = await serve(body);
  const publicPages = findRenderer(projectFolder('build', 'public-pages'));
  if (publicPages === undefined) throw new Error('There is no build of the pages: npm run build');
  const { databaseUrl, stop } = await startServer();
  await migrate(databaseUrl);
  const at = await startPortal(databaseUrl);
  const [product] = at.portal.catalog.products;
  const portal = {
    ...at.portal,
    catalog: { ...at.portal.catalog, products: product === undefined ? [] : [product] },
    settings: { ...at.portal.settings, gatewayUrl: gateway.url },
  };
  const app = await buildApp(portal, { publicPages });
  const read = async (url: string): Promise<{ ms: number; bytes: number }> => {
    const began = performance.now();
    const { statusCode, rawPayload } = await app.inject({ url, headers: { 'accept-encoding': 'identity' } });
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`);
    return { ms: performance.now() - began, bytes: rawPayload.length };
  };
  const rows = ['| | p50 (p95) | longest pause of the event loop |', '|---|---:|---:|'];
  const measure = async (name: string, urls: readonly string[]): Promise<void> => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const taken: number[] = [];
    let bytes = 0;
    for (const url of urls) {
      const { ms, bytes: size } = await read(url);
      taken.push(ms);
      bytes = Math.max(bytes, size);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    delay.disable();
    rows.push(
      `| ${name}, up to ${Math.ceil(bytes / 1000)} KB | ${spreadText(spread(taken))} | ${(delay.max / 1e6).toFixed(0)} ms |`,
    );
    say(rows.at(-1) ?? '');
  };
  const base = `/apis/${product?.id}`;
  const pages = Array.from({ length: 100 }, (_, index) => `${base}/reference/changeThing${index * 26}`);
  say(`${(body.length / 1e6).toFixed(1)} MB, ${operations} operations`);
  try {
    await measure('the first page after a start, with reading the document', [`${base}/reference`]);
    await measure('an operation, first made', pages);
    await measure('an operation, from the cache', pages);
    await measure(
      'the list of tags',
      Array.from({ length: 50 }, () => `${base}/reference`),
    );
    await measure(
      'the operations of a tag, first made',
      Array.from({ length: tags }, (_, index) => `${base}/tags/Resource-${index}`),
    );
    await measure('sitemap.xml', ['/sitemap.xml']);
    await measure('llms.txt', ['/llms.txt']);
    await measure('llms-full.txt', ['/llms-full.txt']);
    await measure('the first search, with making its index', ['/search?q=resource']);
    await measure(
      'a search',
      Array.from({ length: 100 }, (_, index) => `/search?q=change+thing+${index * 7}`),
    );
    if (options.write)
      writeTable('reference', [
        `${(body.length / 1e6).toFixed(1)} MB, ${operations} operations, ${tags} tags:`,
        '',
        ...rows,
      ]);
  } finally {
    await app.close();
    await at.close();
    await stop();
    gateway.close();
  }
}

await main();
