import type { PublicPage } from '#shared/contract/public-pages.ts';
import { apiPage } from '#web/public-pages/api-page.tsx';
import { apisPage } from '#web/public-pages/apis-page.tsx';
import { changelogPage } from '#web/public-pages/changelog-page.tsx';
import { guidePage } from '#web/public-pages/guide-page.tsx';
import { guidesPage } from '#web/public-pages/guides-page.tsx';
import { legalPage } from '#web/public-pages/legal-page.tsx';
import { missingPage, unshownPage } from '#web/public-pages/missing-page.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { operationPage } from '#web/public-pages/operation-page.tsx';
import { pricingPage } from '#web/public-pages/pricing-page.tsx';
import { referencePage } from '#web/public-pages/reference-page.tsx';
import { searchPage } from '#web/public-pages/search-page.tsx';
import { statusPage } from '#web/public-pages/status-page.tsx';
import { tagPage } from '#web/public-pages/tag-page.tsx';

export function contentOf(page: PublicPage): PageContent {
  const { content } = page;
  switch (content.kind) {
    case 'apis':
      return apisPage(page, content.products);
    case 'api':
      return apiPage(page, content);
    case 'pricing':
      return pricingPage(page, content.products);
    case 'search':
      return searchPage(page, content.query, content.hits);
    case 'status':
      return statusPage(page, content.products, content.status);
    case 'changelog':
      return changelogPage(page, content.product);
    case 'reference':
      return referencePage(page, content);
    case 'tag':
      return tagPage(page, content);
    case 'operation':
      return operationPage(page, content);
    case 'guides':
      return guidesPage(page, content);
    case 'guide':
      return guidePage(page, content);
    case 'legal':
      return legalPage(page, content.text);
    case 'unshown':
      return unshownPage(page);
    default:
      return missingPage(page);
  }
}
