import type { Catalog } from '#catalog/catalog.ts';
import { inLanguage } from '#catalog/catalog-texts.ts';
import { productSchema } from '#shared/contract/marketplace.ts';
import {
  legalPages,
  type PublicContent,
  type PublicGuide,
  type PublicLanguage,
  type PublicProduct,
  type PublicRenderer,
  type StatusNow,
} from '#shared/contract/public-pages.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { brandOf } from '#server/brand/brand.ts';
import { translationOf } from '#server/http/reply-language.ts';
import type { Portal } from '#server/portal.ts';
import type { Documents } from './documents.ts';
import { pageGuide, pageText } from './page-texts.ts';

/** The public pages of one catalogue on one day: prices follow the tax rate of the day. */
export interface Site {
  catalog: Catalog;
  day: Day;
  /** By their address without the language. */
  pages: ReadonlyMap<string, (language: PublicLanguage) => PublicContent>;
}

/** The page that changes by the minute. */
export const statusPath = '/status';

/** All products as everybody may see them. */
export type PublicProducts = (portal: Portal) => PublicProduct[];

const publicProductSchema = productSchema.omit({ activateNow: true });
const translate = translationOf(publicProductSchema);

export function readSite(
  portal: Portal,
  products: PublicProducts,
  documents: Documents,
  operationsIn: PublicRenderer['operationsIn'],
  status: () => StatusNow,
): Site {
  const { catalog } = portal;
  const english = products(portal);
  const hindi = english.map((product) => translated(product, inLanguage(catalog, 'hi')));
  const all = (language: PublicLanguage): PublicProduct[] => (language === 'hi' ? hindi : english);
  const guides = { en: guidesIn(portal, 'en'), hi: guidesIn(portal, 'hi') };
  const pages = new Map<string, (language: PublicLanguage) => PublicContent>([
    ['/apis', (language) => ({ kind: 'apis', products: all(language) })],
    ['/pricing', (language) => ({ kind: 'pricing', products: all(language) })],
    [statusPath, (language) => ({ kind: 'status', products: all(language), status: status() })],
  ]);
  for (const [index, { id }] of english.entries()) {
    const add = (path: string, of: (product: PublicProduct) => PublicContent): void =>
      void pages.set(`/apis/${id}${path}`, (language) => of(all(language)[index] ?? missing(id)));
    const document = documents.get(id);
    pages.set(`/apis/${id}`, (language) => ({
      kind: 'api',
      product: all(language)[index] ?? missing(id),
      hasReference: document !== undefined,
      guides: guides[language].filter((guide) => guide.product === id),
    }));
    if (document !== undefined) {
      add('/reference', (product) => ({ kind: 'reference', product, document }));
      for (const operationId of operationsIn(document))
        add(`/reference/${operationId}`, (product) => ({ kind: 'operation', product, document, operationId }));
    }
    add('/changelog', (product) => ({ kind: 'changelog', product }));
  }
  if (guides.en.length > 0)
    pages.set('/docs', (language) => ({ kind: 'guides', guides: guides[language], products: all(language) }));
  for (const [index, { id }] of guides.en.entries())
    pages.set(`/docs/${id}`, (language) => ({
      kind: 'guide',
      guide: guides[language][index] ?? missing(id),
      guides: guides[language],
    }));
  const { texts } = brandOf(portal.settings);
  for (const name of legalPages) {
    const text = texts[name];
    if (text !== undefined)
      pages.set(`/${name}`, (language) => ({ kind: 'legal', text: pageText(portal, text, language) }));
  }
  return { catalog, day: dayOf(portal.clock()), pages };
}

const guidesIn = (portal: Portal, language: PublicLanguage): PublicGuide[] =>
  portal.catalog.guides.map((guide) => pageGuide(portal, guide, language));

function missing(id: string): never {
  throw new Error(`There is no ${id}`);
}

function translated(product: PublicProduct, toHindi: (english: string) => string): PublicProduct {
  return publicProductSchema.parse(translate?.(product, toHindi));
}
