import type { ReactNode } from 'react';

/** What a page says of itself. */
export interface PageWords {
  title: string;
  /** One or two sentences, for the results of a search. */
  description: string;
  /** For search engines, in the words of schema.org. */
  data?: readonly Readonly<Record<string, unknown>>[];
}

export interface PageContent extends PageWords {
  Main: () => ReactNode;
}
