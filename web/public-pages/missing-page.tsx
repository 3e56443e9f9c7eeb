import { type PublicPage, publicAddress } from '#shared/contract/public-pages.ts';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';

/** There is nothing at this address. */
export function missingPage({ language }: PublicPage): PageContent {
  return {
    title: texts.missing,
    description: texts.missingMore,
    Main: () => (
      <>
        <PageHead title={texts.missing} lead={texts.missingMore} />
        <a className="link" href={publicAddress('/apis', language)}>
          {texts.allApis}
        </a>
      </>
    ),
  };
}
