import type { Catalog } from '#catalog/catalog.ts';
import { inLanguage } from '#catalog/catalog-texts.ts';
import { productSchema } from '#shared/contract/marketplace.ts';
import {
  legalPages,
  type PublicGuide,
  type PublicLanguage,
  type PublicPage,
  type PublicProduct,
  type PublicText,
  type StatusNow,
} from '#shared/contract/public-pages.ts';
import type { Day } from '#shared/domain/day.ts';
import { brandOf } from '#server/brand/brand.ts';
import { translationOf } from '#server/http/reply-language.ts';
import type { Portal } from '#server/portal.ts';
import type { Documents } from './documents.ts';
import { pageGuide, pageText } from './page-texts.ts';

type InLanguages<Value> = Record<PublicLanguage, Value>;

/** Everything that the public pages are made from, as data: another process makes them. */
export interface SiteSource {
  products: InLanguages<PublicProduct[]>;
  guides: InLanguages<PublicGuide[]>;
  legal: ReadonlyMap<string, InLanguages<PublicText>>;
  /** As the gateway gives them, by product. */
  documents: ReadonlyMap<string, Uint8Array>;
  status: StatusNow;
  /** Paths of pages, and documents whose outline, ended what made them. */
  unshown?: readonly string[];
  frame: Pick<PublicPage, 'portalUrl' | 'config' | 'styles' | 'fonts' | 'colours' | 'icon'> & {
    providerName: string;
    /** What pictures show beside their words, and where the provider's name begins; null: it stands in the logo. */
    pictureLook: string;
    pictureNameAt: number | null;
  };
}

/** The public pages of one catalogue on one day: prices follow the tax rate of the day. */
export interface Site {
  catalog: Catalog;
  day: Day;
  /** Their addresses without the language. */
  pages: ReadonlySet<string>;
}

/** The page that changes by the minute. */
export const statusPath = '/status';

/** It exists where the catalogue has guides. */
export const guidesPath = '/docs';

/** All products as everybody may see them. */
export type PublicProducts = (portal: Portal) => PublicProduct[];

const publicProductSchema = productSchema.omit({ activateNow: true });
const translate = translationOf(publicProductSchema);

export function readSource(
  portal: Portal,
  products: PublicProducts,
  documents: Documents,
  { frame, status }: Pick<SiteSource, 'frame' | 'status'>,
): SiteSource {
  const { catalog, settings } = portal;
  const english = products(portal);
  const hindi = english.map((product) => translated(product, inLanguage(catalog, 'hi')));
  const { texts } = brandOf(settings);
  const legal = legalPages.flatMap((name) => {
    const text = texts[name];
    return text === undefined ? [] : [[name, each((language) => pageText(portal, text, language))] as const];
  });
  return {
    products: { en: english, hi: hindi },
    guides: each((language) => catalog.guides.map((guide) => pageGuide(portal, guide, language))),
    legal: new Map(legal),
    documents,
    status,
    frame,
  };
}

const each = <Value>(of: (language: PublicLanguage) => Value): InLanguages<Value> => ({ en: of('en'), hi: of('hi') });

function translated(product: PublicProduct, toHindi: (english: string) => string): PublicProduct {
  return publicProductSchema.parse(translate?.(product, toHindi));
}
