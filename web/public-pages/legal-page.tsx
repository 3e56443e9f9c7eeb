import type { PublicPage, PublicText } from '#shared/contract/public-pages.ts';
import { GuideLead, GuideText } from '#web/public-pages/guide-text.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { PageHead } from '#web/ui/page-head.tsx';

/** The provider's terms, privacy policy, refund policy or contact, in its own words. */
export function legalPage({ language }: PublicPage, text: PublicText): PageContent {
  return {
    title: text.title,
    description: text.description,
    Main: () => (
      <article>
        <PageHead title={text.title} lead={<GuideLead text={text} language={language} />} />
        <GuideText text={text} language={language} />
      </article>
    ),
  };
}
