import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRenderer, type Renderer } from '#shared/paper/renderer.ts';
import { testBounds } from '#shared/paper/test-renderer.ts';
import { maxFaults, problem } from '#products/http/problem.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { partiesExample } from '#products/invoicing/invoice-request.ts';
import { quietLog, testNow } from '#products/test-products.ts';

vi.setConfig({ testTimeout: 120_000 });

let server: ProductServer;
let renderer: Renderer;
beforeAll(async () => {
  renderer = createRenderer(testBounds, pino({ enabled: false }));
  server = await createInvoicing({
    gatewayUrl: 'http://localhost:4100',
    registrar: undefined,
    store: undefined,
    renderer,
    now: testNow,
    log: quietLog,
  });
});
afterAll(() => Promise.all([server.close(), renderer.stop()]));

const item = { description: 'API access', hsn: '998319', unitPrice: 1000, gstRate: 18 };
const invoice = { ...partiesExample, document: { number: 'A1', date: '2026-11-02' }, items: [item] };

async function post(path: string, payload: string | object, headers: Record<string, string> = {}) {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const response = await server.inject({
    method: 'POST',
    url: path,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.statusCode, bytes: response.rawPayload.length, problem: problem.parse(response.json()) };
}

test('a body of a hundred thousand fields is one short error on every path', async () => {
  const fields = JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, field) => [field, 0])));
  for (const path of ['/v1/invoices/compute', '/v1/invoices/pdf', '/v1/e-invoices', '/v1/e-way-bills/prepare']) {
    const refused = await post(path, fields);
    expect(refused).toMatchObject({ status: 422, problem: { errors: [{ pointer: '' }] } });
    expect(refused.bytes).toBeLessThan(1000);
  }
  expect(await post('/v1/numbers', fields, { 'idempotency-key': 'a' })).toMatchObject({ status: 413 });
  expect(await post('/v1/e-invoices/x/cancel', fields)).toMatchObject({ status: 413 });
});

test('a text far above its length is refused for its length alone, whatever it is made of', async () => {
  for (const path of ['/v1/invoices/compute', '/v1/invoices/pdf', '/v1/e-way-bills/prepare']) {
    const name = 'ᱚ'.repeat(300_000);
    const refused = await post(path, { ...invoice, recipient: { ...partiesExample.recipient, name } });
    expect(refused).toMatchObject({
      status: 422,
      problem: { errors: [{ pointer: '/recipient/name', message: expect.stringContaining('Too big') }] },
    });
  }
});

test('letters that a PDF cannot show are named at their field', async () => {
  const { address } = partiesExample.recipient;
  const refused = await post('/v1/invoices/pdf', {
    ...invoice,
    recipient: { ...partiesExample.recipient, name: '東京 Traders', address: { ...address, line1: '12 ᱥᱟᱱᱛᱟᱲᱤ' } },
    items: [{ ...item, description: 'API access 🙂' }],
  });
  expect(refused).toMatchObject({
    status: 422,
    problem: {
      errors: [
        { pointer: '/recipient/name', message: expect.stringContaining('“東” (U+6771)') },
        { pointer: '/items/0/description', message: expect.stringContaining('“🙂” (U+1F642)') },
      ],
    },
  });
});

test('of many errors the first thousand are told', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 50 }, (_, field) => [`x${field}`, 0]));
  const refused = await post('/v1/invoices/compute', {
    ...invoice,
    items: Array.from({ length: 500 }, () => ({ ...item, ...wrong })),
  });
  expect(refused).toMatchObject({ status: 422, problem: { detail: expect.stringContaining('(and many more, see') } });
  expect(refused.problem.errors).toHaveLength(maxFaults);
});

test('what no document can hold is refused where it stands, on every path alike', async () => {
  const cut = { ...invoice, items: [item, { ...item, description: 'Paper \ud83e' }] };
  for (const path of ['/v1/invoices/compute', '/v1/invoices/pdf']) {
    const refused = await post(path, cut);
    expect(refused).toMatchObject({ status: 422, problem: { errors: [{ pointer: '/items/1/description' }] } });
  }
  const registration = { irn: 'a'.repeat(64), ackNumber: '1', ackAt: '2026-11-21', signedQrCode: 'é'.repeat(1500) };
  expect(await post('/v1/invoices/pdf', { ...invoice, paper: { registration } })).toMatchObject({
    status: 422,
    problem: { errors: [{ pointer: '/paper/registration/signedQrCode' }] },
  });
  const deep = `{"items":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  expect(await post('/v1/invoices/pdf', deep)).toMatchObject({ status: 422 });
});

test('a path that does not exist is a 404, whatever its Idempotency-Key', async () => {
  expect(await post('/v1/nope', {}, { 'idempotency-key': 'x'.repeat(8000) })).toMatchObject({ status: 404 });
});
