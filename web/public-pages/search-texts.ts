import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/public-pages/search-texts.hi.ts')).hindi;

/** Of /search. */
export const searchTexts = texts(
  (t) => ({
    title: t('Search'),
    titleOf: (query: string) => t('Search: {query}', { query }),
    description: t('APIs, operations, errors, plans and guides.'),
    placeholder: t('Search'),
    found: (count: number, query: string) =>
      t('{count, plural, =0 {Nothing found} one {# page} other {# pages}} for “{query}”', { count, query }),
    tryOther: t('Try other or fewer words, or look through'),
    allApis: t('all APIs'),
    page: t('Page'),
    kinds: {
      api: t('API'),
      apis: t('APIs'),
      pricing: t('Prices'),
      reference: t('Reference'),
      operation: t('Operation'),
      tag: t('Operations'),
      changelog: t('Changes'),
      status: t('Status'),
      guide: t('Guide'),
      guides: t('Guides'),
    },
  }),
  hindi,
);
