import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  legalPages,
  maxQuery,
  type PublicLanguage,
  publicAddress,
  publicLanguages,
} from '#shared/contract/public-pages.ts';
import { callerAddress, networkOf, readNetworks } from '#shared/platform/addresses.ts';
import { isAccepted, isKnown, weakTagOf } from '#shared/platform/negotiation.ts';
import { type Precompressed, precompress, sendPrecompressed } from '#server/http/precompressed.ts';
import type { Portal } from '#server/portal.ts';
import { statusMs } from './live-status.ts';
import { markdownOf } from './markdown.ts';
import { PageCache } from './page-cache.ts';
import { apiCatalogOf, llmsFullOf, llmsOf, securityOf } from './program-files.ts';
import { Pictures } from './pictures.ts';
import type { PublicSite } from './public-site.ts';
import { type Site, statusPath } from './site.ts';
import { robotsOf, sitemapOf } from './sitemap.ts';

interface CachedPage extends Precompressed {
  status: number;
  etag: string;
  bytes: number;
}

/** Of one network. */
const searchesPerMinute = 120;

const maxCacheBytes = 64 * 1024 * 1024;

/** First segments of the addresses of public pages; with `/hi` before them they are in Hindi. */
const places = ['apis', 'pricing', 'docs', 'status', ...legalPages];

/** Public pages have no scripts, so that they may have none. */
const policy = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What everybody may see, as HTML, from the catalogue in effect (decision 071). Without a renderer there are no such pages. */
export function publicPageRoutes(app: FastifyInstance, portal: Portal, site: PublicSite | undefined): void {
  const { portalUrl, publicPages, trustedProxies } = portal.settings;
  const isOn = publicPages && site !== undefined;
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robotsOf(portalUrl, isOn)),
  );
  if (!isOn) return;
  const { renderer, status, currentSite, pageOf, findPages } = site;
  // Another site has other pages.
  const caches = new WeakMap<Site, PageCache<CachedPage>>();
  const cached = (site: Site, key: string, make: () => string | Promise<string>, status = 200): Promise<CachedPage> => {
    const pages = caches.get(site) ?? new PageCache<CachedPage>(maxCacheBytes);
    caches.set(site, pages);
    return pages.getOrMake(key, async () => cachedPage(await make(), status));
  };
  const pictures = new Pictures(portal, { pageOf, renderer });
  const render = (site: Site, language: PublicLanguage, path: string): string =>
    renderer.render(pictures.withPicture(site, language, path));
  app.get<{ Params: { name: string } }>('/pictures/:name', { schema: { hide: true } }, async ({ params }, reply) => {
    const png = await pictures.png(await currentSite(), params.name.replace(/\.png$/, ''));
    if (png === undefined) return reply.status(404).send();
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', etag: `"${params.name}"` })
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/png')
      .send(png);
  });
  const versionOf = (path: string): string => (path === statusPath ? ` ${status.version()}` : '');
  const html = (site: Site, language: PublicLanguage, path: string): Promise<CachedPage> =>
    site.pages.has(path)
      ? cached(site, `HTML ${language} ${path}${versionOf(path)}`, () => render(site, language, path))
      : // What does not exist has one page: nobody can fill the cache with names.
        cached(site, `missing ${language}`, () => renderer.render(pageOf(site, language, '/')), 404);
  const markdown = (site: Site, language: PublicLanguage, path: string): Promise<CachedPage> =>
    cached(site, `Markdown ${language} ${path}${versionOf(path)}`, async () =>
      markdownOf((await html(site, language, path)).identity.toString(), portalUrl),
    );

  for (const language of publicLanguages) {
    const prefix = language === 'en' ? '' : `/${language}`;
    const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const [address = '', ...query] = request.url.split(/(?=\?)/);
      const path = decoded(address.slice(prefix.length));
      const site = await currentSite();
      const withoutSlash = path.replace(/\/$/, '');
      const asked = site.pages.has(path) ? path : path.replace(/\.md$/, '');
      const moved = site.pages.has(asked) ? undefined : movedTo(site, withoutSlash);
      if (moved !== undefined) return reply.redirect(publicAddress(moved, language) + query.join(''), 308);
      const isMarkdown = site.pages.has(asked) && (asked !== path || wantsMarkdown(request));
      if (asked === statusPath) {
        await status.refresh();
        reply.header('cache-control', `public, max-age=${statusMs / 1000}`);
      } else reply.header('cache-control', 'public, no-cache');
      reply.type(`text/${isMarkdown ? 'markdown' : 'html'}; charset=utf-8`);
      const page = isMarkdown ? markdown(site, language, asked) : html(site, language, path);
      return sendPage(request, reply, await page);
    };
    for (const place of places)
      for (const path of ['', '.md', '/*']) app.get(`${prefix}/${place}${path}`, { schema: { hide: true } }, serve);
  }

  const proxies = readNetworks(trustedProxies);
  const rateLimit = {
    max: searchesPerMinute,
    timeWindow: 60_000,
    keyGenerator: ({ raw }: FastifyRequest) => networkOf(callerAddress(raw, proxies)),
  };
  for (const language of publicLanguages)
    app.get(
      publicAddress('/search', language),
      { schema: { hide: true }, config: { rateLimit } },
      async (request, reply) => {
        const query = (new URL(request.url, portalUrl).searchParams.get('q') ?? '').slice(0, maxQuery).trim();
        const content = { kind: 'search', query, hits: await findPages(query, language) } as const;
        const page = pageOf(await currentSite(), language, '/search', content);
        reply.headers({ 'content-security-policy': policy, 'cache-control': 'private, no-cache' });
        return reply.type('text/html; charset=utf-8').send(renderer.render(page));
      },
    );

  const describe = (site: Site) => (path: string) => renderer.describe(pageOf(site, 'en', path));
  const files = [
    { path: '/sitemap.xml', type: 'application/xml', make: (site: Site) => sitemapOf(site, portalUrl) },
    {
      path: '/llms.txt',
      type: 'text/plain',
      make: (site: Site) => llmsOf(site, portal.settings.providerName, portalUrl, describe(site)),
    },
    {
      path: '/llms-full.txt',
      type: 'text/plain',
      make: (site: Site) =>
        llmsFullOf(site, portalUrl, async (path) => (await markdown(site, 'en', path)).identity.toString()),
    },
    {
      path: '/.well-known/api-catalog',
      type: 'application/linkset+json',
      make: () => apiCatalogOf(site.products(), portalUrl),
    },
    { path: '/.well-known/security.txt', type: 'text/plain', make: () => securityOf(portal) },
  ];
  for (const { path, type, make } of files)
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const site = await currentSite();
      reply.header('cache-control', 'public, no-cache').type(`${type}; charset=utf-8`);
      return sendPage(request, reply, await cached(site, path, () => make(site)));
    });
}

