import type {
  FindPages,
  PublicContent,
  PublicLanguage,
  PublicPage,
  PublicProduct,
  PublicRenderer,
} from '#shared/contract/public-pages.ts';
import { brandOf } from '#server/brand/brand.ts';
import { accentSheet, iconOf } from '#server/brand/brand-page.ts';
import { portalConfig } from '#server/http/pages.ts';
import type { Portal } from '#server/portal.ts';
import { followSite } from './follow-site.ts';
import { followStatus, type LiveStatus, type ReadStatus } from './live-status.ts';
import type { LoadedRenderer } from './renderer.ts';
import { searchSite } from './search.ts';
import type { PublicProducts, Site } from './site.ts';

/** What the pages are made from, beside the settings. */
export interface PublicSources {
  products: PublicProducts;
  readStatus: ReadStatus;
}

/** The pages that everybody may see, whether they are served or only searched. */
export interface PublicSite {
  renderer: PublicRenderer;
  status: LiveStatus;
  currentSite: () => Promise<Site>;
  pageOf: (site: Site, language: PublicLanguage, path: string, content?: PublicContent) => PublicPage;
  findPages: FindPages;
  products: () => PublicProduct[];
}

export function openPublicSite(
  portal: Portal,
  { products, readStatus }: PublicSources,
  { renderer, styles: built }: LoadedRenderer,
): PublicSite {
  const config = portalConfig(portal);
  const brand = brandOf(portal.settings);
  const styles = [...built, ...accentSheet(brand)];
  const icon = iconOf(brand);
  const status = followStatus(portal, readStatus);
  const currentSite = followSite(portal, products, renderer, status);
  const pageOf: PublicSite['pageOf'] = ({ pages }, language, path, content) => ({
    content: content ?? pages.get(path)?.(language) ?? { kind: 'missing' },
    language,
    path,
    hasGuides: pages.has('/docs'),
    portalUrl: portal.settings.portalUrl,
    config,
    styles,
    icon,
  });
  return {
    renderer,
    status,
    currentSite,
    pageOf,
    findPages: searchSite(currentSite, pageOf, renderer),
    products: () => products(portal),
  };
}
