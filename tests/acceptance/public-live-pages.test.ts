import { expect, test } from 'vitest';
import { publicLanguages } from '#shared/contract/public-pages.ts';
import { buildApp } from '#server/app.ts';
import { checkApis } from '#server/features/api-status/api-status.ts';
import { operationSchema, startPublicPortal } from './public-portal.ts';

/** The public pages that live: the status of our own APIs, and the search. */

const visited = startPublicPortal();

test('the status is that of the gateway, and is read once for everybody', async () => {
  const { portal, publicPages, read } = visited();
  expect((await read('/status')).body.includes('Nothing was checked so far')).toBe(true);
  await checkApis(portal);
  let reads = 0;
  const counting = new Proxy(portal.db, {
    get: (db, name) => {
      if (name === 'selectFrom') reads += 1;
      const value: unknown = Reflect.get(db, name, db);
      return typeof value === 'function' ? value.bind(db) : value;
    },
  });
  const other = await buildApp({ ...portal, db: counting }, { publicPages });
  reads = 0;
  const views = await Promise.all(Array.from({ length: 50 }, () => other.inject({ url: '/status' })));
  expect(new Set(views.map(({ body }) => body)).size).toBe(1);
  const [{ body, headers } = { body: '', headers: {} }] = views;
  expect(/All APIs work\.[^<]*Last check/.test(body) && body.includes('100% of 1 checks on 1 day succeeded')).toBe(
    true,
  );
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=30' });
  const again = await other.inject({ url: '/status', headers: { 'if-none-match': String(headers.etag) } });
  expect([again.statusCode, reads]).toEqual([304, 1]);
  expect((await other.inject({ url: '/hi/status' })).body.includes('सभी API काम कर रहे हैं।')).toBe(true);
  await other.close();
});

test('finds operations, errors, plans and prices by their words, in each language, on a page without a script', async () => {
  const { live, read, linksIn } = visited();
  const found = async (q: string, prefix = '') => {
    const { status, body, headers } = await read(`${prefix}/search?q=${encodeURIComponent(q)}`);
    expect([status, headers['content-type'], body.includes('<meta name="robots" content="noindex"/>')]).toEqual([
      200,
      'text/html; charset=utf-8',
      true,
    ]);
    const [, list = ''] = /<ol[^>]*>([\s\S]*)<\/ol>/.exec(body) ?? [];
    return linksIn(list);
  };
  const [api] = await live.apis();
  const [operation] = Object.values(api.document.paths).flatMap((item) => Object.values(item));
  const { operationId = '' } = operationSchema.parse(operation);
  expect(await found(operationId)).toContain(`/apis/tax-lookup-api/reference/${operationId}`);
  expect(await found('pricing')).toContain('/pricing');
  expect((await found('quota-exceeded')).length).toBeGreaterThan(0);
  expect(await found('मूल्य', '/hi')).toContain('/hi/pricing');
  expect(await found('pricing', '/hi')).toContain('/hi/pricing');
  // One letter is wrong.
  expect(await found('pricong')).toContain('/pricing');
  expect(await found('qqqqqq')).toEqual([]);
  expect(await found('')).toEqual([]);
  const { body } = await read('/search?q=%3Cscript%3Ealert(1)%3C/script%3E&q=x');
  expect(body.includes('<script>alert')).toBe(false);
});

test('a search takes milliseconds, whatever is typed, and a network gets only so many a minute', async () => {
  const { portal, publicPages } = visited();
  const queries = [
    'tax',
    'a',
    'g s t i n v o',
    'lookup '.repeat(5000),
    'क'.repeat(3000),
    '(a+)+$',
    '\u0000',
    'gst invoice tax',
  ];
  const { findPages: find } = portal;
  if (find === undefined) throw new Error('There is no search');
  await Promise.all(publicLanguages.map((language) => find('gst', language)));
  const began = performance.now();
  const rounds = 25;
  for (let round = 0; round < rounds; round += 1) for (const query of queries) await find(query, 'en');
  expect((performance.now() - began) / rounds / queries.length).toBeLessThan(5);
  const other = await buildApp(portal, { publicPages });
  const statuses: number[] = [];
  for (let search = 0; search < 121; search += 1)
    statuses.push((await other.inject({ url: '/search?q=x', remoteAddress: '192.0.2.1' })).statusCode);
  expect([statuses.filter((each) => each === 200).length, statuses.at(-1)]).toEqual([120, 429]);
  expect((await other.inject({ url: '/search?q=x', remoteAddress: '192.0.2.2' })).statusCode).toBe(200);
  await other.close();
});

test('previews of links have a picture of the brand with the name and price of the product', async () => {
  const { portal, publicPages, read, own } = visited();
  const pictureOf = (html: string): string => own(/<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '');
  const addresses: string[] = [];
  for (const page of ['/apis', '/apis/tax-lookup-api', '/apis/invoicing-system', '/docs']) {
    const { body } = await read(page);
    expect(/og:image:alt" content="[^"]+/.test(body) && body.includes('content="summary_large_image"')).toBe(true);
    addresses.push(pictureOf(body));
  }
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(pictureOf((await read('/apis/tax-lookup-api/reference')).body)).toBe(addresses[1]);
  addresses.push(pictureOf((await read('/hi/apis/tax-lookup-api')).body));
  expect(new Set(addresses).size).toBe(5);
  // A portal that has just started has it too, though it has rendered no page.
  const other = await buildApp(portal, { publicPages });
  for (const address of addresses) {
    const { statusCode, headers, rawPayload } = await other.inject({ url: address });
    expect([statusCode, headers['content-type'], rawPayload.subarray(1, 4).toString()]).toEqual([
      200,
      'image/png',
      'PNG',
    ]);
    expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(rawPayload.length).toBeLessThan(300_000);
  }
  expect((await other.inject({ url: '/pictures/made-up.png' })).statusCode).toBe(404);
  await other.close();
});
