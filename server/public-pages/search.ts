import type { FindPages, PublicLanguage, PublicPage, PublicRenderer } from '#shared/contract/public-pages.ts';
import { markdownOf } from './markdown.ts';
import { hasAllOperations } from './program-files.ts';
import { indexOf, type SearchIndex, type SearchPage } from './search-index.ts';
import type { Site } from './site.ts';

/** Finds pages of the site of now, by an index that is made when somebody first searches it. */
export function searchSite(
  currentSite: () => Promise<Site>,
  pageOf: (site: Site, language: PublicLanguage, path: string) => PublicPage,
  { describe, render }: PublicRenderer,
): FindPages {
  const indexes = new WeakMap<Site, Map<PublicLanguage, Promise<SearchIndex>>>();

  async function* pagesOf(site: Site, language: PublicLanguage): AsyncGenerator<SearchPage> {
    const readsOperations = hasAllOperations(site);
    for (const path of site.pages.keys()) {
      const page = pageOf(site, language, path);
      const { kind } = page.content;
      const { title, description } = describe(page);
      const isRead = kind !== 'status' && (kind !== 'operation' || readsOperations);
      const english = language === 'en' ? '' : describe(pageOf(site, 'en', path)).title;
      yield { path, kind, title, text: description, english, body: isRead ? markdownOf(render(page), '') : path };
    }
  }
  const made = (site: Site, language: PublicLanguage): Promise<SearchIndex> => {
    const all = indexes.get(site) ?? new Map<PublicLanguage, Promise<SearchIndex>>();
    indexes.set(site, all);
    const index = all.get(language) ?? indexOf(pagesOf(site, language));
    all.set(language, index);
    index.catch(() => all.delete(language));
    return index;
  };
  return async (query, language, most) => (await made(await currentSite(), language)).find(query, most);
}
