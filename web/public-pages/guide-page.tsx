import { type PublicGuide, type PublicPage, publicAddress } from '#shared/contract/public-pages.ts';
import classes from '#web/public-pages/guide-page.module.css';
import { GuideLead, GuideText } from '#web/public-pages/guide-text.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { localeOf } from '#web/language/language.ts';
import { PageHead } from '#web/ui/page-head.tsx';

/** A guide, with the others beside it. */
export function guidePage(
  { language }: PublicPage,
  { guide, guides }: { guide: PublicGuide; guides: readonly PublicGuide[] },
): PageContent {
  return {
    title: guide.title,
    description: guide.description,
    data: [
      {
        '@type': 'TechArticle',
        headline: guide.title,
        description: guide.description,
        inLanguage: localeOf(guide.language),
      },
    ],
    Main: () => (
      <div className={classes.columns}>
        <article>
          <PageHead title={guide.title} lead={<GuideLead text={guide} language={language} />} />
          <GuideText text={guide} language={language} />
        </article>
        <nav className={classes.others} aria-labelledby="guides">
          <a id="guides" className={classes.all} href={publicAddress('/docs', language)}>
            {texts.guides}
          </a>
          {guides.map(({ id, title }) => (
            <a
              key={id}
              href={publicAddress(`/docs/${id}`, language)}
              aria-current={id === guide.id ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
      </div>
    ),
  };
}
