import { Button } from '@mantine/core';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { type PublicPage, publicAddress } from '#shared/contract/public-pages.ts';
import classes from '#web/public-pages/public-frame.module.css';
import { statusPageTexts } from '#web/public-pages/status-texts.ts';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import brandClasses from '#web/shell/brand.module.css';
import headerClasses from '#web/shell/header.module.css';
import shellClasses from '#web/shell/shell.module.css';
import { Brand, LegalLinks, hasLegalLinks } from '#web/shell/brand.tsx';
import { SearchForm } from '#web/public-pages/search-page.tsx';
import searchClasses from '#web/public-pages/search-page.module.css';
import { searchTexts } from '#web/public-pages/search-texts.ts';
import { HindiWord } from '#web/shell/hindi-word.tsx';
import { shellTexts } from '#web/shell/texts.ts';

/** The frame of every public page. Its links are plain: the portal behind the sign-in is another document. */
export function PublicFrame({ page, children }: { page: PublicPage; children: ReactNode }) {
  const { hasGuides, language, path } = page;
  const other = shellTexts.otherLanguage[language];
  const places = [
    { path: '/apis', name: texts.apis },
    { path: '/pricing', name: texts.pricing },
    ...(hasGuides ? [{ path: '/docs', name: texts.guides }] : []),
  ];
  return (
    <>
      <a className={shellClasses.skip} href="#content">
        {shellTexts.skip}
      </a>
      <header className={headerClasses['header']}>
        <div className={`${headerClasses['inner']} ${classes.inner}`}>
          <a className={headerClasses['brand']} href={publicAddress('/apis', language)}>
            <Brand />
          </a>
          <nav className={`${headerClasses['nav']} ${classes.nav}`} aria-label={shellTexts.mainNavigation}>
            {places.map((place) => (
              <a
                key={place.path}
                href={publicAddress(place.path, language)}
                aria-current={path === place.path ? 'page' : path.startsWith(`${place.path}/`) || undefined}
              >
                {place.name}
              </a>
            ))}
          </nav>
          <div className={headerClasses['end']}>
            {page.content.kind === 'search' ? null : <SearchBox page={page} />}
            {page.content.kind === 'missing' ? null : (
              <a
                className={classes.language}
                href={publicAddress(path, language === 'hi' ? 'en' : 'hi') + queryOf(page)}
                lang={other.lang}
                hrefLang={other.lang}
                aria-label={other.name}
              >
                {other.lang === 'hi' ? <HindiWord height={16} /> : other.word}
              </a>
            )}
            <Button component="a" href="/login" variant="default" size="sm">
              {texts.signIn}
            </Button>
          </div>
        </div>
      </header>
      <main className={shellClasses.page} id="content">
        {children}
      </main>
      <footer className={shellClasses.foot}>
        <span>{page.config.providerName}</span>
        <div className={brandClasses['links']}>
          <a href={publicAddress('/status', language)}>{statusPageTexts.title}</a>
          {hasLegalLinks() ? <LegalLinks /> : null}
        </div>
      </footer>
    </>
  );
}

/** The same search in the other language. */
const queryOf = ({ content }: PublicPage): string =>
  content.kind === 'search' && content.query !== '' ? `?q=${encodeURIComponent(content.query)}` : '';

/** On a phone a link to the page that has the box. */
function SearchBox({ page }: { page: PublicPage }) {
  return (
    <>
      <SearchForm page={page} label={searchTexts.title} className={searchClasses.box ?? ''} />
      <a
        className={searchClasses.toSearch}
        href={publicAddress('/search', page.language)}
        aria-label={searchTexts.title}
      >
        <Search size={20} aria-hidden="true" />
      </a>
    </>
  );
}
