import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCatalog } from './catalog-files.ts';
import { importOpenApi } from './import-openapi.ts';
import { readOpenApi } from './read-openapi.ts';
import { emptyCatalog } from './test-catalog.ts';

test('operations marked x-internal decide nothing of the product, and are refused', () => {
  const oauth = [{ other: [] }];
  const document = {
    openapi: '3.1.0',
    info: { title: 'Mini', description: 'A small API.' },
    servers: [{ url: 'https://mini.internal' }],
    paths: {
      '/v1/a': { get: { security: [{ own: [] }] } },
      '/v1/admin/flush': { delete: { 'x-internal': true, security: oauth } },
      '/admin/purge': { 'x-internal': true, delete: { security: oauth, 'x-octroi-units': 3 } },
    },
    components: {
      securitySchemes: { own: { type: 'apiKey', in: 'header', name: 'X-K' }, other: { type: 'oauth2' } },
    },
  };
  const text = JSON.stringify(document);
  const imported = importOpenApi(readOpenApi(text), { position: 1 });
  const folder = emptyCatalog();
  writeFileSync(join(folder, imported.openApiFile), text);
  writeFileSync(join(folder, `${imported.id}.yaml`), imported.yaml);
  expect(readCatalog(folder).products[0]).toMatchObject({
    gateway: { paths: 'versioned', credentials: [{ name: 'X-K' }] },
    metered: [],
    refused: [{ path: '/v1/admin/flush' }, { path: '/admin/purge' }],
    documented: [{ method: 'GET', path: '/v1/a' }],
  });
  const told = imported.remaining.filter((line) => line.includes('x-internal'));
  expect(told).toEqual([expect.stringMatching(/^DELETE \/v1\/admin\/flush, DELETE \/admin\/purge: .*404/)]);
  const open = text.replaceAll('"x-internal":true', '"x-internal":false');
  expect(importOpenApi(readOpenApi(open), { position: 1 }).remaining.join('\n')).toMatch(
    /DELETE .*Customers can make these calls all the same/,
  );
});
