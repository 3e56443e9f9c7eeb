import { legalPages, publicAddress, publicLanguages } from '#shared/contract/public-pages.ts';
import { backendPath } from '#server/http/app.ts';
import type { Site } from './site.ts';

/** Every page in every language, each with the others (sitemaps.org 0.9). */
export function sitemapOf({ pages }: Site, portalUrl: string): string {
  const entries = [...pages.keys()].flatMap((path) => {
    const addresses = publicLanguages.map((language) => ({ language, url: portalUrl + publicAddress(path, language) }));
    const links = addresses.map(
      ({ language, url }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${escapeXml(url)}"/>`,
    );
    return addresses.map(({ url }) => `<url><loc>${escapeXml(url)}</loc>${links.join('')}</url>`);
  });
  const spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${spaces}>\n${entries.join('\n')}\n</urlset>\n`;
}

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const open = [
  '/apis',
  '/pricing',
  '/docs',
  '/status',
  ...legalPages.map((name) => `/${name}`),
  '/hi/',
  '/assets/',
  '/brand/',
  '/mark.svg',
  '/pictures/',
  // Icons and pictures of the products.
  `${backendPath}/marketplace/*/images/`,
  '/login',
  '/sitemap.xml',
  '/llms',
  '/.well-known/',
];

/** What crawlers may read; without public pages the sign-in page alone. */
export function robotsOf(portalUrl: string, isPublic: boolean): string {
  if (!isPublic) return '# Everything else is behind the login.\nUser-agent: *\nAllow: /login\nDisallow: /\n';
  return [
    '# Everything else is behind the login.',
    'User-agent: *',
    ...open.map((path) => `Allow: ${path}`),
    'Disallow: /',
    '',
    `Sitemap: ${portalUrl}/sitemap.xml`,
    '',
  ].join('\n');
}
