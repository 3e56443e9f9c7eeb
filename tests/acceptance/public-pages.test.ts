import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { copyScript } from '#shared/contract/copy-script.ts';
import { publicLanguages } from '#shared/contract/public-pages.ts';
import { buildApp } from '#server/app.ts';
import { operationSchema, startPublicPortal } from './public-portal.ts';

/** Visits every public page of our own APIs and of others as a search engine does, without a script. */

const visited = startPublicPortal();
const read = (url: string, headers?: Record<string, string>) => visited().read(url, headers);
const own = (url: string): string => visited().own(url);

/** The addresses in the sitemap. */
const listed = async (): Promise<string[]> =>
  [...(await read('/sitemap.xml')).body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => own(url));

const linkset = z.object({
  linkset: z.array(z.object({ anchor: z.url(), 'service-desc': z.array(z.object({ href: z.url() })) })),
});

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  // Matters of taste: React's way to write attributes, and Mantine's of a region that scrolls.
  rules: {
    'attr-case': 'off',
    'aria-label-misuse': 'off',
    'no-inline-style': 'off',
    'prefer-native-element': 'off',
    'long-title': 'off',
  },
});

test('each page of the sitemap is valid HTML, and each of its links leads to a page or to the sign-in', async () => {
  const { portal, linksIn } = visited();
  const pages = await listed();
  expect(pages.length).toBeGreaterThan(2 * portal.catalog.products.length);
  const faults: string[] = [];
  for (const page of pages) {
    const { status, body } = await read(page);
    if (status !== 200) faults.push(`${page}: ${status}`);
    const { results } = await validator.validateString(body);
    for (const { messages } of results)
      faults.push(
        ...messages.map(({ ruleId, message, line, column }) => `${page}:${line}:${column} ${ruleId}: ${message}`),
      );
    for (const link of linksIn(body)) {
      const [path = ''] = link.split(/[?#]/);
      const isOurs = link.startsWith('/') && !/^\/(login|marketplace|(hi\/)?search)/.test(link);
      if (isOurs && !pages.includes(path)) faults.push(`${page}: ${link} leads nowhere`);
      if (link.startsWith('#') && !body.includes(`id="${link.slice(1)}"`)) faults.push(`${page}: ${link} is not there`);
      const [target = '', place] = link.split('#');
      if (place !== undefined && pages.includes(target) && !(await read(target)).body.includes(`id="${place}"`))
        faults.push(`${page}: ${link} leads to no place`);
    }
  }
  expect(faults).toEqual([]);
});

test('each page has one address, and names the same page in the other language', async () => {
  for (const page of await listed()) {
    const { body } = await read(page);
    expect([page, own(/<link rel="canonical" href="([^"]+)"/.exec(body)?.[1] ?? '')]).toEqual([page, page]);
    const english = page.replace(/^\/hi\//, '/');
    const alternates = [...body.matchAll(/<link rel="alternate" hrefLang="([^"]+)" href="([^"]+)"/g)];
    expect(alternates.map(([, language, url = '']) => [language, own(url)])).toEqual([
      ['en', english],
      ['hi', `/hi${english}`],
      ['x-default', english],
    ]);
    expect(body).toContain(page === english ? '<html lang="en-IN">' : '<html lang="hi-IN">');
    expect(/<meta name="description" content="[^"]{20,}"/.test(body)).toBe(true);
  }
});

const offer = z.object({
  '@type': z.literal('Offer'),
  price: z.string().regex(/^\d+\.\d\d$/),
  priceCurrency: z.literal('INR'),
  url: z.url(),
});
const data = z.discriminatedUnion('@type', [
  z.object({ '@type': z.literal('Product'), name: z.string(), url: z.url(), offers: z.array(offer).min(1) }),
  z.object({ '@type': z.literal('ItemList'), itemListElement: z.array(z.object({ name: z.string(), url: z.url() })) }),
  z.object({
    '@type': z.literal('FAQPage'),
    mainEntity: z.array(z.object({ acceptedAnswer: z.object({ text: z.string() }) })),
  }),
  z.object({
    '@type': z.literal('TechArticle'),
    headline: z.string(),
    description: z.string(),
    inLanguage: z.string(),
  }),
]);

test('has no script but the one that copies code, and describes products and offers for search engines', async () => {
  const { portal } = visited();
  let products = 0;
  for (const page of await listed()) {
    const { body, headers } = await read(page);
    expect(String(headers['content-security-policy'])).toMatch(/^default-src 'none'/);
    for (const [, attributes, content = ''] of body.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      if (content === copyScript) continue;
      expect(attributes).toBe(' type="application/ld+json"');
      const described = data.parse(JSON.parse(content));
      if (described['@type'] === 'Product') products += 1;
    }
  }
  expect(products).toBe(publicLanguages.length * 2 * portal.catalog.products.length);
});

test('shows no private plan and nothing of a customer', async () => {
  const { portal, publicPages } = visited();
  const secret = portal.catalog.products.flatMap(({ plans }) => plans).filter(({ customers }) => customers);
  const [product] = portal.catalog.products;
  if (product === undefined) throw new Error('The catalogue has no products');
  const [plan] = product.plans;
  if (plan === undefined) throw new Error('The product has no plans');
  const hidden = { ...plan, planId: 'hidden-plan', name: 'Only for Kaveri', customers: ['kaveri@example.com'] };
  const catalog = {
    ...portal.catalog,
    products: portal.catalog.products.map((each) =>
      each === product ? { ...each, plans: [...each.plans, hidden] } : each,
    ),
  };
  const other = await buildApp({ ...portal, catalog }, { publicPages });
  for (const page of [...(await listed()), '/sitemap.xml']) {
    const { body } = await other.inject({ url: page });
    for (const { planId, name, customers = [] } of [hidden, ...secret])
      for (const text of [`plan=${planId}`, `plan-${planId}`, name, ...customers]) expect(body).not.toContain(text);
  }
  await other.close();
});

test('a page that has not changed is not sent again, and a change of the catalogue shows at once', async () => {
  const { portal, publicPages } = visited();
  const first = await read('/apis');
  const etag = String(first.headers.etag);
  expect(first.headers['cache-control']).toBe('public, no-cache');
  const known = await read('/apis', { 'if-none-match': `"other", ${etag.slice(2)}` });
  expect([known.status, known.body]).toEqual([304, '']);
  const products = portal.catalog.products.map((each) => ({ ...each, tagline: 'Renamed', name: `${each.name} 2` }));
  const changing = { ...portal };
  const other = await buildApp(changing, { publicPages });
  const before = await other.inject({ url: '/apis' });
  expect(before.headers.etag).toBe(etag);
  changing.catalog = { ...changing.catalog, products };
  const after = await other.inject({ url: '/apis', headers: { 'if-none-match': etag } });
  expect([after.statusCode, after.body.includes(`${products[0]?.name}`)]).toEqual([200, true]);
  await other.close();
});

test('each operation of a document has a page with its parameters, errors and a sample in each language', async () => {
  const { live } = visited();
  for (const api of await live.apis()) {
    const id = api.url.endsWith('/tax-lookup') ? 'tax-lookup-api' : 'invoicing-system';
    const reference = await read(`/apis/${id}/reference`);
    for (const [path, item] of Object.entries(api.document.paths))
      for (const [method, operation] of Object.entries(item)) {
        const { operationId = '', parameters = [] } = operationSchema.parse(operation);
        expect(reference.body).toContain(`href="/apis/${id}/reference/${operationId}"`);
        const { status, body } = await read(`/apis/${id}/reference/${operationId}`);
        expect([status, body.includes(method.toUpperCase())]).toEqual([200, true]);
        for (const text of [path.replaceAll("'", '&#x27;'), ...parameters.map(({ name }) => name), 'X-API-Key'])
          expect(body).toContain(text);
        for (const name of ['curl', 'JavaScript', 'Python', 'Java', 'PHP'])
          expect(body).toContain(`<summary>${name}</summary>`);
        expect(body).toContain('Counted');
      }
  }
});

test('each page is Markdown too, and llms.txt lists them all', async () => {
  const { portal } = visited();
  const llms = (await read('/llms.txt')).body;
  const all = (await read('/llms-full.txt')).body;
  for (const page of await listed()) {
    const { status, body, headers } = await read(`${page}.md`);
    expect([page, status, headers['content-type']]).toEqual([page, 200, 'text/markdown; charset=utf-8']);
    expect(body).toMatch(/^(\[[^\]]+\]\([^)]+\)\s*)?# /m);
    expect(body).not.toMatch(/<(div|span|svg)|\]\(\//);
    expect((await read(page, { accept: 'text/markdown' })).body).toBe(body);
    expect((await read(page, { accept: 'text/html,*/*;q=0.8' })).body).toMatch(/^<!doctype html>/);
    if (page.startsWith('/hi/')) continue;
    expect(llms).toContain(`](${portal.settings.portalUrl}${page}.md)`);
    // The status would be old in a file.
    expect(all.includes(body)).toBe(page !== '/status');
  }
});

test('programs find the APIs and whom to tell about a fault at the addresses of the RFCs', async () => {
  const { portal } = visited();
  const catalog = linkset.parse(JSON.parse((await read('/.well-known/api-catalog')).body));
  expect(catalog.linkset.length).toBe(portal.catalog.products.length);
  const [document] = catalog.linkset.flatMap((each) => each['service-desc']);
  expect((await fetch(document?.href ?? '')).status).toBe(200);
  const security = (await read('/.well-known/security.txt')).body;
  expect(security).toContain(`Contact: mailto:${portal.settings.supportEmail}\n`);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(security)?.[1] ?? '');
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 366 * 86_400_000);
});

test('an address with a slash at its end leads to the page', async () => {
  const { status, headers } = await read('/hi/apis/?from=x');
  expect([status, headers.location]).toEqual([308, '/hi/apis?from=x']);
});

test('an alias of a product leads to its page, with its language and what follows', async () => {
  const { portal } = visited();
  const product = portal.catalog.products.find(({ aliases }) => aliases.length > 0);
  const [alias = ''] = product?.aliases ?? [];
  for (const [asked, shown] of [
    [`/apis/${alias}`, `/apis/${product?.id}`],
    [`/apis/${alias}/`, `/apis/${product?.id}`],
    [`/hi/apis/${alias}/changelog?from=x`, `/hi/apis/${product?.id}/changelog?from=x`],
    [`/apis/${alias}.md`, `/apis/${product?.id}.md`],
  ] as const) {
    const { status, headers } = await read(asked);
    expect([asked, status, headers.location]).toEqual([asked, 308, shown]);
    expect((await read(shown)).status).toBe(200);
  }
  expect((await read(`/apis/${alias}/nothing`)).status).toBe(404);
});

test('guides and the texts of the brand are pages in both languages, and what there is none of is linked nowhere', async () => {
  const { portal, publicPages } = visited();
  const pages = await listed();
  for (const path of [
    '/docs',
    '/docs/first-call',
    '/docs/track-a-parcel',
    '/terms',
    '/privacy',
    '/refunds',
    '/contact',
  ])
    expect([path, pages.includes(path), pages.includes(`/hi${path}`)]).toEqual([path, true, true]);
  const guide = (await read('/hi/docs/first-call')).body;
  expect(guide).toContain(`${portal.settings.providerName} की कॉल`);
  expect(guide).toContain(`${portal.settings.gatewayUrl}/tax-lookup/v1/states`);
  expect(guide).toContain('href="/hi/docs/track-a-parcel#ask-again"');
  expect((await read('/hi/docs/track-a-parcel')).body).toMatch(/<div [^>]*lang="en-IN"><h2 id="ask-again">Ask again</);
  expect((await read('/hi/contact')).body).toContain('<h1');
  expect((await read('/apis/parcel-tracker')).body).toContain('href="/docs/track-a-parcel"');
  expect((await read('/hi/apis')).body).toContain('href="/hi/terms"');
  const { brandDir: _brandDir, ...settings } = portal.settings;
  const catalog = { ...portal.catalog, guides: [] };
  const other = await buildApp({ ...portal, catalog, settings }, { publicPages });
  const shown = (await other.inject({ url: '/apis' })).body;
  for (const path of ['/docs', '/terms', '/privacy', '/refunds', '/contact']) {
    expect(shown).not.toContain(`href="${path}"`);
    const { statusCode, headers } = await other.inject({ url: `/hi${path}` });
    expect([path, statusCode, headers.location]).toEqual(
      path === '/docs' ? [path, 302, '/hi/apis'] : [path, 404, undefined],
    );
  }
  await other.close();
});

test('there is nothing at other addresses below them', async () => {
  for (const url of ['/apis/nothing/', '/apis/%E0%A4%A', '/apis/x%2Freference'])
    expect([url, (await read(url)).status]).toEqual([url, url.includes('%E0') ? 400 : 404]);
  const { status, body } = await read('/apis/nothing?x=1');
  expect(status).toBe(404);
  expect(body).toContain('<meta name="robots" content="noindex"/>');
  expect(body).not.toContain('rel="canonical"');
});

test('crawlers read of robots.txt where the pages are; switched off there are none', async () => {
  const { portal, publicPages } = visited();
  const robots = (await read('/robots.txt')).body;
  expect(robots).toContain(`Sitemap: ${portal.settings.portalUrl}/sitemap.xml`);
  const allowed = [...robots.matchAll(/^Allow: (.+)$/gm)].map(
    ([, path = '']) => new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}`),
  );
  const { body, headers } = await read('/apis');
  const images = [...body.matchAll(/<(?:img|link rel="icon")[^>]*(?:src|href)="(\/[^"]+)"/g)].map(
    ([, url = '']) => url,
  );
  expect([String(headers['content-type']), images.length > 0]).toEqual(['text/html; charset=utf-8', true]);
  const files = ['/sitemap.xml', '/llms.txt', '/llms-full.txt', '/.well-known/api-catalog'];
  for (const path of [...(await listed()), ...files, ...images])
    expect([path, allowed.some((each) => each.test(path))]).toEqual([path, true]);
  const off = await buildApp({ ...portal, settings: { ...portal.settings, publicPages: false } }, { publicPages });
  const shown = '/apis /hi/apis /pricing /status /docs /terms /search?q=tax /sitemap.xml /llms.txt';
  for (const url of shown.split(' ')) expect((await off.inject({ url })).statusCode).toBe(404);
  expect((await off.inject({ url: '/robots.txt' })).body).toMatch(/Allow: \/login\nDisallow: \/\n$/);
  await off.close();
});
