import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PublicLanguage, publicLanguages } from '#shared/contract/public-pages.ts';
import { dayOf } from '#shared/domain/day.ts';
import { brandOf } from '#server/brand/brand.ts';
import { accentSheet } from '#server/brand/brand-page.ts';
import { portalConfig } from '#server/http/pages.ts';
import { type Precompressed, precompress, sendPrecompressed } from '#server/http/precompressed.ts';
import type { Portal } from '#server/portal.ts';
import { PageCache } from './page-cache.ts';
import type { LoadedRenderer } from './renderer.ts';
import { type Site, readSite } from './site.ts';
import { robotsOf, sitemapOf } from './sitemap.ts';

interface CachedPage extends Precompressed {
  status: number;
  etag: string;
  bytes: number;
}

const maxCacheBytes = 64 * 1024 * 1024;

/** First segments of the addresses of public pages; with `/hi` before them they are in Hindi. */
const places = ['apis', 'pricing'];

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
export function publicPageRoutes(app: FastifyInstance, portal: Portal, loaded: LoadedRenderer | undefined): void {
  const { portalUrl, publicPages } = portal.settings;
  const isOn = publicPages && loaded !== undefined;
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robotsOf(portalUrl, isOn)),
  );
  if (!isOn) return;
  const config = portalConfig(portal);
  const styles = [...loaded.styles, ...accentSheet(brandOf(portal.settings))];
  const cache = new PageCache<CachedPage>(maxCacheBytes);
  let site: Site | undefined;

  const currentSite = (): Site => {
    if (site?.catalog === portal.catalog && site.day === dayOf(portal.clock())) return site;
    cache.clear();
    return (site = readSite(portal));
  };

  const render = (language: PublicLanguage, path: string): CachedPage => {
    const of = currentSite().pages.get(path);
    // What does not exist has one page: nobody can fill the cache with names.
    const shown = of === undefined ? '/' : path;
    return cache.get(`${language} ${shown}`, () => {
      const content = of?.(language) ?? { kind: 'missing' as const };
      const html = loaded.renderer.render({ content, language, path: shown, portalUrl, config, styles });
      return cachedPage(html, of === undefined ? 404 : 200);
    });
  };

  for (const language of publicLanguages) {
    const prefix = language === 'en' ? '' : `/${language}`;
    const serve = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const [address = ''] = request.url.split('?', 1);
      return sendPage(request, reply.type('text/html; charset=utf-8'), render(language, address.slice(prefix.length)));
    };
    for (const place of places)
      for (const path of [`${prefix}/${place}`, `${prefix}/${place}/*`])
        app.get(path, { schema: { hide: true } }, serve);
  }
  app.get('/sitemap.xml', { schema: { hide: true } }, (request, reply) => {
    const page = cache.get('sitemap', () => cachedPage(sitemapOf(currentSite(), portalUrl), 200));
    return sendPage(request, reply.type('application/xml; charset=utf-8'), page);
  });
}

function cachedPage(text: string, status: number): CachedPage {
  const packed = precompress(text);
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { ...packed, status, etag, bytes: 2 * text.length + packed.br.length + packed.gzip.length };
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: CachedPage): FastifyReply {
  reply
    .headers({ 'content-security-policy': policy, 'cache-control': 'public, no-cache', etag: page.etag })
    .status(page.status);
  const known = request.headers['if-none-match']?.split(/\s*,\s*/).map((each) => each.replace(/^W\//, ''));
  if (page.status === 200 && known?.includes(page.etag))
    return reply.header('vary', 'accept-encoding').status(304).send();
  return sendPrecompressed(request, reply, page);
}
