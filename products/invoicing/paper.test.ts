import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { isCounted } from '#shared/domain/metering.ts';
import { createRenderer, type Renderer, type RendererBounds } from '#shared/paper/renderer.ts';
import { testBounds } from '#shared/paper/test-renderer.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { CheckedBody } from '#products/http/checked-body.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { printedInvoice } from '#products/invoicing/invoice-paper.ts';
import { partiesExample } from '#products/invoicing/invoice-request.ts';
import { paperRequest } from '#products/invoicing/paper-request.ts';
import { quietLog, testNow } from '#products/test-products.ts';

vi.setConfig({ testTimeout: 120_000 });

let server: ProductServer;
let renderer: Renderer;
afterEach(() => Promise.all([server.close(), renderer.stop()]));

async function open(bounds: Partial<RendererBounds> = {}): Promise<void> {
  renderer = createRenderer({ ...testBounds, ...bounds }, pino({ enabled: false }));
  server = await createInvoicing({
    gatewayUrl: 'http://localhost:4100',
    registrar: undefined,
    store: undefined,
    renderer,
    now: testNow,
    log: quietLog,
  });
}

const item = { description: 'API access', hsn: '998319', unitPrice: 1000, gstRate: 18 };
const invoiceOf = (lines: number) => ({
  ...partiesExample,
  document: { number: 'A1', date: '2026-11-02' },
  items: Array.from({ length: lines }, () => item),
});
const post = (path: string, lines: number, activation = 'ACT-1') =>
  server.inject({
    method: 'POST',
    url: `/v1/invoices/${path}`,
    payload: invoiceOf(lines),
    headers: { 'x-octroi-activation': activation },
  });

test('computing responds while PDFs render', async () => {
  await open();
  const finished: string[] = [];
  const printing = [1, 2].map(() => post('pdf', 500).then(() => finished.push('pdf')));
  await vi.waitUntil(() => renderer.workerPids().length > 0, { timeout: 60_000 });
  for (let index = 0; index < 5; index += 1) {
    expect((await post('compute', 2)).statusCode).toBe(200);
    finished.push('compute');
  }
  await Promise.all(printing);
  expect(finished).toEqual([...Array<string>(5).fill('compute'), 'pdf', 'pdf']);
});

test('the single PDF of one activation does not wait for the PDFs of another one', async () => {
  await open();
  const finished: string[] = [];
  const print = async (activation: string) => {
    expect((await post('pdf', 60, activation)).statusCode).toBe(200);
    finished.push(activation);
  };
  const storm = Array.from({ length: 12 }, () => print('ACT-STORM'));
  await vi.waitUntil(() => renderer.workerPids().length > 0, { timeout: 60_000 });
  await Promise.all([...storm, print('ACT-OTHER')]);
  expect(finished.indexOf('ACT-OTHER')).toBeLessThanOrEqual(4);
});

test('a full queue gives 503 with Retry-After, which does not count', async () => {
  await open({ queueSize: 4 });
  const replies = await Promise.all([1, 2, 3, 4].map(() => post('pdf', 200)));
  const refused = replies.filter(({ statusCode }) => statusCode !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const reply of refused) {
    expect(reply.json()).toMatchObject({ status: 503, code: 'pdf-busy', title: 'Service Unavailable' });
    expect(reply.headers['content-type']).toContain('application/problem+json');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(isCounted(reply.statusCode)).toBe(false);
  }
});

test('a PDF that takes too long gives 504 with a code, which does not count', async () => {
  await open({ timeoutMs: 1 });
  const reply = await post('pdf', 500);
  expect(reply.json()).toMatchObject({ status: 504, code: 'pdf-too-slow', title: 'Gateway Timeout' });
  expect(isCounted(reply.statusCode)).toBe(false);
});

const send = (path: string, payload: object) => server.inject({ method: 'POST', url: `/v1/invoices/${path}`, payload });

test('a large request, which a worker checks, gives the same PDF as one that is checked here', async () => {
  await open();
  const preparing = vi.spyOn(renderer, 'prepare');
  const request = paperRequest.parse(invoiceOf(200));
  const paper = printedInvoice(request, request.document.date, false);
  const reply = await send('pdf', invoiceOf(200));
  expect(preparing).toHaveBeenCalledTimes(1);
  expect(reply.headers['content-disposition']).toBe('inline; filename="A1.pdf"');
  expect(reply.rawPayload.equals(await renderer.render('ACT-2', paper))).toBe(true);
  await send('pdf', invoiceOf(2));
  expect(preparing).toHaveBeenCalledTimes(1);
});

async function notesOf(change: object): Promise<string[]> {
  const request = paperRequest.parse({ ...invoiceOf(1), ...change });
  return printedInvoice(request, request.document.date, false).notes;
}

test('a printed invoice of prices with tax says that they include it, unless there is no tax', async () => {
  await open();
  const note = 'Prices and discounts include GST.';
  expect(await notesOf({ priceIncludesTax: true })).toContain(note);
  const address = { line1: '1 Main Street', city: 'Boston', pin: '02108', country: 'US' };
  const exported = { priceIncludesTax: true, recipient: { name: 'Acme Inc', overseas: true, address }, underLut: true };
  expect(await notesOf(exported)).not.toContain(note);
  expect(await notesOf({})).toEqual([]);
});

test.each([
  ['of the schema', { ...item, hsn: '99', extra: 1 }],
  ['of the amounts', { ...item, discount: 5000 }],
])('a large request gets the errors %s that a small one gets, one for each line', async (_, wrong) => {
  await open();
  const invoice = invoiceOf(1);
  const [small, large] = await Promise.all([
    send('pdf', { ...invoice, items: [wrong] }),
    send('pdf', { ...invoice, items: Array.from({ length: 200 }, () => wrong) }),
  ]);
  expect([small.statusCode, large.statusCode]).toEqual([422, 422]);
  const { errors, ...rest } = small.json<{ errors: object[] }>();
  const each = errors.length;
  expect(each).toBeGreaterThan(0);
  const found = large.json<{ errors: object[] }>();
  expect(found.errors).toHaveLength(200 * each);
  expect(found.errors.slice(0, each)).toEqual(errors);
  expect(Object.keys(found)).toEqual(Object.keys({ ...rest, errors }));
});

test('a large request has the same Idempotency-Key hash, in whichever process it was checked', () => {
  const request = paperRequest.parse(invoiceOf(200));
  const checked = new CheckedBody(JSON.stringify(request), {});
  expect(JSON.stringify(['/v1/invoices/pdf', checked])).toBe(JSON.stringify(['/v1/invoices/pdf', request]));
});