/** Where the page of an address is that has a slash at its end, or names a product by an alias. */
function movedTo({ pages, catalog }: Site, path: string): string | undefined {
  const address = path.replace(/^\/apis\/([^/.]+)/, (written, id: string) => {
    const product = catalog.find(id);
    return product === undefined ? written : `/apis/${product.id}`;
  });
  return pages.has(address.replace(/\.md$/, '')) ? address : undefined;
}

/** Its page has the letters themselves. What can't be decoded is no page's. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Asked for by name: a browser's list of what it takes has no Markdown in it. */
const wantsMarkdown = ({ headers }: FastifyRequest): boolean => isAccepted(headers.accept, 'text/markdown');

function cachedPage(text: string, status: number): CachedPage {
  const packed = precompress(text);
  return {
    ...packed,
    status,
    etag: weakTagOf(text),
    bytes: packed.identity.length + packed.br.length + packed.gzip.length,
  };
}

/** An address has HTML and Markdown. */
const vary = 'accept, accept-encoding';

function sendPage(request: FastifyRequest, reply: FastifyReply, page: CachedPage): FastifyReply {
  reply.headers({ 'content-security-policy': policy, etag: page.etag }).status(page.status);
  if (page.status === 200 && isKnown(request.headers['if-none-match'], page.etag))
    return reply.header('vary', vary).status(304).send();
  return sendPrecompressed(request, reply, page, vary);
}
