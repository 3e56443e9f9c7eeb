import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  legalPages,
  maxQuery,
  type PublicLanguage,
  publicAddress,
  publicLanguages,
} from '#shared/contract/public-pages.ts';
import { copyScript } from '#shared/contract/copy-script.ts';
import { callerAddress, networkOf, readNetworks } from '#shared/platform/addresses.ts';
import { isAccepted, isKnown } from '#shared/platform/negotiation.ts';
import { sendPrecompressed } from '#server/http/precompressed.ts';
import type { Portal } from '#server/portal.ts';
import { statusMs } from './live-status.ts';
import { type MadePage, madePage } from './makes-pages.ts';
import { PageCache } from './page-cache.ts';
import { Pictures } from './pictures.ts';
import type { PublicSite } from './public-site.ts';
import { robotsOf } from './robots.ts';
import { guidesPath, type Site, statusPath } from './site-source.ts';
import { apiCatalogOf, securityOf } from './well-known.ts';

/** Of one network. */
const searchesPerMinute = 120;

const maxCacheBytes = 64 * 1024 * 1024;

/** First segments of the addresses of public pages; with `/hi` before them they are in Hindi. */
const places = ['apis', 'pricing', 'docs', 'status', ...legalPages];

const scriptHash = createHash('sha256').update(copyScript).digest('base64');

/** Public pages have one script, so that they may have no other. */
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${scriptHash}'`,
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
  const { maker, status, currentSite } = site;
  // Another site has other pages.
  const caches = new WeakMap<Site, PageCache<MadePage>>();
  const cached = (site: Site, key: string, make: () => MadePage | Promise<MadePage>): Promise<MadePage> => {
    const pages = caches.get(site) ?? new PageCache<MadePage>(maxCacheBytes);
    caches.set(site, pages);
    return pages.getOrMake(key, make);
  };
  const pictures = new Pictures(portal, maker);
  app.get<{ Params: { name: string } }>('/pictures/:name', { schema: { hide: true } }, async ({ params }, reply) => {
    await currentSite();
    const png = await pictures.png(params.name.replace(/\.png$/, ''));
    if (png === undefined) return reply.status(404).send();
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', etag: `"${params.name}"` })
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/png')
      .send(png);
  });
  const madeOf = (site: Site, language: PublicLanguage, path: string, form: 'html' | 'markdown'): Promise<MadePage> => {
    // What does not exist has one page: nobody can fill the cache with names.
    if (!site.pages.has(path))
      return cached(site, `missing ${language}`, () => maker.page({ language, path: '/', form }));
    const isStatus = path === statusPath;
    return cached(site, `${form} ${language} ${path} ${isStatus ? status.version() : ''}`, () =>
      maker.page({ language, path, form, ...(isStatus ? { status: status.now() } : {}) }),
    );
  };

  for (const language of publicLanguages) {
    const prefix = language === 'en' ? '' : `/${language}`;
    const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const [address = '', ...query] = request.url.split(/(?=\?)/);
      const path = decoded(address.slice(prefix.length));
      const site = await currentSite();
      const withoutSlash = path.replace(/\/$/, '');
      const asked = site.pages.has(path) ? path : path.replace(/\.md$/, '');
      // There may be guides tomorrow. Until then the APIs have their references.
      if (withoutSlash === guidesPath && !site.pages.has(guidesPath))
        return reply.redirect(publicAddress('/apis', language), 302);
      const moved = site.pages.has(asked) ? undefined : movedTo(site, withoutSlash);
      if (moved !== undefined) return reply.redirect(publicAddress(moved, language) + query.join(''), 308);
      const isMarkdown = site.pages.has(asked) && (asked !== path || wantsMarkdown(request));
      if (asked === statusPath) {
        await status.refresh();
        reply.header('cache-control', `public, max-age=${statusMs / 1000}`);
      } else reply.header('cache-control', 'public, no-cache');
      reply.type(`text/${isMarkdown ? 'markdown' : 'html'}; charset=utf-8`);
      const page = isMarkdown ? madeOf(site, language, asked, 'markdown') : madeOf(site, language, path, 'html');
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
        await currentSite();
        const page = await maker.search({ query, language });
        reply.headers({ 'content-security-policy': policy, 'cache-control': 'private, no-cache' });
        return reply.type('text/html; charset=utf-8').send(page);
      },
    );

  const files = [
    { path: '/sitemap.xml', type: 'application/xml', make: () => maker.file({ name: 'sitemap' }) },
    { path: '/llms.txt', type: 'text/plain', make: () => maker.file({ name: 'llms' }) },
    { path: '/llms-full.txt', type: 'text/plain', make: () => maker.file({ name: 'llms-full' }) },
    {
      path: '/.well-known/api-catalog',
      type: 'application/linkset+json',
      make: () => madePage(apiCatalogOf(site.products(), portalUrl)),
    },
    { path: '/.well-known/security.txt', type: 'text/plain', make: () => madePage(securityOf(portal)) },
  ];
  for (const { path, type, make } of files)
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const site = await currentSite();
      reply.header('cache-control', 'public, no-cache').type(`${type}; charset=utf-8`);
      return sendPage(request, reply, await cached(site, path, make));
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

/** An address has HTML and Markdown. */
const vary = 'accept, accept-encoding';

function sendPage(request: FastifyRequest, reply: FastifyReply, page: MadePage): FastifyReply {
  reply.headers({ 'content-security-policy': policy, etag: page.etag }).status(page.status);
  if (page.status === 200 && isKnown(request.headers['if-none-match'], page.etag))
    return reply.header('vary', vary).status(304).send();
  return sendPrecompressed(request, reply, page, vary);
}
