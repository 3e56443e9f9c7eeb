import type { ReactNode } from 'react';
import type { PictureWords } from '#shared/contract/public-pages.ts';

/** What a page says of itself. */
export interface PageWords {
  title: string;
  /** One or two sentences, for the results of a search. */
  description: string;
  /** On its picture; its title and the kinds of pages if not given. */
  picture?: PictureWords;
  /** For search engines, in the words of schema.org. */
  data?: readonly Readonly<Record<string, unknown>>[];
}

export interface PageContent extends PageWords {
  Main: () => ReactNode;
}
