import { legalPages } from '#shared/contract/public-pages.ts';
import { backendPath } from '#server/http/app.ts';

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
