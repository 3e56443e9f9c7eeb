import { type PageHit, type PublicPage, maxQuery, publicAddress } from '#shared/contract/public-pages.ts';
import type { PageContent } from '#web/public-pages/page-content.ts';
import classes from '#web/public-pages/search-page.module.css';
import { searchTexts as texts } from '#web/public-pages/search-texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';

/** What was found of public pages. */
export function searchPage(page: PublicPage, query: string, hits: readonly PageHit[]): PageContent {
  return {
    title: query === '' ? texts.title : texts.titleOf(query),
    description: texts.description,
    Main: () => (
      <>
        <PageHead title={texts.title} lead={query === '' ? texts.description : texts.found(hits.length, query)} />
        <SearchForm page={page} query={query} label={texts.title} className={classes.form ?? ''} />
        {hits.length === 0 ? null : (
          <ol className={classes.hits}>
            {hits.map(({ path, kind, title, text }) => (
              <li key={path}>
                <a className="link" href={publicAddress(path, page.language)}>
                  {title}
                </a>
                <span className={classes.kind}>{new Map(Object.entries(texts.kinds)).get(kind) ?? texts.page}</span>
                <p>{text}</p>
              </li>
            ))}
          </ol>
        )}
        {query !== '' && hits.length === 0 ? (
          <p>
            {texts.tryOther}{' '}
            <a className="link" href={publicAddress('/apis', page.language)}>
              {texts.allApis}
            </a>
          </p>
        ) : null}
      </>
    ),
  };
}

/** A form without a script: its words go into the address. */
export function SearchForm({
  page,
  query = '',
  label,
  className,
}: {
  page: PublicPage;
  query?: string;
  label: string;
  className: string;
}) {
  return (
    <search>
      <form className={className} action={publicAddress('/search', page.language)} method="get">
        <input
          type="search"
          name="q"
          aria-label={label}
          placeholder={texts.placeholder}
          defaultValue={query}
          maxLength={maxQuery}
        />
        <button type="submit">{texts.title}</button>
      </form>
    </search>
  );
}
