import { setImmediate as breathe } from 'node:timers/promises';
import type {
  DocumentOutline,
  PublicContent,
  PublicGuide,
  PublicLanguage,
  PublicProduct,
  StatusNow,
} from '#shared/contract/public-pages.ts';
import { guidesPath, type SiteSource, statusPath } from './site-source.ts';

/** What is on each page, by its address without the language. */
export type Contents = ReadonlyMap<string, (language: PublicLanguage) => PublicContent>;

/** A document whose operations are sought, as PageProcess hears of it. */
export const outlineName = (productId: string): string => `outline of ${productId}`;

/** Every page of a site. `documents`: those that could be read. */
export async function contentsOf(
  { products, guides, legal, unshown = [] }: SiteSource,
  documents: ReadonlyMap<string, object>,
  outlineOf: (document: object, productId: string) => DocumentOutline,
  status: () => StatusNow,
): Promise<Contents> {
  const pages = new Map<string, (language: PublicLanguage) => PublicContent>([
    ['/apis', (language) => ({ kind: 'apis', products: products[language] })],
    ['/pricing', (language) => ({ kind: 'pricing', products: products[language] })],
    [statusPath, (language) => ({ kind: 'status', products: products[language], status: status() })],
  ]);
  for (const [index, { id }] of products.en.entries()) {
    const add = (path: string, of: (product: PublicProduct) => PublicContent): void =>
      void pages.set(`/apis/${id}${path}`, (language) => of(products[language][index] ?? missing(id)));
    const isUnread = unshown.includes(outlineName(id));
    const document = isUnread ? undefined : documents.get(id);
    const about = (language: PublicLanguage): PublicGuide[] => guides[language].filter(({ product }) => product === id);
    pages.set(`/apis/${id}`, (language) => ({
      kind: 'api',
      product: products[language][index] ?? missing(id),
      hasReference: document !== undefined,
      guides: about(language),
    }));
    if (document !== undefined) {
      const { operations, tags } = outlineOf(document, id);
      add('/reference', (product) => ({ kind: 'reference', product, document }));
      for (const tagId of tags) add(`/tags/${tagId}`, (product) => ({ kind: 'tag', product, document, tagId }));
      for (const operationId of operations)
        add(`/reference/${operationId}`, (product) => ({ kind: 'operation', product, document, operationId }));
    }
    if (isUnread) add('/reference', () => ({ kind: 'unshown' }));
    // A document of 15 MB takes more than a second.
    await breathe();
    add('/changelog', (product) => ({ kind: 'changelog', product }));
  }
  if (guides.en.length > 0)
    pages.set(guidesPath, (language) => ({ kind: 'guides', guides: guides[language], products: products[language] }));
  for (const [index, { id }] of guides.en.entries())
    pages.set(`/docs/${id}`, (language) => ({
      kind: 'guide',
      guide: guides[language][index] ?? missing(id),
      guides: guides[language],
    }));
  for (const [name, text] of legal) pages.set(`/${name}`, (language) => ({ kind: 'legal', text: text[language] }));
  return pages;
}

function missing(id: string): never {
  throw new Error(`There is no ${id}`);
}
