import { type PublicGuide, type PublicPage, type PublicProduct, publicAddress } from '#shared/contract/public-pages.ts';
import { GuideList } from '#web/public-pages/guide-list.tsx';
import type { PageContent } from '#web/public-pages/page-content.ts';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { PageHead } from '#web/ui/page-head.tsx';
import { Section } from '#web/ui/section.tsx';

/** All guides: those of every API first. */
export function guidesPage(
  { config, language }: PublicPage,
  { guides, products }: { guides: readonly PublicGuide[]; products: readonly PublicProduct[] },
): PageContent {
  const about = (id: string | undefined) => guides.filter(({ product }) => product === id);
  return {
    title: texts.guides,
    description: texts.guidesDescription(config.providerName),
    Main: () => (
      <>
        <PageHead title={texts.guides} lead={texts.guidesLead} />
        <GuideList guides={about(undefined)} language={language} level={2} />
        {products.map(({ id, name }) => {
          const own = about(id);
          return own.length === 0 ? null : (
            <Section
              key={id}
              title={name}
              end={
                <a className="link caption" href={publicAddress(`/apis/${id}`, language)}>
                  {texts.aboutApi(name)}
                </a>
              }
            >
              <GuideList guides={own} language={language} level={3} />
            </Section>
          );
        })}
      </>
    ),
  };
}
