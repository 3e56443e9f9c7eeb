import type { PublicProduct } from '#shared/contract/public-pages.ts';
import type { Portal } from '#server/portal.ts';

/** Where the APIs are, with their documents (RFC 9727, RFC 9264). */
export function apiCatalogOf(products: readonly PublicProduct[], portalUrl: string): string {
  const linkset = products.map(({ id, baseUrl, documentationUrl }) => ({
    anchor: baseUrl,
    'service-desc': [{ href: documentationUrl, type: 'application/json' }],
    'service-doc': [{ href: `${portalUrl}/apis/${id}`, type: 'text/html' }],
  }));
  return `${JSON.stringify({ linkset }, null, 2)}\n`;
}

const securityDays = 180;

/** Whom to tell about a fault in security (RFC 9116). */
export function securityOf({ settings, machineClock }: Pick<Portal, 'settings' | 'machineClock'>): string {
  const expires = new Date(machineClock() + securityDays * 86_400_000).toISOString();
  return [
    `Contact: mailto:${settings.supportEmail}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en, hi',
    `Canonical: ${settings.portalUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
