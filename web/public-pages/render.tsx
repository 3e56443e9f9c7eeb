import '#web/public-pages/styles.ts';
import { MantineProvider } from '@mantine/core';
import { LucideProvider } from 'lucide-react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { copyScript } from '#shared/contract/copy-script.ts';
import { type PublicPage, type PublicRenderer, publicAddress } from '#shared/contract/public-pages.ts';
import { givePortalConfig } from '#web/api/config.ts';
import { loadLanguages, localeOf, renderedIn } from '#web/language/language.ts';
import { contentOf } from '#web/public-pages/content.tsx';
import { Head } from '#web/public-pages/head.tsx';
import { PublicFrame } from '#web/public-pages/public-frame.tsx';
import { publicTexts as texts } from '#web/public-pages/texts.ts';
import { StaticBudget, StaticPage } from '#web/ui/static-page.ts';
import { uiTexts } from '#web/ui/texts.ts';
import { theme } from '#web/ui/theme.ts';

/** Folds inside folds of a schema that are on the page. */
const shownDepth = 4;
/** Fields of schemas on one page; a request of a large API has ten thousand, which is megabytes. */
const shownFields = 2000;

/** The texts of all languages. */
export const ready = loadLanguages;

export { outlineOf } from '#web/public-pages/documents.ts';

/** What a page says of itself. */
export const describe: PublicRenderer['describe'] = (page) => {
  givePortalConfig(page.config);
  return renderedIn(page.language, () => {
    const { title, description, picture = { title, line: texts.pictureLine } } = contentOf(page);
    return { title, description, picture };
  });
};

/** A public page as HTML that needs no script. */
export function render(page: PublicPage): string {
  givePortalConfig(page.config);
  return renderedIn(page.language, () => {
    const { Main, ...words } = contentOf(page);
    const html = renderToStaticMarkup(
      <html lang={localeOf(page.language)}>
        <Head page={page} words={words} />
        <body data-copy={uiTexts.copy} data-copied={uiTexts.copied} data-failed={uiTexts.copyFailed}>
          <MantineProvider theme={theme} withCssVariables={false} withGlobalClasses={false}>
            <LucideProvider strokeWidth={1.75} size={18}>
              <StaticRouter location={publicAddress(page.path, page.language)}>
                <PublicFrame page={page}>
                  <StaticPage value={{ depth: shownDepth, fields: new StaticBudget(shownFields) }}>
                    <Main />
                  </StaticPage>
                </PublicFrame>
              </StaticRouter>
            </LucideProvider>
          </MantineProvider>
        </body>
      </html>,
    );
    return `<!doctype html>${html.includes('data-code') ? html.replace('</body>', () => `<script>${copyScript}</script></body>`) : html}`;
  });
}
