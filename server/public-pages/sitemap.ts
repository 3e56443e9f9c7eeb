import { publicAddress, publicLanguages } from '#shared/contract/public-pages.ts';

/** Every page in every language, each with the others (sitemaps.org 0.9). */
export function sitemapOf(paths: Iterable<string>, portalUrl: string): string {
  const entries = [...paths].flatMap((path) => {
    const addresses = publicLanguages.map((language) => ({ language, url: portalUrl + publicAddress(path, language) }));
    const links = addresses.map(
      ({ language, url }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${escapeXml(url)}"/>`,
    );
    return addresses.map(({ url }) => `<url><loc>${escapeXml(url)}</loc>${links.join('')}</url>`);
  });
  const spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${spaces}>\n${entries.join('\n')}\n</urlset>\n`;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
