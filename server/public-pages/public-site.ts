import type { FindPages, PublicProduct } from '#shared/contract/public-pages.ts';
import { brandOf } from '#server/brand/brand.ts';
import { brandColours, iconOf } from '#server/brand/brand-page.ts';
import { portalConfig } from '#server/http/pages.ts';
import type { Portal } from '#server/portal.ts';
import { followSite } from './follow-site.ts';
import { followStatus, type LiveStatus, type ReadStatus } from './live-status.ts';
import type { MakesPages } from './makes-pages.ts';
import { pictureLook, pictureNameAt } from './picture.ts';
import type { LoadedRenderer } from './renderer.ts';
import type { PublicProducts, Site } from './site-source.ts';

/** What the pages are made from, beside the settings. */
export interface PublicSources {
  products: PublicProducts;
  readStatus: ReadStatus;
}

/** The pages that everybody may see, whether they are served or only searched. */
export interface PublicSite {
  maker: MakesPages;
  status: LiveStatus;
  /** What `maker` makes is of the site of now. */
  currentSite: () => Promise<Site>;
  findPages: FindPages;
  products: () => PublicProduct[];
  end: () => void;
}

export function openPublicSite(
  portal: Portal,
  { products, readStatus }: PublicSources,
  { start, styles, fonts }: LoadedRenderer,
): PublicSite {
  const { settings } = portal;
  const { portalUrl, providerName } = settings;
  const brand = brandOf(settings);
  const maker = start(portal.log);
  const status = followStatus(portal, readStatus);
  const frame = {
    config: portalConfig(portal),
    styles,
    fonts,
    colours: brandColours(brand),
    icon: iconOf(brand),
    portalUrl,
    providerName,
    pictureLook: pictureLook(brand, providerName),
    pictureNameAt: pictureNameAt(brand),
  };
  const currentSite = followSite(portal, products, { maker, frame }, status);
  return {
    maker,
    status,
    currentSite,
    findPages: async (query, language, most) => {
      await currentSite();
      return maker.find({ query, language, ...(most === undefined ? {} : { most }) });
    },
    products: () => products(portal),
    end: () => maker.end?.(),
  };
}
