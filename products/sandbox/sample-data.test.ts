import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testRenderer } from '#shared/paper/test-renderer.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { exampleRequest, partiesExample } from '#products/invoicing/invoice-request.ts';
import { createTaxLookup } from '#products/tax-lookup/app.ts';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import { quietLog, ratesFolder, testNow } from '#products/test-products.ts';

let lookup: ProductServer;
let invoicing: ProductServer;
/** Calls to the real systems, which a test call must never make. */
let asked = 0;
beforeAll(async () => {
  const parts = { gatewayUrl: 'http://localhost:4100', now: testNow, log: quietLog };
  lookup = await createTaxLookup({
    ...parts,
    table: readRateTable(ratesFolder),
    official: { source: { file: 'a', importedAt: 'b' }, descriptions: new Map([['73181500', 'Screws and bolts']]) },
    search: () => {
      asked += 1;
      return Promise.resolve(null);
    },
  });
  invoicing = await createInvoicing({ ...parts, registrar: undefined, store: undefined, renderer: testRenderer() });
});
afterAll(async () => {
  await lookup.close();
  await invoicing.close();
});

const asTest = { 'x-octroi-test': 'true' };

async function get(url: string, headers: Record<string, string> = asTest) {
  const response = await lookup.inject({ url, headers });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

test.each(['27ZZZCA0001A1Z4', '27ZZZCA0001A1Z5', '07zzzca0001a1z6', '99ZZZCA0001A1Z4', '27AAPFU0939F1ZV', 'short'])(
  'a test key checks the sample number %s as a live key does',
  async (gstin) => {
    const url = `/v1/gstin/${gstin}`;
    expect(await get(url)).toEqual(await get(url, {}));
    expect((await get(url)).status).toBe(200);
  },
);

test.each(['27AAACR5055K1Z7', '29AABCT1332L1ZU', '27AAACR5055K1Z8'])(
  'a test key gets no information about %s, which is not a sample',
  async (gstin) => {
    expect((await get(`/v1/gstin/${gstin}`, {})).status).toBe(200);
    expect(await get(`/v1/gstin/${gstin}`)).toMatchObject({ status: 404, body: { code: 'not-in-sandbox' } });
    const batch = await lookup.inject({
      method: 'POST',
      url: '/v1/gstin/validate',
      headers: asTest,
      payload: { gstins: ['27ZZZCA0001A1Z4', gstin] },
    });
    expect(batch.statusCode).toBe(422);
    expect(batch.json()).toMatchObject({ errors: [{ in: 'body', pointer: '/gstins/1' }] });
    expect(batch.body).not.toContain('checkCharacter');
  },
);

test.each(['1006', '24022010', '6403', '84713010', '998319'])(
  'a test key gets the rates of the sample code %s',
  async (code) => {
    const { body } = await get(`/v1/hsn/${code}?on=2026-03-01`);
    expect(body).toMatchObject({ rateStatus: 'curated', listed: null });
  },
);

test('a test key finds no code outside the sample, by number or by words', async () => {
  const real = await get('/v1/hsn?search=software&limit=50', {});
  const found = await get('/v1/hsn?search=software&limit=50');
  expect(Number(real.body['total'])).toBeGreaterThan(1);
  expect(found.body).toMatchObject({ total: 1, results: [{ code: '998319' }] });
  for (const code of ['8517', '998314', '73181500', '9963']) {
    expect((await get(`/v1/hsn/${code}`)).body).toMatchObject({
      rateStatus: 'not_curated',
      rates: [],
      otherPeriods: [],
      description: null,
    });
  }
  expect((await get('/v1/hsn?search=screws')).body).toMatchObject({ total: 0 });
  expect((await get('/v1/hsn/73181500', {})).body).toMatchObject({ listed: true });
});

test('a test key finds the sample PINs and no others', async () => {
  for (const pin of ['110001', '400053', '533464', '560001', '600001']) {
    const { body } = await get(`/v1/pin/${pin}`);
    expect(body).toMatchObject({ known: true });
    const { states } = (await get(`/v1/pin/${pin}`, {})).body;
    expect(body['states']).toEqual(expect.arrayContaining([states].flat()));
  }
  expect((await get('/v1/pin/560002', {})).body).toMatchObject({ known: true });
  expect((await get('/v1/pin/560002')).body).toEqual({ pin: '560002', known: false, states: [] });
});

test('a test key calls no government system for a taxpayer', async () => {
  expect((await get('/v1/taxpayers/27ZZZCA0001A1Z4')).status).toBe(200);
  expect((await get('/v1/taxpayers/27AAPFU0939F1ZV')).status).toBe(404);
  expect(asked).toBe(0);
  await get('/v1/taxpayers/27ZZZCA0001A1Z4', {});
  expect(asked).toBe(1);
});

/** The texts of the pages of a PDF. */
async function printed(headers: Record<string, string>, lines: number): Promise<string[]> {
  const [item] = exampleRequest.items;
  const payload = { ...exampleRequest, ...partiesExample, items: Array.from({ length: lines }, () => item) };
  const response = await invoicing.inject({ method: 'POST', url: '/v1/invoices/pdf', headers, payload });
  expect(response.statusCode).toBe(200);
  const document = await getDocument({ data: new Uint8Array(response.rawPayload), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((part) => ('str' in part ? part.str : '')).join(''));
  }
  return pages;
}

test('every page of a document printed with a test key says SPECIMEN, and none of a live key does', async () => {
  const pages = await printed(asTest, 60);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(page).toContain('SPECIMEN');
  for (const page of await printed({}, 60)) expect(page).not.toContain('SPECIMEN');
});
