import type { ReactNode } from 'react';
import type { PublicPage } from '#shared/contract/public-pages.ts';
import { apiPage } from '#web/public-pages/api-page.tsx';
import { apisPage } from '#web/public-pages/apis-page.tsx';
import { changelogPage } from '#web/public-pages/changelog-page.tsx';
import { missingPage } from '#web/public-pages/missing-page.tsx';
import { operationPage } from '#web/public-pages/operation-page.tsx';
import { pricingPage } from '#web/public-pages/pricing-page.tsx';
import { referencePage } from '#web/public-pages/reference-page.tsx';

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

export function contentOf(page: PublicPage): PageContent {
  const { content } = page;
  switch (content.kind) {
    case 'apis':
      return apisPage(page, content.products);
    case 'api':
      return apiPage(page, content);
    case 'pricing':
      return pricingPage(page, content.products);
    case 'changelog':
      return changelogPage(page, content.product);
    case 'reference':
      return referencePage(page, content);
    case 'operation':
      return operationPage(page, content);
    default:
      return missingPage(page);
  }
}
