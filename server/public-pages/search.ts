import type { PublicLanguage, PublicRenderer } from '#shared/contract/public-pages.ts';
import { hasAllOperations } from './program-files.ts';
import type { SearchPage } from './search-index.ts';
import type { Contents } from './site.ts';

interface Reads {
  describe: (path: string, language: PublicLanguage) => ReturnType<PublicRenderer['describe']>;
  markdown: (path: string) => string;
}

/** The pages of a language as the search reads them. */
export async function* pagesToFind(
  contents: Contents,
  language: PublicLanguage,
  { describe, markdown }: Reads,
): AsyncGenerator<SearchPage> {
  const readsOperations = hasAllOperations(contents);
  for (const [path, content] of contents) {
    const { kind } = content(language);
    const { title, description } = describe(path, language);
    const isRead = kind !== 'status' && kind !== 'tag' && (kind !== 'operation' || readsOperations);
    const english = language === 'en' ? '' : describe(path, 'en').title;
    yield { path, kind, title, text: description, english, body: isRead ? markdown(path) : path };
  }
}
