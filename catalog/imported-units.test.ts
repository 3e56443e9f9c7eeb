import { expect, test } from 'vitest';
import { importOpenApi } from './import-openapi.ts';
import { readOpenApi } from './read-openapi.ts';

/** Imports a document of one operation. */
function importShops(units?: unknown, id?: string) {
  const operation = { 'x-octroi-units': units, responses: { 200: { description: 'Shops' } } };
  const document = { openapi: '3.0.3', info: { title: 'Shops' }, paths: { '/v1/shops': { get: operation } } };
  const choices = { position: 1, upstreamUrl: 'http://127.0.0.1:9', ...(id === undefined ? {} : { id }) };
  return importOpenApi(readOpenApi(JSON.stringify(document)), choices);
}

test.each([
  ['ten', 'GET /v1/shops has x-octroi-units "ten"'],
  ['10', 'GET /v1/shops has x-octroi-units "10"'],
  [0.5, 'GET /v1/shops has x-octroi-units 0.5'],
  [-1, 'GET /v1/shops has x-octroi-units -1'],
  [2_000_000, 'GET /v1/shops has x-octroi-units 2000000: write a whole number from 0 to 1,000,000.'],
])(
  'x-octroi-units %j is refused: the operation would cost one unit, or its file would have a fault',
  (units, message) => {
    expect(() => importShops(units)).toThrow(message);
  },
);

test.each(['../shops', 'My shops', 'x'])('the id %j is refused: it names the files of the product', (id) => {
  expect(() => importShops(undefined, id)).toThrow(`${JSON.stringify(id)} is no id`);
});
