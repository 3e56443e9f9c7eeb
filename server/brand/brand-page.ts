import type { SafeImage } from '#catalog/safe-image.ts';
import type { PortalConfig } from '#shared/contract/portal-config.ts';
import { type LegalPage, legalPages } from '#shared/contract/public-pages.ts';
import type { DocumentPaper } from '#shared/paper/document-paper.ts';
import { accentStyle } from './accent-scale.ts';
import type { Brand } from './brand.ts';
import { shippedMark } from './shipped-mark.ts';

/** Green of the shipped brand: the checkout's, and that of mails (product §6.4). */
export const shippedAccent = '#106641';

/** The accent of a brand, on which white text is readable. */
export function accentOf({ accent }: Brand): string {
  return accent?.steps[7] ?? shippedAccent;
}

/** Where the provider's terms, privacy policy, refund policy and contact are. A text has a page only while there are public pages. */
function linksOf({ links, texts }: Brand, publicPages: boolean): PortalConfig['brand']['links'] {
  const addressOf = (name: LegalPage): string | null =>
    links[name] ?? (publicPages && texts[name] !== undefined ? `/${name}` : null);
  return {
    terms: addressOf('terms'),
    privacy: addressOf('privacy'),
    refunds: addressOf('refunds'),
    contact: addressOf('contact'),
  };
}

/** What the pages need to know of the brand. */
export function brandConfig(brand: Brand, publicPages: boolean): PortalConfig['brand'] {
  const { heading, lead, features, claims, product } = brand.login;
  const { light, dark } = brand.logo;
  return {
    showsName: brand.showsName,
    logo:
      light === undefined
        ? null
        : {
            light: addressOf('logo-light', light),
            dark: addressOf(dark === undefined ? 'logo-light' : 'logo-dark', dark ?? light),
          },
    accent: accentOf(brand),
    login: {
      heading: heading ?? null,
      lead: lead ?? null,
      features: features ?? null,
      claims: claims ?? null,
      product: product ?? null,
    },
    links: linksOf(brand, publicPages),
    hindi: brand.translations.hi,
  };
}

/** Elements for the head of the page: the icon of its tab, and the colours. */
export function brandedHead(html: string, brand: Brand): string {
  const { href: icon, type } = iconOf(brand);
  const withIcon =
    brand.favicon === undefined
      ? html
      : html.replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${icon}" type="${type}">`);
  return withIcon.replace('</head>', `<style>${brandColours(brand)}</style></head>`);
}

/** The icon of the tab; ours without one of the brand. */
export const iconOf = ({ favicon }: Brand): { href: string; type: string } =>
  favicon === undefined
    ? { href: '/mark.svg', type: 'image/svg+xml' }
    : { href: addressOf('favicon', favicon), type: favicon.type };

/** Its colours in place of the shipped ones. In the page itself: a file would be waited for before anything shows. */
export const brandColours = ({ accent }: Brand): string => (accent === undefined ? '' : accentStyle(accent));

/** The images of a brand by the last part of their address. */
export const brandImages = {
  'logo-light': ({ logo }: Brand) => logo.light,
  'logo-dark': ({ logo }: Brand) => logo.dark,
  'logo-mail': ({ logo }: Brand) => logo.mail,
  favicon: (brand: Brand) => brand.favicon,
};

/** The address changes with the file, which browsers may therefore keep. */
function addressOf(file: keyof typeof brandImages, { hash }: SafeImage): string {
  return `/brand/${file}?v=${hash}`;
}

/** The address of the logo in mails; undefined without one. */
export function mailLogoOf(
  { logo, showsName }: Brand,
  portalUrl: string,
): { src: string; width: number; height: number; hasName: boolean } | undefined {
  if (logo.mail === undefined) return undefined;
  const { width, height } = logo.mail;
  return {
    src: portalUrl + addressOf('logo-mail', logo.mail),
    width: Math.round((width * mailLogoHeight) / height),
    height: mailLogoHeight,
    // The shipped mark has nobody's name in it.
    hasName: !showsName && logo.mail !== shippedMark,
  };
}
const mailLogoHeight = 32;

/** The links at the foot of mails. */
export function mailLinksOf(
  brand: Brand,
  { portalUrl, publicPages }: { portalUrl: string; publicPages: boolean },
): { label: string; address: string }[] {
  const labels = { terms: 'Terms', privacy: 'Privacy', refunds: 'Refunds', contact: 'Contact' } as const;
  const links = linksOf(brand, publicPages);
  return legalPages.flatMap((name) => {
    const address = links[name];
    if (address === null) return [];
    return [{ label: labels[name], address: address.startsWith('/') ? portalUrl + address : address }];
  });
}

/** The head of PDFs. */
export function paperBrandOf(brand: Brand): NonNullable<DocumentPaper['brand']> {
  const { paper } = brand.logo;
  const logo =
    paper === undefined ? null : paper.type === 'image/svg+xml' ? paper.content.toString('utf8') : [...paper.content];
  return { accent: accentOf(brand), logo };
}
