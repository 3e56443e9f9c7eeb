import { type PublicPage, publicAddress } from '#shared/contract/public-pages.ts';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';

/** There is nothing at this address. */
export const missingPage = ({ language }: PublicPage): PageContent => words(language, texts.missing, texts.missingMore);

/** What is at this address took too long to make. */
export const unshownPage = ({ language }: PublicPage): PageContent => words(language, texts.unshown, texts.unshownMore);

function words(language: PublicPage['language'], title: string, description: string): PageContent {
  return {
    title,
    description,
    Main: () => (
      <>
        <PageHead title={title} lead={description} />
        <a className="link" href={publicAddress('/apis', language)}>
          {texts.allApis}
        </a>
      </>
    ),
  };
}
